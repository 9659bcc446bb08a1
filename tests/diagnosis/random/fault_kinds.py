"""The faults: the change that each makes to an implementation, and the mistakes that describe it.

A kind is a function of (rng, setup) -> Fault, or None if the setup cannot have the fault.
`accept(id, parameters)` is whether a named mistake is this fault. `text` is a pattern that the mistake must match as
well, such as the number of the head; without that match the name covers more of the dump than the fault.
"""
import math
import re

import numpy as np

from rotary import transformed

OWN_ID = {  # for faults without an id; extend it when an id is added
    "rows-for-ids": r"row (number|index)|row's (number|index)|arange|position_ids (are|were) (ignored|not)|counts? rows|index of the row|instead of position_ids",
    "batch0": r"sequence 0|batch (entry )?0|first sequence|first batch|row 0 of position_ids",
    "head-axis": r"head.{0,20}(index|number|axis)|axis of heads|along the heads",
    "heads-reordered": r"heads? .{0,40}(order|permut|exchang|moved|stand)|head-order",
    "rows-swapped": r"rows? .{0,60}(swap|exchang|order|stand)",
    "rows-reversed": r"revers|backward|from the end",
    "int-wrap": r"wrap|int8|int16|8 bits|16 bits|overflow|start over",
}


class Fault:
    def __init__(self, kind, slot, apply, accept, detail="", text=None, subjects=None):
        self.kind, self.slot, self.apply, self._accept = kind, slot, apply, accept
        self.detail, self.text, self.subjects = detail, text, subjects

    def names(self, mistake, parameters, words):
        return bool(self._accept(mistake, parameters, words))

    def __repr__(self):
        return f"{self.kind}({self.detail})" if self.detail else self.kind


class VectorChange(Fault):
    """A change of all vectors before or after the rotation."""

    def __init__(self, kind, slot, where, change, accept, detail):
        super().__init__(kind, slot, self.add_to, accept, detail)
        self.where, self.change = where, change

    def add_to(self, model):
        getattr(model, self.where).append(self.change)


vectors = lambda setup: setup.vectors
usual_vectors = lambda setup: setup.vectors and not setup.special
several_heads = lambda setup: setup.vectors and setup.heads > 1
positions = lambda setup: setup.subject != "inv_freq"
amplitudes = lambda setup: setup.amplitude != 1 and positions(setup)
tables = lambda setup: setup.subject == "table"


def of(*needs):
    """A kind for the setups that have all of `needs`."""
    return lambda kind: lambda rng, setup: kind(rng, setup) if all(need(setup) for need in needs) else None


def plain(need, *fault):
    """A kind without parameters."""
    return of(need)(lambda rng, setup: Fault(*fault))


def setting(**fields):
    return lambda model: vars(model).update(fields)


def using(**fields):
    return lambda model: vars(model.used).update(fields)


def moving(change):
    """`change` maps positions."""
    return lambda model: model.maps.append(change)


def near(a, b, rel=2e-3):
    try:
        return abs(float(a) - b) <= rel * abs(b) + 1e-12
    except (TypeError, ValueError):
        return False


def tolerance(setup):
    return 2e-3 if setup.fmt == "float32" else 5e-2


# ---- frequencies --------------------------------------------------------------------------------

def set_base(rng, setup, base, kind):
    if base == setup.spec.base:
        return None
    tol = tolerance(setup)

    def accept(m, p, w):
        if m == "base":
            return near(p.get("rope_theta"), base, tol)
        return m == "exponent-divisor" and near(
            setup.spec.base ** (setup.spec.rotary_dim / float(p.get("divisor", 1))), base, tol)
    return Fault(kind, "base", using(base=float(base)), accept, f"{setup.spec.base:.10g} -> {base:.10g}")


def base_usual(rng, setup):
    return set_base(rng, setup, float(rng.choice([1e4, 5e5, 1e6, 1.5e5, 5e6, 8e6, 1e7])), "base-usual")


def base_odd(rng, setup):
    base = 10 ** rng.uniform(3, 7)
    digits = int(rng.integers(1, 7))
    return set_base(rng, setup, float(f"{base:.{digits}g}"), "base-odd")


def exponent_divisor(rng, setup):
    d = setup.spec.rotary_dim
    choices = [2 * d, d - 2, d // 2]
    if setup.spec.head_dim != d:
        choices = [setup.spec.head_dim] * 3 + choices
    n = float(rng.choice(choices))
    if setup.spec.rope_type in ("ntk", "dynamic") or n <= 0:
        return None

    def apply(model):
        model.divisor = n
        width[0] = model.used.rotary_dim

    width = [d]

    def accept(m, p, w):
        if m == "exponent-divisor":
            return near(p.get("divisor"), n, 1e-6)
        return m == "base" and near(p.get("rope_theta"), setup.spec.base ** (width[0] / n), tolerance(setup))
    return Fault("exponent-divisor", "base", apply, accept, f"2i/{n:g}")


@of(lambda setup: setup.spec.rope_type not in ("yarn", "llama3"))
def exponent_start(rng, setup):
    first = rng.choice([1, -1, 0.5])
    return Fault("exponent-start", "base", setting(start=first), lambda m, p, w: m == "exponent-start")


# ---- scaling ------------------------------------------------------------------------------------

def scaling_lost(rng, setup):
    spec = setup.spec
    if spec.rope_type == "default":
        return None
    keep = setup.amplitude != 1 and rng.random() < 0.3 and setup.subject != "inv_freq"

    def apply(model):
        model.used.rope_type = "default"
        if keep:
            model.amplitude = setup.amplitude

    def accept(m, p, w):
        if m == "scaling-missing":
            return True
        if m == "attention-factor" and not keep:
            return near(p.get("attention_factor"), 1.0, 1e-2)
        return spec.rope_type == "linear" and m == "position-scale" and near(
            p.get("scale"), spec.params["factor"], tolerance(setup))
    return Fault("scaling-lost", "scaling", apply, accept,
                 spec.rope_type + (", attention factor kept" if keep else ""))


def scaling_other(rng, setup):
    spec = setup.spec
    types = [t for t in ("linear", "ntk", "yarn", "llama3") if t != spec.rope_type]
    kind = str(rng.choice(types))
    if spec.rotary_dim <= 2 or (spec.rope_type == "dynamic" and kind == "ntk"):
        return None
    factor = spec.params.get("factor", float(rng.choice([2.0, 4.0, 8.0])))
    length = spec.params.get("original_max_position", spec.max_position)
    params = {"factor": factor}
    if kind in ("yarn", "llama3"):
        params["original_max_position"] = length
    if kind == "llama3":
        params.update(low_freq_factor=1.0, high_freq_factor=4.0)
    amplitude = 0.1 * math.log(factor) + 1 if kind == "yarn" and factor > 1 else 1.0

    def accept(m, p, w):
        if m == "scaling-type":
            return p.get("rope_type") == kind and near(p.get("factor", factor), factor, 1e-2)
        if m == "attention-factor" and amplitude != setup.amplitude:
            return near(p.get("attention_factor"), amplitude, 1e-2)
        if m == "position-scale":  # the named type is missing: another type gives the same numbers
            return kind == "linear" and near(p.get("scale"), 1 / factor, tolerance(setup))
        if m == "scaling-missing":
            return kind == "linear"
        return m == "base" and kind == "ntk" and spec.rope_type == "default" and near(
            p.get("rope_theta"), spec.base * factor ** (spec.rotary_dim / (spec.rotary_dim - 2)),
            tolerance(setup))
    return Fault("scaling-other-type", "scaling", using(rope_type=kind, params=dict(params)),
                 accept, f"{spec.rope_type} -> {kind} {factor:g}")


def factor_wrong(rng, setup):
    spec = setup.spec
    if "factor" not in spec.params or spec.rope_type == "longrope":
        return None
    own = spec.params["factor"]
    factor = own * float(rng.choice([2, 0.5, 1.5, 1.25]))
    if factor <= 1:
        return None

    def apply(model):
        model.used.params["factor"] = factor

    def accept(m, p, w):
        if m == "scaling-parameter" and "factor" in p:
            return near(p["factor"], factor, 1e-2)
        if m == "attention-factor" and spec.rope_type == "yarn" and "attention_factor" not in spec.params:
            return near(p.get("attention_factor"), 0.1 * math.log(factor) + 1, 1e-2)
        return m == "position-scale" and spec.rope_type == "linear" and near(
            p.get("scale"), own / factor, tolerance(setup))
    return Fault("scaling-factor", "scaling", apply, accept, f"{spec.rope_type} {own:g} -> {factor:g}")


def scaling_parameter(rng, setup):
    spec = setup.spec
    options = {
        "llama3": [("original_max_position", spec.max_position), ("original_max_position", 4096),
                   ("low_freq_factor", 2.0), ("high_freq_factor", 8.0)],
        "yarn": [("original_max_position", spec.max_position), ("beta_fast", 64.0),
                 ("beta_slow", 2.0), ("truncate", "false")],
        "longrope": [("seq_len", None)],
        "dynamic": [("seq_len", None)],
    }.get(spec.rope_type)
    if not options:
        return None
    key, value = options[rng.integers(len(options))]
    if key == "seq_len":
        length = spec.params.get("original_max_position", spec.max_position)
        late = (spec.seq_len or 0) > length
        if spec.rope_type == "dynamic" and not late:
            value = int(length * spec.params["factor"])
        else:
            value = None if late else 4 * length
    elif spec.params.get(key, "true" if key == "truncate" else None) == value:
        return None
    full = key + ("_embeddings" if key.endswith("max_position") else "")

    def apply(model):
        if key == "seq_len":
            model.used.seq_len = value
        else:
            model.used.params[key] = value

    def accept(m, p, w):
        if m == "scaling-missing" and spec.rope_type == "dynamic" and value is None:
            return True
        if m != "scaling-parameter":
            return False
        if key == "seq_len":
            return "seq_len" in p or p.get("factors") == ("short_factor" if value is None else "long_factor")
        return str(p.get(full)) == str(value) or near(p.get(full), value if not isinstance(value, str) else 0, 1e-3)
    return Fault("scaling-parameter", "scaling", apply, accept, f"{spec.rope_type} {key} {value}")


attention_missing = plain(amplitudes, "attention-missing", "amplitude", setting(amplitude=1.0),
                          lambda m, p, w: m == "attention-factor" and near(p.get("attention_factor"), 1, 1e-2))


@of(amplitudes)
def attention_twice(rng, setup):
    def accept(m, p, w):  # of vectors, the square is also a usual softmax scale
        given = {"attention-factor": p.get("attention_factor"), "vector-scale": p.get("scale")}.get(m)
        return given is not None and near(given, setup.amplitude ** 2, 1e-2)
    return Fault("attention-twice", "amplitude", setting(amplitude=setup.amplitude ** 2), accept)


def entry(rng, setup):
    i = int(rng.integers(setup.spec.pairs))
    value = [0.0, math.nan, math.inf, 3e4 * rng.random(), float(rng.random()),
             -float(rng.random()) * 0.1][rng.integers(6)]
    return Fault("inv-freq-entry", "entry", setting(entries=[(i, value)]),
                 lambda m, p, w: m in ("uninitialised", "inv-freq-entry", "frequency"),
                 f"pair {i} is {value:.4g}", text=rf"(?i)pair[s]?\W+{i}\b|\"pair[s]?\": \[?{i}\b")


# ---- application --------------------------------------------------------------------------------

def other_layout(layout):
    return "interleaved" if layout == "half" else "half"


def full_name(layout):
    return "half_split" if layout == "half" else layout


direction = plain(positions, "direction", "turn", setting(turn="reversed"), lambda m, p, w: m == "direction")
cos_sin_swapped = plain(positions, "cos-sin-swapped", "turn", setting(turn="swapped"),
                        lambda m, p, w: m == "cos-sin-swapped" and p.get("sign") != "negated")
layout_swapped = of(vectors)(lambda rng, setup: swap_layout(setup, None))
k_paired_otherwise = of(lambda setup: setup.subject == "qk")(lambda rng, setup: swap_layout(setup, {"k"}))


def swap_layout(setup, only):
    other = other_layout(setup.spec.layout)
    return Fault("k-paired-otherwise" if only else "layout-swapped", "layout", setting(pairing=other, table_layout=other),
                 lambda m, p, w: m == "pair-layout" and p.get("layout") == full_name(other), other,
                 subjects=only)


@of(vectors)
def layout_mixed(rng, setup):
    pairs = str(rng.choice(["half", "interleaved"]))
    return Fault("layout-mixed", "layout", setting(pairing=pairs, table_layout=other_layout(pairs)),
                 lambda m, p, w: m == "pair-layout" and p.get("pairs") == full_name(pairs), f"pairs {pairs}")


@of(vectors)
def half_sign(rng, setup):
    signs = str(rng.choice(["plus", "plus", "minus"]))
    return Fault("rotate-half-sign", "turn", setting(signs=signs), lambda m, p, w: m == "rotate-half-sign", signs)


@of(vectors)
def in_place(rng, setup):
    dimension = str(rng.choice(["first dimension", "second dimension"]))
    return Fault("rotated-in-place", "turn", setting(written_first=dimension),
                 lambda m, p, w: m == "rotated-in-place" and p["written_first"] == dimension, dimension)


@of(vectors)
def twice(rng, setup):
    def accept(m, p, w):
        if m == "attention-factor" and setup.amplitude != 1:
            return near(p.get("attention_factor"), setup.amplitude ** 2, 1e-2)
        return m in ("rotated-twice", "rotation-doubled") or (m == "position-scale" and near(
            p.get("scale"), 2, tolerance(setup)))
    return Fault("rotated-twice", "twice", setting(twice=True), accept)


# ---- positions ----------------------------------------------------------------------------------

@of(positions)
def offset(rng, setup):
    k = int(rng.choice([1, -1, 1, -1, 2, -2, 3, 7, 16, 100]))
    return Fault("offset", "position", moving(lambda p: p + k),
                 lambda m, p, w: m == "position-offset" and near(p.get("offset"), k, 1e-6)
                 and "from" not in p, f"{k:+d}")


def restart(rng, setup):
    last = setup.positions.max()
    chunks = [c for c in (8, 16, 24, 32, 64, 100, 128, 256, 512, 1024, 2048, 4096) if c <= last]
    if not chunks:
        return None
    c = int(rng.choice(chunks))
    return Fault("restart-per-chunk", "position", moving(lambda p: np.fmod(p, c)),
                 lambda m, p, w: m == "position-wrap" and near(p.get("period"), c, 1e-6), f"{c}")


def rows_for_ids(rng, setup):
    rows = np.arange(setup.positions.shape[1], dtype=np.float64)
    if not setup.gives_positions or np.array_equal(setup.positions, np.broadcast_to(rows, setup.positions.shape)):
        return None
    first = setup.positions[:, :1]
    steady = np.array_equal(setup.positions - first, np.broadcast_to(rows, setup.positions.shape))

    def accept(m, p, w):
        if steady and len(set(first[:, 0])) == 1 and m == "position-offset":
            return near(p.get("offset"), -first[0, 0], 1e-6)
        return m.startswith("position") and re.search(OWN_ID["rows-for-ids"], w, re.I)
    return Fault("rows-for-ids", "position", moving(lambda p: np.broadcast_to(np.arange(p.shape[-1], dtype=np.float64), p.shape)),
                 accept, setup.placing)


def batch0(rng, setup):
    if setup.positions.shape[0] < 2 or not setup.vectors and setup.positions.shape[0] < 2:
        return None
    if np.array_equal(setup.positions, np.broadcast_to(setup.positions[:1], setup.positions.shape)):
        return None
    return Fault("positions-of-sequence-0", "position", moving(lambda p: np.broadcast_to(p[:1], p.shape)),
                 lambda m, p, w: m.startswith("position") and re.search(OWN_ID["batch0"], w, re.I),
                 setup.placing)


@of(several_heads)
def head_axis(rng, setup):
    def apply(model):
        model.maps.append(lambda p: np.broadcast_to(
            np.arange(p.shape[1], dtype=np.float64)[None, :, None], p.shape))
    return Fault("along-heads-axis", "position", apply,
                 lambda m, p, w: re.search(OWN_ID["head-axis"], w, re.I))


def int_wrap(rng, setup):
    last = setup.positions.max()
    bits = [b for b in (8, 16) if last >= 2 ** (b - 1)]
    if not bits or setup.subject == "inv_freq":
        return None
    b = int(rng.choice(bits))
    signed = rng.random() < 0.6 or last < 2 ** b
    n = 2 ** b

    def wrapped(p):
        return np.fmod(p + n / 2, n) - n / 2 if signed else np.fmod(p, n)
    return Fault("int-wrap", "position", moving(wrapped), lambda m, p, w: m == "position-wrap" and near(
        p.get("period"), n, 1e-6) and (not signed or re.search(r"sign|negativ|int", w)),
        f"{'int' if signed else 'uint'}{b}")


@of(positions)
def rows_moved(rng, setup):
    n = setup.positions.shape[1]
    order = np.arange(n)
    if rng.random() < 0.5:
        kind, order = "rows-reversed", order[::-1]
        accept = lambda m, p, w: re.search(OWN_ID["rows-reversed"], w, re.I) and m not in ("direction",)
        detail = ""
    else:
        a, b = sorted(rng.choice(np.arange(1, n), 2, replace=False).tolist())
        order[[a, b]] = b, a
        kind, detail = "rows-swapped", f"{a} and {b}"
        accept = lambda m, p, w: re.search(OWN_ID["rows-swapped"], w, re.I) and m.startswith(("row", "position"))
    return Fault(kind, "position", moving(lambda p: p[:, :, order]), accept, detail)


# ---- a part of the dump --------------------------------------------------------------------------

def of_head(h):
    return rf"(?i)heads?\W{{0,6}}{h}\b|\"heads?\": \[?{h}\b"


def of_batch(b):
    return rf"(?i)(batch|sequence|entry)\D{{0,14}}{b}\b"


@of(several_heads)
def head_off(rng, setup):
    h = 0 if rng.random() < 0.4 else int(rng.integers(setup.heads))
    k = int(rng.choice([1, -1, 1, 2, 5]))

    def apply(model):
        def change(p):
            p = p.copy()
            p[:, h] += k
            return p
        model.maps.append(change)
    return Fault("one-head-off", "scope", apply,
                 lambda m, p, w: m == "position-offset" and near(p.get("offset"), k, 1e-6),
                 f"head {h} of {setup.heads} by {k:+d}", text=of_head(h), subjects={"q"})


@of(several_heads)
def head_still(rng, setup):
    h = int(rng.integers(setup.heads))

    def apply(model):
        model.still[:, h] = True
    return Fault("one-head-unrotated", "scope", apply, lambda m, p, w: m == "not-rotated",
                 f"head {h} of {setup.heads}", text=of_head(h), subjects={"q"})


@of(several_heads)
def heads_reordered(rng, setup):
    n = setup.heads
    choices = [np.arange(n)[::-1], np.roll(np.arange(n), 1)]
    if n % 2 == 0 and n > 2:
        choices.append(np.arange(n).reshape(2, n // 2).T.ravel())
    order = choices[rng.integers(len(choices))]
    return Fault("heads-reordered", "scope", setting(head_order=order),
                 lambda m, p, w: re.search(OWN_ID["heads-reordered"], w, re.I), str(order.tolist()),
                 subjects={"q"})


def batch_wrong(rng, setup):
    if setup.positions.shape[0] < 2 or setup.subject == "inv_freq":
        return None
    b = int(rng.integers(setup.positions.shape[0]))
    what = str(rng.choice(["offset", "still", "reversed"] if setup.vectors else ["offset", "reversed"]))

    def apply(model):
        if what == "still":
            model.still[b] = True
        elif what == "reversed":
            model.reverse[b] = True
        else:
            def change(p):
                p = p.copy()
                p[b] += 1
                return p
            model.maps.append(change)
    ids = {"offset": "position-offset", "still": "not-rotated", "reversed": "direction"}
    return Fault("one-batch-entry", "scope", apply, lambda m, p, w: m == ids[what],
                 f"entry {b} {what}", text=of_batch(b))


# ---- widths -------------------------------------------------------------------------------------

wrong_end = plain(lambda setup: setup.vectors and setup.spec.rotary_dim < setup.spec.head_dim, "wrong-end", "width",
                  setting(place="suffix"), lambda m, p, w: m == "rotary-dim" and p.get("dimensions") == "suffix")


def set_width(setup, width, kind):
    spec = setup.spec
    if spec.rope_type == "longrope" or width == spec.rotary_dim or width < 4 or width > spec.head_dim:
        return None
    return Fault(kind, "width", using(rotary_dim=width),
                 lambda m, p, w: m == "rotary-dim" and near(p.get("rotary_dim"), width, 1e-6)
                 and p.get("dimensions", "prefix") == "prefix", f"{width} of {spec.head_dim}, not {spec.rotary_dim}")


def partial_ignored(rng, setup):
    return set_width(setup, setup.spec.head_dim, "partial-ignored")


def other_width(rng, setup):
    head = setup.spec.head_dim
    return set_width(setup, int(rng.choice([head // 2, head // 4, setup.spec.rotary_dim // 2])) // 2 * 2,
                     "other-width")


# # ---- dimensions and components ---------------------------------------------------------------------

@of(usual_vectors)
def dimension_weights(rng, setup):
    where, normed = str(rng.choice(["before", "after"])), rng.random() < 0.4
    weights = rng.uniform(0.4, 2, setup.spec.head_dim)

    def change(x):
        size = np.sqrt((x * x).mean(-1, keepdims=True) + 1e-6) if normed else 1
        return x / size * weights

    return VectorChange("dimension-weights", "amplitude", where, change,  # a factor of all dimensions is one of these
                        lambda m, p, w: m == "dimension-scale" and p.get("applied") == where
                        and p.get("rule") == ("norm" if normed else "weights"),
                        f"{where} the rotation" + (", normalised" if normed else ""))


def hadamard(rng, setup):
    dims = setup.spec.head_dim & -setup.spec.head_dim
    if not setup.vectors or setup.special or dims < 16:
        return None
    where = str(rng.choice(["before", "after", "after"]))
    return VectorChange("hadamard", "dimensions", where, lambda x: transformed(x, dims),
                        lambda m, p, w: m == "hadamard" and p.get("applied") == where
                        and near(p.get("dimensions"), dims, 1e-6), f"{dims} dimensions {where} the rotation")


@of(tables)
def unequal_factors(rng, setup):
    factor = float(rng.choice([0.5, 0.8, 1.25, 1.4, 2]))
    cos, sin = (factor, 1.0) if rng.random() < 0.5 else (1.0, factor)
    return Fault("unequal-factors", "amplitude", setting(factors=(cos, sin)),
                 lambda m, p, w: m == "attention-factor" and "cos" in p
                 and near(p["cos"] / p["sin"], cos / sin, tolerance(setup)), f"{cos:g}, {sin:g}")


def fixed_point(rng, setup):
    if setup.subject != "table" or setup.fmt != "float32":
        return None
    step = float(rng.choice([127, 16384, 32767, 32768]))
    return Fault("fixed-point", "component", setting(step=step),
                 lambda m, p, w: m == "table-precision" and p.get("format", "").endswith(f"/{step:g}"),
                 f"1/{step:g}")


# ---- roundings ----------------------------------------------------------------------------------

def rounding(where, fmt):
    name = {"prod": "angles", "pos": "positions", "inv": "inv-freq"}[where]

    def apply(model):
        model.rounding[where] = fmt
    return plain(lambda setup: where == "inv" or positions(setup), {"bfloat16": "bf16-", "float16": "fp16-"}[fmt] + name,
                 "rounding", apply, lambda m, p, w: m == name.removesuffix("s") + "-precision" and p.get("format") == fmt)


def narrow_inv_freq(rng, setup):
    return rounding("inv", str(rng.choice(["bfloat16", "bfloat16", "float16"])))(rng, setup)


KINDS = [base_usual, base_odd, exponent_divisor, exponent_start, scaling_lost, scaling_other,
         factor_wrong, scaling_parameter, attention_missing, attention_twice, entry, layout_swapped,
         layout_mixed, direction, cos_sin_swapped, half_sign, in_place, twice, offset, restart, rows_for_ids,
         batch0, head_axis, int_wrap, rows_moved, head_off, head_still, heads_reordered, batch_wrong,
         wrong_end, partial_ignored, other_width, rounding("prod", "bfloat16"), rounding("pos", "bfloat16"),
         rounding("pos", "float16"), narrow_inv_freq, k_paired_otherwise, dimension_weights, hadamard, unequal_factors, fixed_point]
