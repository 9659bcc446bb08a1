"""Rotary position embeddings with NumPy: configs, frequencies, roundings, and the rotation of a dump.

`Model` is one implementation, right or faulty: faults are changes of its fields. `exact()` is the
true result in float64; `build()` is the result with the implementation's roundings.
"""
import copy
import math
import os
import sys

import numpy as np

sys.path.insert(1, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
from rotary import ROUND, axis_of_pairs, blend_llama3, blend_yarn, exponents, fp32  # noqa: E402

# sqrt(2) * the rounding error of a stored component, for amplitude 1: of tables, and of rotated vectors
TABLE_STORAGE = {"float32": 3.4e-7, "bfloat16": 4.2e-3, "float16": 5.3e-4}  # includes the angle's rounding
VECTOR_STORAGE = {"float32": 5e-7, "bfloat16": 2.15e-2, "float16": 2.7e-3}
SOUND_K = 256  # tolerance of angles, in units of 2^-24 * m * theta


# # ---- configs ----------------------------------------------------------------------------------

class Spec:
    def __init__(self, head_dim, rotary_dim=None, base=10000.0, layout="half", rope_type="default",
                 max_position=2048, seq_len=None, axes=None, **params):
        self.axes = axes  # (scheme, sections)
        self.head_dim, self.rotary_dim = head_dim, rotary_dim or head_dim
        self.base, self.layout, self.rope_type = base, layout, rope_type
        self.max_position, self.seq_len, self.params = max_position, seq_len, params

    def copy(self, **changes):
        other = copy.deepcopy(self)
        for key, value in changes.items():
            if hasattr(other, key):
                setattr(other, key, value)
            elif value is None:
                other.params.pop(key, None)
            else:
                other.params[key] = value
        return other

    @property
    def pairs(self):
        return self.rotary_dim // 2

    def flags(self):
        words = ["--dim", str(self.head_dim), "--base", f"{self.base:.17g}"]
        if self.rotary_dim != self.head_dim:
            words += ["--rotary-dim", str(self.rotary_dim)]
        if self.layout != "half":
            words += ["--layout", "interleaved"]
        if self.max_position != 2048:
            words += ["--max-position", str(self.max_position)]
        rope = {}
        if self.rope_type != "default":
            rope["rope_type"] = self.rope_type
        if self.seq_len:
            rope["seq_len"] = self.seq_len
        elif self.rope_type in ("dynamic", "longrope"):  # otherwise the positions choose the length
            rope["seq_len"] = self.params.get("original_max_position", self.max_position)
        if self.axes:
            rope["axes"] = self.axes[0]
            if self.axes[1]:
                rope["mrope_section"] = self.axes[1]
        for key, value in self.params.items():
            rope[{"original_max_position": "original_max_position_embeddings"}.get(key, key)] = value
        return words + (["--rope", ",".join(f"{key}={text_of(value)}" for key, value in rope.items())] if rope else [])


def text_of(value):
    return ",".join(f"{one:.6g}" for one in value) if isinstance(value, (list, tuple)) else str(value)


def powers(base, exponents, make):
    """base^-exponent as implementations compute it; float64, rounded to float32 unless `double`."""
    e = np.asarray(exponents, np.float64)
    if make == "exp":
        log = np.float32(math.log(base))
        return np.exp((-e.astype(np.float32) * log).astype(np.float32).astype(np.float64)).astype(
            np.float32).astype(np.float64)
    if make == "pow32":
        p = (np.float32(base) ** e.astype(np.float32)).astype(np.float32)
        return (np.float32(1) / p).astype(np.float64)
    theta = float(base) ** -e
    return theta if make == "double" else theta.astype(np.float32).astype(np.float64)


def frequencies(spec, make="double", divisor=None, start=0):
    """inv_freq [pairs] in float64, and attention_factor."""
    d, b, p = spec.rotary_dim, spec.base, spec.params
    i = np.arange(d // 2)
    e = exponents(spec.axes, spec.pairs) if spec.axes else (2 * i + 2 * start) / (divisor or d)
    kind = spec.rope_type
    if kind in ("ntk", "dynamic") and d > 2:
        s = p["factor"]
        if kind == "dynamic":
            n = max(spec.seq_len or 0, spec.max_position)
            s = s * n / spec.max_position - (s - 1)
        return powers(b * s ** p.get("exponent", d / (d - 2)), e, make), 1.0
    theta = powers(b, e, make)
    if kind == "linear":
        return theta / p["factor"], 1.0
    if kind == "llama3":
        s, low, high, L0 = (p[k] for k in ("factor", "low_freq_factor", "high_freq_factor",
                                           "original_max_position"))
        return blend_llama3(theta, s, low, high, L0), 1.0
    if kind == "yarn":
        s, L0 = p["factor"], p["original_max_position"]
        af = p.get("attention_factor", 0.1 * math.log(s) + 1 if s > 1 else 1.0)
        return blend_yarn(theta, d, p.get("base_of_bounds", b), s, L0, p.get("beta_fast", 32), p.get("beta_slow", 1),
                          p.get("truncate", "true") == "true"), float(af)
    if kind == "longrope":
        L0 = p["original_max_position"]
        late = (spec.seq_len or 0) > L0
        factors = np.asarray(p["long_factor" if late else "short_factor"], np.float64)
        s = p.get("factor", spec.max_position / L0)
        af = p.get("attention_factor", math.sqrt(1 + math.log(s) / math.log(L0)) if s > 1 else 1.0)
        return theta / factors, float(af)
    return theta, 1.0


def frequency_order(theta, order):
    n = len(theta)
    i = np.arange(n)
    at = {"reversed": i[::-1], "2i": 2 * i % n, "i/2": i // 2, "i-1": (i - 1) % n,
          "i+1": (i + 1) % n, "first": 0 * i}.get(order)
    return theta[[int(j) for j in order.split(",")] if at is None else at]


# ---- implementations --------------------------------------------------------------------------

class Model:
    """Rotates [batch, heads, rows, head_dim], or writes tables [batch, rows, pairs]."""

    def __init__(self, spec, positions, heads=1, make="pow64", fmt="float32", chain=False):
        self.spec, self.used = spec, spec.copy()
        self.positions = np.asarray(positions, np.float64)  # [batch, rows], or [axes, batch, rows]
        self.heads, self.make, self.fmt, self.chain = heads, make, fmt, chain
        self.divisor, self.start, self.order = None, 0, None
        self.double_scaled = self.inverse_scaled = False
        self.frequency_scale = 1.0
        self.entries = []                 # (pair, inv_freq)
        self.pairing = self.table_layout = spec.layout
        self.place = "prefix"             # the dimensions that rotate
        self.still_pairs = None           # the number of pairs that rotate
        self.turn, self.signs, self.written_first = "right", "right", None
        self.amplitude = None
        self.rounding = {"inv": None, "pos": None, "prod": None}
        self.maps = []                    # positions [b,h,s] -> [b,h,s]
        self.axis_order = None            # the axis that replaces each axis of the config
        self.still = np.zeros((self.positions.shape[-2], heads), bool)
        self.reverse = np.zeros((self.positions.shape[-2], heads), bool)
        self.head_order, self.twice = None, False
        self.before, self.after = [], []  # changes of vectors before and after the rotation
        self.factors, self.step = (1.0, 1.0), None  # changes of a table: factors of cos and sin, fixed-point step
        self.slack = 0.0                  # added to the tolerance of a replayed table

    def theta(self):
        theta, af = frequencies(self.used, self.make if self.make != "ggml" else "pow64",
                                self.divisor, self.start)
        if self.double_scaled:
            plain, _ = frequencies(self.used.copy(rope_type="default"), "double")
            theta = theta * theta / plain
        if self.inverse_scaled:
            plain, _ = frequencies(self.used.copy(rope_type="default"), "double")
            theta = plain * plain / theta
        theta = theta * self.frequency_scale
        if self.order:
            theta = frequency_order(theta, self.order)
        theta = np.array(theta)
        for pair, value in self.entries:
            if pair < len(theta):
                theta[pair] = value
        if self.still_pairs is not None:
            theta[self.still_pairs:] = 0
        if self.make != "double":
            theta = theta.astype(np.float32).astype(np.float64)
        if self.rounding["inv"]:
            theta = ROUND[self.rounding["inv"]](theta).astype(np.float64)
        return theta, af if self.amplitude is None else self.amplitude

    def places(self):
        """[b, h, s], or [axes, b, h, s]"""
        shape = list(self.positions.shape)
        shape.insert(-1, self.heads)
        p = np.broadcast_to(self.positions[..., None, :], shape).copy()
        for change in self.maps:
            p = change(p)
        return p

    def pair_places(self, p):
        """[b, h, s, pairs], or 1 in place of pairs"""
        if not self.used.axes:
            return p[..., None]
        axis = axis_of_pairs(self.used.axes, self.used.pairs)
        if self.axis_order is not None:
            axis = np.take(self.axis_order, axis)
        return np.moveaxis(p[axis], 0, -1)

    def angles(self, exact=False):
        """angles [b, h, s, pairs], and the amplitude."""
        theta, a = self.theta()
        p = self.pair_places(self.places())
        if exact:
            return p * theta, a
        if self.rounding["pos"]:
            p = ROUND[self.rounding["pos"]](p).astype(np.float64)
        with np.errstate(over="ignore", invalid="ignore"):
            if self.make == "double":
                return (ROUND[self.rounding["prod"]](p * theta) if self.rounding["prod"] else p * theta), a
            if self.make == "ggml" and not any(self.rounding.values()) and not self.entries:
                return self.recurrent(theta, p[..., 0]), a
            angle = (p.astype(np.float32) * theta.astype(np.float32)).astype(np.float32)
            if self.rounding["prod"]:
                angle = ROUND[self.rounding["prod"]](angle)
        return angle.astype(np.float64), a

    def recurrent(self, theta, p):
        """theta *= scale from pair to pair in float32, then division by each pair's divisor."""
        step = np.float32(self.used.base ** (-2.0 / (self.divisor or self.used.rotary_dim)))
        plain, _ = frequencies(self.used.copy(rope_type="default"), "pow64", self.divisor)
        with np.errstate(divide="ignore", invalid="ignore"):
            ratio = np.where(theta == 0, np.inf, plain / theta).astype(np.float32)
        angle, out = p.astype(np.float32), []
        for i in range(len(theta)):
            out.append(angle / ratio[i] if ratio[i] != 1 else angle)
            angle = (angle * step).astype(np.float32)
        return np.stack(out, -1).astype(np.float64)

    def cos_sin(self, exact=False):
        angle, a = self.angles(exact)
        with np.errstate(invalid="ignore"):
            c, s = a * np.cos(angle), a * np.sin(angle)
        s = np.where(self.reverse[..., None, None], -s, s)
        if self.turn == "reversed":
            s = -s
        elif self.turn == "swapped":
            c, s = s, c
        elif self.turn == "rotated":
            c, s = -s, c
        elif self.turn == "opposite":
            c, s = -c, -s
        elif self.turn == "mirrored":
            c = -c
        return c, s

    def table(self, exact=False):
        c, s = self.cos_sin(exact)
        still = self.still[:, :1, None]
        c, s = np.where(still, 1, c[:, 0]), np.where(still, 0, s[:, 0])
        c, s = self.factors[0] * c, self.factors[1] * s
        if self.step:
            c, s = (np.rint(v * self.step) / self.step for v in (c, s))
        if exact:
            return c, s
        return tuple(ROUND[self.fmt](fp32(v)) for v in (c, s))

    def rotate(self, x, exact=False):
        """The rotated x [b, h, s, head_dim], in float64 if exact."""
        for change in self.before:
            x = change(x)
        c, s = self.cos_sin(exact)
        w = 2 * c.shape[-1]
        index = np.arange(w)
        if self.pairing == "half":
            partner, first = (index + w // 2) % w, index < w // 2
        else:
            partner, first = index ^ 1, index % 2 == 0
        column = index % (w // 2) if self.table_layout == "half" else index // 2
        signs = {"right": np.where(first, -1.0, 1.0), "plus": np.ones(w), "minus": -np.ones(w)}[self.signs]
        if self.place == "spread":
            i = np.arange(w // 2)
            at = np.concatenate([i, i + x.shape[-1] // 2])
            partner, column = (index + w // 2) % w, index % (w // 2)
            signs = np.where(index < w // 2, -1.0, 1.0)
        else:
            at = index + (x.shape[-1] - w if self.place == "suffix" else 0)
        y = np.array(x, np.float64)
        narrow = self.fmt if self.chain and not exact else None
        if not exact:
            c, s = fp32(c), fp32(s)
            if narrow:
                c, s = ROUND[narrow](c), ROUND[narrow](s)
        for _ in range(2 if self.twice else 1):
            turning = y[..., at]
            def turned(partners):
                own, other = turning * c[..., column], signs * partners[..., partner] * s[..., column]
                if narrow:
                    return ROUND[narrow](fp32(ROUND[narrow](own) + ROUND[narrow](other)))
                return own + other if exact else ROUND[self.fmt](fp32(own + other))
            out = turned(turning)
            if self.written_first:
                out = turned(np.where(first == (self.written_first == "first dimension"), out, turning))
            y[..., at] = out
        y = np.where(self.still[..., None, None], x, y)
        if self.head_order is not None:
            y = y[:, self.head_order]
        for change in self.after:
            y = change(y)
        return y if exact else ROUND[self.fmt](fp32(y))

    def tolerance(self, storage):
        """The tolerance of a pair's (cos, sin), [b, 1, s, pairs], for the config's attention_factor."""
        theta, a = frequencies(self.spec)
        drift = SOUND_K * 2.0 ** -24 * np.abs(self.pair_places(self.positions[..., None, :]) * theta)
        scale = a if a == 1 else 2 * a
        return np.minimum(2.0, drift) * a + storage * scale


def pair_dimensions(spec):
    i = np.arange(spec.pairs)
    return (i, i + spec.pairs) if spec.layout == "half" else (2 * i, 2 * i + 1)


def vector_ratios(model, x, y, want, fmt):
    """Differences of y and want relative to the tolerance, in the pairs of the config: [b, h, s, pairs]."""
    spec = model.spec
    first, second = pair_dimensions(spec)
    with np.errstate(invalid="ignore", divide="ignore", over="ignore"):
        off = np.hypot(y[..., first] - want[..., first], y[..., second] - want[..., second])
        norm = np.hypot(x[..., first], x[..., second])
        least = 1e-30 if fmt != "float16" else 6.2e-5  # smaller numbers are subnormal
        ratio = off / (model.tolerance(VECTOR_STORAGE[fmt]) * np.maximum(norm, least))
    return np.where(np.isnan(ratio), np.inf, ratio)


def vector_ratio(model, x, y, want, fmt):
    """The largest ratio; infinite if a dimension outside rotary_dim changed."""
    spec, ratio = model.spec, vector_ratios(model, x, y, want, fmt)
    rest = np.ones(spec.head_dim, bool)
    rest[:spec.rotary_dim] = False
    if rest.any() and not np.array_equal(y[..., rest], want[..., rest]):
        gone = np.abs(y[..., rest] - want[..., rest]).max()
        if not gone == 0:
            return np.inf
    return float(ratio.max())


def table_ratios(model, table, want, fmt):
    """[b, s, pairs]"""
    with np.errstate(invalid="ignore", over="ignore"):
        off = np.hypot(table[0] - want[0], table[1] - want[1])
        allowed = model.tolerance(TABLE_STORAGE[fmt])[:, 0]
        if allowed.shape != off.shape:  # another rotary_dim: the tolerance of the fastest pair
            allowed = allowed.max(-1, keepdims=True)
        ratio = off / allowed
    return np.where(np.isnan(ratio), np.inf, ratio)


def table_ratio(model, table, want, fmt):
    if table[0].shape != want[0].shape:
        return np.inf
    return float(table_ratios(model, table, want, fmt).max())
