#!/usr/bin/env python3
"""Random RoPE dumps with known faults, and correct ones, made with NumPy.

faults.py --seed S --case f17 [--out DIR]: writes the dump of that case and prints the command line
and the faults. Cases f0, f1, … have one to three faults, s0, s1, … none; a0, a1, … have one or two
faults on several position axes, b0, b1, … are correct dumps with several axes. Deterministic by seed.
"""
import argparse
import math
import os
import shlex

import numpy as np

from rope_np import (ROUND, Model, Spec, axis_of_pairs, frequencies, table_ratio, vector_ratio)
import axes_np
import axis_kinds
import fault_kinds

# Errors in units of the tolerance. A case is drawn again if its error is between the first two. A fault counts if its
# removal changes a value by EFFECT_FROM.
SOUND_BELOW, FAULTY_FROM, EFFECT_FROM = 0.75, 1.6, 3
LOST_BELOW = 0.4  # the largest error of a fault without effect; a smaller tolerance might detect a larger one
SLOTS = ["width", "base", "scaling", "entry", "rounding", "amplitude", "layout", "turn", "twice",
         "axes", "position", "scope", "dimensions", "component"]


class Setup:
    """The properties of a dump that its faults depend on."""


# # ---- drawing --------------------------------------------------------------------------------------

def draw_spec(rng):
    head = int(rng.choice([16, 32, 64, 64, 64, 80, 96, 128, 128]))
    base = float(rng.choice([1e4, 1e4, 1e4, 5e5, 5e5, 1e6, 150000, 5e6]))
    kind = str(rng.choice(["default"] * 9 + ["llama3", "llama3", "yarn", "yarn", "linear", "linear",
                                            "dynamic", "longrope", "ntk"]))
    layout = "interleaved" if rng.random() < 0.3 else "half"
    rotary = head
    if rng.random() < 0.2 and kind in ("default", "linear", "yarn"):
        rotary = max(4, int(head * rng.choice([0.25, 0.5, 0.75])) // 2 * 2)
    more = {}
    if kind == "linear":
        more = {"factor": float(rng.choice([2, 4, 8]))}
    elif kind == "ntk":
        more = {"factor": float(rng.choice([2, 4, 8]))}
    elif kind == "llama3":
        more = {"factor": float(rng.choice([8, 32, 16])), "low_freq_factor": 1.0,
                "high_freq_factor": 4.0, "original_max_position": int(rng.choice([8192, 8192, 512])),
                "max_position": 131072}
    elif kind == "yarn":
        L0 = int(rng.choice([4096, 2048, 256]))
        f = float(rng.choice([4, 8, 16, 40]))
        more = {"factor": f, "original_max_position": L0, "max_position": int(L0 * f)}
        if rng.random() < 0.2:
            more["attention_factor"] = 1.25
    elif kind == "dynamic":
        L = int(rng.choice([256, 2048]))
        more = {"factor": float(rng.choice([2, 4])), "max_position": L}
        if rng.random() < 0.7:
            more["seq_len"] = 4 * L
    elif kind == "longrope":
        n = head // 2
        short = [float(f"{v:.6g}") for v in np.round(1 + rng.random(n) * np.arange(n) / n, 3)]
        long = [float(f"{v:.6g}") for v in np.round(1 + 40 * (np.arange(n) / n) ** 2 + rng.random(n), 3)]
        more = {"short_factor": short, "long_factor": long, "original_max_position": 1024,
                "max_position": 32768}
        if rng.random() < 0.5:
            more["seq_len"] = 8192
    return Spec(head, rotary, base, layout, kind, **more)


def draw_positions(rng, batch, rows, placing):
    """Whole numbers [batch, rows] in float64."""
    count = np.arange(rows, dtype=np.float64)
    if placing == "counting":
        one = count
    elif placing == "start":
        one = count + int(rng.choice([1, 5, 17, 100, 500, 1000, 4096]))
    elif placing == "sparse":
        one = np.sort(rng.choice(max(2 * rows, int(rng.choice([2048, 4096, 8192]))), rows, replace=False)).astype(float)
    elif placing == "wide":
        one = np.sort(rng.choice(int(rng.choice([40000, 70000, 131072])), rows, replace=False)).astype(float)
    elif placing == "leftpad":
        pads = rng.integers(1, max(2, rows // 2), batch)
        if batch > 1 and rng.random() < 0.5:
            pads[int(rng.integers(batch))] = 0
        fill = float(rng.integers(2))
        return np.stack([np.concatenate([np.full(p, fill), np.arange(rows - p)]) for p in pads])
    else:  # packed
        def packed():
            documents = int(rng.integers(2, 5))
            cuts = np.sort(rng.choice(np.arange(2, rows - 1), documents - 1, replace=False))
            ends = np.concatenate([[0], cuts, [rows]])
            return np.concatenate([np.arange(b - a) for a, b in zip(ends, ends[1:])]).astype(float)
        return np.stack([packed() for _ in range(batch)])
    if batch > 1 and placing in ("start", "sparse") and rng.random() < 0.5:
        other = [draw_positions(rng, 1, rows, placing)[0] for _ in range(batch)]
        return np.stack(other)
    return np.broadcast_to(one, (batch, rows)).copy()


def draw_setup(rng, subjects=("table",) * 6 + ("q",) * 8 + ("qk",) * 5 + ("inv_freq",)):
    s = Setup()
    s.spec = draw_spec(rng)
    s.subject = str(rng.choice(subjects))
    s.vectors = s.subject in ("q", "qk")
    s.fmt = str(rng.choice(["float32"] * 5 + ["bfloat16"] * 3 + ["float16"] * 2))
    s.carrier = s.fmt != "float32" and rng.random() < 0.25  # stored as float32
    s.make = str(rng.choice(["pow64", "pow64", "pow32", "exp", "ggml", "double"]))
    s.chain = s.vectors and s.fmt != "float32" and rng.random() < 0.5
    if s.subject == "inv_freq":
        s.fmt, s.carrier = "float32", False
    s.batch = int(rng.choice([1, 1, 1, 2, 3])) if s.vectors else int(rng.choice([1, 1, 1, 1, 2]))
    s.heads = int(rng.choice([1, 2, 3, 4, 8])) if s.vectors else 1
    s.kv_heads = int(rng.choice([h for h in (1, 2, 4, 8) if s.heads % h == 0]))
    s.axes = str(rng.choice(["bhsd", "bhsd", "bshd", "shd"])) if s.vectors else ""
    if s.axes == "shd":
        s.batch = 1
    if s.vectors:
        rows = int(rng.choice([16, 24, 48, 64, 96, 128, 200, 256, 400, 512]))
        while rows > 16 and rows * s.batch * s.heads * s.spec.head_dim > 100_000:
            rows = rows * 2 // 3
    else:
        rows = int(rng.choice([16, 33, 64, 128, 200, 300, 512, 1024, 2048]))
        while rows * s.batch * s.spec.pairs > 100_000:
            rows //= 2
        if s.batch == 1 and rng.random() < 0.04:
            rows = 8192
    s.placing = str(rng.choice(["counting"] * 4 + ["start"] * 2 + ["sparse"] * 3 + ["wide"] +
                               ["leftpad"] * 2 + ["packed"] * 2))
    if s.subject == "inv_freq":
        s.placing, s.batch, rows = "counting", 1, 2
    s.positions = draw_positions(rng, s.batch, rows, s.placing)
    s.gives_positions = s.placing != "counting" or rng.random() < 0.5
    s.amplitude = frequencies(s.spec)[1]
    s.special = str(rng.choice(["", "zero-rows", "zero-pair", "tiny"], p=[0.94, 0.02, 0.02, 0.02])) \
        if s.vectors else ""
    s.data_seed = int(rng.integers(1 << 30))
    return s


def vectors_of(setup, name):
    rng = np.random.default_rng([setup.data_seed, ord(name)])
    heads = setup.heads if name == "q" else setup.kv_heads
    x = rng.standard_normal((setup.batch, heads, setup.positions.shape[-1], setup.spec.head_dim))
    if setup.special == "zero-rows":  # padding
        x[-1, :, :3] = 0
    elif setup.special == "zero-pair":
        dims = (0, setup.spec.pairs) if setup.spec.layout == "half" else (0, 1)
        x[..., dims] = 0
    elif setup.special == "tiny":
        x *= [1e-6, 1e-5, 1e-4][setup.data_seed % 3] if setup.fmt == "float16" else 1e-12
    return ROUND[setup.fmt](x.astype(np.float32)).astype(np.float64)


# # ---- the values written, and their errors ---------------------------------------------------------

def model_of(setup, heads, faults):
    model = Model(setup.spec, setup.positions, heads, setup.make, setup.fmt, setup.chain)
    for fault in sorted(faults, key=lambda f: SLOTS.index(f.slot)):
        fault.apply(model)
    return model


class Subject:
    def __init__(self, setup, name):
        self.setup, self.name, self.faults = setup, name, []
        self.heads = setup.kv_heads if name == "k" else setup.heads
        self.x = vectors_of(setup, name) if name in "qk" else None

    def written(self, faults):
        own = [f for f in faults if f.subjects is None or self.name in f.subjects]
        model = model_of(self.setup, self.heads, own)
        if self.name == "inv_freq":
            return model.theta()[0]
        return model.table() if self.x is None else model.rotate(self.x)

    def ratio(self, got, want):
        """The largest difference between two results, relative to the tolerance."""
        truth = self.truth
        if self.name == "inv_freq":
            if got.shape != want.shape:
                return math.inf
            with np.errstate(invalid="ignore"):
                off = np.abs(got - want) / (256 * 2.0 ** -24 * np.abs(want) + 1e-30)
            return float(np.where(np.isnan(off), np.inf, off).max())
        if self.x is None:
            return table_ratio(truth, got, want, self.setup.fmt)
        return vector_ratio(truth, self.x, got, want, self.setup.fmt)

    @property
    def truth(self):
        model = model_of(self.setup, self.heads, [])
        model.make = "double"
        return model

    def right(self):
        truth = self.truth
        if self.name == "inv_freq":
            return frequencies(self.setup.spec)[0]
        return truth.table(exact=True) if self.x is None else truth.rotate(self.x, exact=True)

    def is_within_steps(self, without, fault, faults):
        """Whether a fault changes the entries of a fixed-point table by at most two steps."""
        steps = [f.detail for f in faults if f.kind == "fixed-point" and f is not fault]
        return bool(steps) and np.shape(self.got) == np.shape(without) and 0 < np.abs(np.subtract(self.got, without)).max() <= 2.01 / float(steps[0][2:])

    def settle(self, faults):
        """Keeps the faults that have an effect; None if the effect of one is neither clear nor absent."""
        self.got = self.written(faults)
        self.off = self.ratio(self.got, self.right())
        own = [f for f in faults if f.subjects is None or self.name in f.subjects]
        if SOUND_BELOW < self.off < FAULTY_FROM:
            return None
        if self.off <= SOUND_BELOW:
            if own and self.off > LOST_BELOW:
                return None
            self.faults, self.lost = [], own
            return self
        self.faults, self.lost = [], []
        for fault in own:
            without = self.written([f for f in faults if f is not fault])
            ratio = self.ratio(self.got, without)
            if SOUND_BELOW < ratio < EFFECT_FROM or self.is_within_steps(without, fault, faults):
                return None
            (self.faults if ratio >= EFFECT_FROM else self.lost).append(fault)
        return self if self.faults else None


def subjects_of(setup):
    names = {"table": ["table"], "q": ["q"], "qk": ["q", "k"], "inv_freq": ["inv_freq"]}[setup.subject]
    return [Subject(setup, name) for name in names]


# ---- cases --------------------------------------------------------------------------------------

class Case:
    def __init__(self, name, setup, subjects):
        self.name, self.setup, self.subjects = name, setup, subjects

    def traits(self):
        s = self.setup
        fmt = s.fmt + (" in float32" if s.carrier else "")
        return {"format": fmt, "make": s.make, "chain": s.chain, "placing": s.placing,
                "axes": s.axes, "batch": s.batch, "heads": s.heads, "rows": s.positions.shape[-1],
                "type": s.spec.axes[0] if s.spec.axes else s.spec.rope_type, "layout": s.spec.layout, "special": s.special,
                "rotary": f"{s.spec.rotary_dim}/{s.spec.head_dim}"}


def draw_fault_case(seed, number):
    rng = np.random.default_rng([seed, 1, number])
    first = fault_kinds.KINDS[number % len(fault_kinds.KINDS)]
    count = int(rng.choice([1, 2, 3], p=[0.5, 0.33, 0.17]))
    for _ in range(4000):
        setup = draw_setup(rng)
        faults = [first(rng, setup)]
        if faults[0] is None:
            continue
        for _ in range(30):
            if len(faults) == count:
                break
            more = fault_kinds.KINDS[rng.integers(len(fault_kinds.KINDS))](rng, setup)
            if more is not None and more.slot not in [f.slot for f in faults]:
                faults.append(more)
        subjects = [subject.settle(faults) for subject in subjects_of(setup)]
        if None in subjects:
            continue
        return Case(f"f{number}", setup, subjects)
    raise RuntimeError(f"no case f{number}")


SPECIAL_SOUND = [""] * 12 + ["zero-rows", "zero-pair", "tiny"]


def draw_sound_case(seed, number):
    rng = np.random.default_rng([seed, 2, number])
    while True:
        setup = draw_setup(rng, ["inv_freq"] * 2 + ["table"] * 6 + ["q"] * 8 + ["qk"] * 4)
        if setup.subject == "inv_freq" and setup.amplitude == 1 and rng.random() < 0.7:
            continue
        if setup.vectors:
            setup.special = SPECIAL_SOUND[int(rng.integers(len(SPECIAL_SOUND)))]
            if setup.special == "tiny" and rng.random() < 0.6:  # in the subnormal range of float16
                setup.fmt, setup.carrier = "float16", False
        subjects = [subject.settle([]) for subject in subjects_of(setup)]
        if None in subjects or any(s.off > SOUND_BELOW for s in subjects):
            continue
        return Case(f"s{number}", setup, subjects)


# ---- several axes -------------------------------------------------------------------------------

def draw_axes_setup(rng):
    s = draw_setup(rng, ("table",) * 2 + ("q",) * 4 + ("qk",) * 3)
    head = int(rng.choice([32, 64, 64, 80, 128, 128]))
    axes = axes_np.draw_axes(rng, head // 2)
    layout = "interleaved" if axes[0] == "halves" else s.spec.layout  # half_split within each half
    s.spec = Spec(head, base=s.spec.base, layout=layout, axes=axes)
    s.axis_of_pairs = axis_of_pairs(s.spec.axes, head // 2)
    s.heads, s.kv_heads = int(rng.choice([1, 2, 4])) if s.vectors else 1, 1
    if s.make == "ggml":
        s.make = "pow32"
    rows = int(rng.choice([24, 48, 64, 96, 128, 200, 400]))
    while rows > 24 and rows * s.batch * s.heads * head > 200_000:
        rows //= 2
    s.positions, s.placing, s.images = axes_np.draw_ids(rng, s.spec.axes, s.batch, rows)
    s.gives_positions, s.amplitude, s.special = True, 1.0, ""
    return s


def draw_axes_case(seed, number, kinds=axis_kinds.KINDS):
    rng = np.random.default_rng([seed, 3, number])
    for _ in range(4000):
        setup = draw_axes_setup(rng)
        faults = [kinds[number % len(kinds)](rng, setup)] if kinds else []
        if kinds and rng.random() < 0.2:
            faults.append(kinds[rng.integers(len(kinds))](rng, setup))
        if None in faults or len({f.slot for f in faults}) < len(faults):
            continue
        subjects = [subject.settle(faults) for subject in subjects_of(setup)]
        if None not in subjects and all(s.faults or not faults for s in subjects):
            return Case(f"{'a' if kinds else 'b'}{number}", setup, subjects)
    raise RuntimeError(f"no case a{number}")


def draw_case(seed, name):
    if name[0] in "ab":
        return draw_axes_case(seed, int(name[1:]), axis_kinds.KINDS if name[0] == "a" else [])
    return (draw_fault_case if name[0] == "f" else draw_sound_case)(seed, int(name[1:]))


# ---- files --------------------------------------------------------------------------------------

def stored(setup, name, value):
    value = np.ascontiguousarray(value, np.float32)
    if setup.fmt == "float32" or setup.carrier or name == "inv_freq":
        return {name: value}
    if setup.fmt == "float16":
        return {name: value.astype(np.float16)}
    return {name + "__bf16bits": (value.view(np.uint32) >> 16).astype(np.uint16)}


def in_axes(setup, value):  # value: [b, h, s, d]
    if setup.axes == "bhsd":
        return value
    if setup.axes == "bshd":
        return value.transpose(0, 2, 1, 3)
    return value[0].transpose(1, 0, 2)


def axis_ids(ids, rng):
    """ids [axes, L] or [L, axes] if all entries share them, else [axes, B, L]; or [4, B, L], with the ids of text."""
    is_shared = np.array_equal(ids, np.broadcast_to(ids[:, :1], ids.shape))
    if is_shared and ids.shape[1] not in (len(ids), ids.shape[2]) and rng.random() < 0.8:
        return ids[:, 0] if rng.random() < 0.7 else ids[:, 0].T
    return np.concatenate([ids[:1], ids]) if len(ids) == 3 and rng.random() < 0.2 else ids


def write(case, folder):
    """Writes the dump, and returns the arguments of the command line."""
    setup, arrays = case.setup, {}
    rng = np.random.default_rng([setup.data_seed, 3])
    for subject in case.subjects:
        if subject.name == "table":
            duplicated = rng.random() < 0.5
            for name, value in zip(("cos", "sin"), subject.got):
                value = np.concatenate([value, value], -1) if duplicated else value
                value = value if setup.batch > 1 or rng.random() < 0.2 else value[0]
                arrays.update(stored(setup, name, value))
            if arrays and setup.batch == 1:  # both in one shape
                shape = [v for v in arrays.values()]
                arrays = dict(zip(arrays, [v[0] if v.ndim == 3 else v for v in shape]))
        elif subject.name == "inv_freq":
            arrays["inv_freq"] = np.asarray(subject.got, np.float32)
        else:
            arrays.update(stored(setup, subject.name, in_axes(setup, subject.x)))
            arrays.update(stored(setup, subject.name + "_rot", in_axes(setup, subject.got)))
    words = []
    if setup.gives_positions:
        ids = setup.positions.astype(np.int64)
        shared = np.array_equal(ids, np.broadcast_to(ids[:1], ids.shape))
        arrays["position_ids"] = axis_ids(ids, rng) if setup.spec.axes else ids[0] if shared and (setup.axes == "shd" or rng.random() < 0.7) else (
            ids[:1] if shared and rng.random() < 0.5 else ids)
    if setup.vectors:
        shape = in_axes(setup, case.subjects[0].x).shape
        unclear = not setup.gives_positions or sum(n == setup.positions.shape[-1] for n in shape[:-1]) > 1
        unclear = unclear or setup.batch in shape[1:-1]
        if unclear or rng.random() < 0.5:
            words += ["--axes", setup.axes]
    path = os.path.join(folder, case.name + ".npz")
    np.savez(path, **arrays)
    return ["compare", path] + setup.spec.flags() + words


def describe(case):
    lines = [f"case {case.name}: {case.traits()}"]
    for subject in case.subjects:
        lost = f", without effect here: {subject.lost}" if subject.lost else ""
        lines.append(f"  {subject.name}: {subject.faults or 'sound'}{lost}, {subject.off:.3g} x the tolerance")
    return "\n".join(lines)


def main():
    arguments = argparse.ArgumentParser()
    arguments.add_argument("--seed", type=int, default=1)
    arguments.add_argument("--case", required=True)
    arguments.add_argument("--out", default="/tmp")
    given = arguments.parse_args()
    case = draw_case(given.seed, given.case)
    words = write(case, given.out)
    print(describe(case))
    print("rope-check", shlex.join(words))


if __name__ == "__main__":
    main()
