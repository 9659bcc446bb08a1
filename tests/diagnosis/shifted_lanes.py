#!/usr/bin/env python3
"""compare of vectors that NumPy rotated beside a bias or xPos' scale, or wrote at the other end of the head.

usage: shifted_lanes.py ROPE_CHECK    prints each that is named otherwise; exit 1 if any
"""
import json

import numpy as np

from compared import run
from dumps import rng
from rotary import ROUND, inv_freq, rotate, table

LENGTH, LANES = 80, 128
FAULTS = {  # beside it: base, layout and first position that the rotation takes
    "": {}, "base": {"base": 500000}, "position-offset": {"first": 1}, "pair-layout": {"layout": "interleaved"},
}


def turned(x, lanes, base=10000, layout="half", first=0, at=0):
    c, s = table(inv_freq(lanes, base), at + first + np.arange(x.shape[1]))
    return np.stack([rotate(head, c, s, layout) for head in x])


def biased():
    """Name, arrays, flags, and what is said of each mistake."""
    for fmt in "float32", "bfloat16", "float16":
        write = lambda x: np.float32(ROUND[fmt](np.asarray(x, np.float32)))
        for n, (heads, lanes, size, at, fault) in enumerate((
                (3, 128, 2, 0, ""), (1, 128, 0.3, 0, "base"), (3, 64, 2, 0, "position-offset"), (1, 64, 2, 500, ""),
                (2, 128, 0.5, 500, "base"), (3, 128, 40, 0, ""), (4, 128, 1, 0, "pair-layout"))):
            x = write(rng.standard_normal((heads, LENGTH, LANES)))
            bias = write(size * rng.standard_normal((heads, 1, LANES)))
            flags = ["--dim", str(LANES), "--rotary-dim", str(lanes), "--axes", "hsd"]
            of = " of each head's own" if heads > 1 else ""
            for added in ("before", "after")[:1 if size > 2 or at else 2]:
                y = turned(x + bias, lanes, at=at, **FAULTS[fault]) if added == "before" else turned(
                    x, lanes, at=at, **FAULTS[fault]) + bias
                yield (f"{fmt}: a bias of {size} {added}, {heads} heads, {lanes} dimensions from {at}, {fault}",
                       {"q": x, "q_rot": write(y), "position_ids": at + np.arange(LENGTH)}, flags,
                       {"lane-shift": f"a bias{of} is added {added} the rotation, up to "} | ({fault: ""} if fault else {}))


def moved():
    for fmt in "float32", "bfloat16":
        write = lambda x: np.float32(ROUND[fmt](np.asarray(x, np.float32)))
        for layout in "half", "interleaved":
            for fault in "", "base":
                x = write(rng.standard_normal((2, LENGTH, 192)))
                flags = ["--dim", "192", "--rotary-dim", "64", "--layout", layout, "--axes", "hsd"]
                how = FAULTS[fault] | {"layout": layout}
                last, first = turned(x[..., 128:], 64, **how), turned(x[..., :64], 64, **how)
                for name, y, more, said in (
                        ("first", np.concatenate([last, x[..., :128]], -1), ["--rope", "rotary_offset=128"],
                         "the rotated dimensions are read at the end of the head and written at its start"),
                        ("last", np.concatenate([x[..., 64:], first], -1), [],
                         "the rotated dimensions are read at the start of the head and written at its end")):
                    yield (f"{fmt}: rotated dimensions {name}, {layout}, {fault}", {"q": x, "q_rot": write(y)},
                           flags + more, {"pair-layout": said} | ({fault: ""} if fault else {}))


def scaled_as_xpos():
    zeta = (np.arange(0, LANES, 2) / LANES + 0.4) / 1.4
    for fmt in "float32", "bfloat16", "float16":
        for side, base, centre, fault in ("q", 512, 40, ""), ("k", 512, 40, "base"), ("q", 256, 0, "position-offset"):
            x = np.float32(ROUND[fmt](rng.standard_normal((2, LENGTH, LANES)).astype(np.float32)))
            power = zeta ** ((np.arange(LENGTH)[:, None] - centre) / base * (1 if side == "q" else -1))
            y = turned(x, LANES, **FAULTS[fault]) * np.hstack([power, power])
            sign = "" if side == "q" else "−"
            yield (f"{fmt}: xPos of {side}, {base}, {fault}", {side: x, side + "_rot": np.float32(ROUND[fmt](np.float32(y)))},
                   ["--dim", str(LANES), "--axes", "hsd"],
                   {"vector-scale": f"pair i is multiplied by ((2i/d + 0.4)/1.4)^({sign}(m − {centre})/{base}), as xPos does to {side}: "
                                    f"--xpos {base}:{centre}"} | ({fault: ""} if fault else {}))


def judge(compare, case):
    name, arrays, flags, want = case
    done = compare(arrays, *flags)
    if done.returncode not in (0, 1):
        return f"{name}: exit {done.returncode}: {done.stderr}"
    said = {one["mistake"]: one["what"] for one in json.loads(done.stdout)["diagnosis"]}
    right = said.keys() == want.keys() and all(said[key].startswith(what) for key, what in want.items())
    return "" if right else f"{name}: {said}"


if __name__ == "__main__":
    run([*biased(), *moved(), *scaled_as_xpos()], judge, "are named as shifted")
