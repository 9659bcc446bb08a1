#!/usr/bin/env python3
"""What compare assumes of a dump, without a SPEC, that has one fault: dumps made by NumPy alone.

usage: assumed.py ROPE_CHECK    prints each whose parameters are not found or blamed; exit 1 if any
"""
import json
import re

import numpy as np

from compared import run
from dumps import rng
from rotary import ROUND, rotate

ROWS = np.arange(96)
MODELS = ((10000, 32), (500000, 64), (1000000, 128), (150000, 64), (8000000, 256), (320000, 96))
FORMATS = {"float32": np.float32, "float16": np.float16, "bfloat16 in float32": ROUND["bfloat16"]}


def exact(dim, base):
    return base ** (-np.arange(0, dim, 2) / dim)


def turned(theta, places=ROWS):
    angle = np.outer(places, theta)
    return np.cos(angle), np.sin(angle)


def rows_of(values):
    """The fault of some rows of cos and sin: rows, what is there instead."""
    def fault(dim, base):
        c, s = turned(exact(dim, base))
        for row in values[0]:
            c[row], s[row] = values[1](c, s, row)
        return c, s
    return fault


def pair(which, factor, moved=0):
    def fault(dim, base):
        theta = exact(dim, base)
        theta[which] *= factor
        return turned(theta, ROWS + moved)
    return fault


def cell(dim, base):
    c, s = turned(exact(dim, base))
    c[40, 3] = 0.3
    return c, s


def half_backwards(dim, base):
    c, s = turned(exact(dim, base))
    s[:, dim // 4:] *= -1
    return c, s


def of_two_bases(first, of_rows):
    """From there on by another base: rows, or pairs."""
    def fault(dim, base):
        ours, theirs = turned(exact(dim, base)), turned(exact(dim, 2 * base + 10000))
        if of_rows:
            return [np.concatenate([a[:first], b[first:]]) for a, b in zip(ours, theirs)]
        half = dim * 5 // 16
        return [np.hstack([a[:, :half], b[:, half:]]) for a, b in zip(ours, theirs)]
    return fault


TABLES = {
    "wrong pair": pair(5, 1.7),
    "still pair": pair(5, 0),
    "offset and wrong pair": pair(5, 1.7, 3),
    "zero row": rows_of(([77], lambda c, s, row: (0, 0))),
    "zero row 1": rows_of(([1], lambda c, s, row: (0, 0))),
    "zeros at the end": rows_of((range(60, 96), lambda c, s, row: (0, 0))),
    "NaN row": rows_of(([2], lambda c, s, row: (np.nan, np.nan))),
    "wrong rows": rows_of(([5, 40, 41], lambda c, s, row: (c[row // 2], s[row // 2]))),
    "row of position 0": rows_of(([50], lambda c, s, row: (1, 0))),
    "clipped row": rows_of(([33], lambda c, s, row: (np.clip(c[row], -.5, .5), np.clip(s[row], -.5, .5)))),
    "wrong value": cell,
    "half of the pairs backwards": half_backwards,
    "rows of another base": of_two_bases(60, True),
    "pairs of another base": of_two_bases(0, False),
}


def tables():
    for number, (name, fault) in enumerate(TABLES.items()):
        for turn in 0, 1, 2:
            dim_base = MODELS[(number + 2 * turn) % len(MODELS)]
            stored = list(FORMATS)[turn if name != "pairs of another base" else 0]
            base, dim = dim_base
            c, s = fault(dim, base)
            yield f"{name}, {stored}", base, dim, "", {"cos": FORMATS[stored](c), "sin": FORMATS[stored](s)}


def heads(fault, dim, base, layout):
    """4 heads of vectors, of which head 2 or row 30 is wrong."""
    q = rng.standard_normal((4, len(ROWS), dim)).astype(np.float32)
    y = np.stack([rotate(head, *turned(exact(dim, base)), layout, 0) for head in q])
    if fault == "head elsewhere":
        y[2] = rotate(q[2], *turned(exact(dim, base), ROWS + 5), layout, 0)
    elif fault == "head of another base":
        y[2] = rotate(q[2], *turned(exact(dim, 3 * base)), layout, 0)
    elif fault == "first head of another base":
        y[0] = rotate(q[0], *turned(exact(dim, 3 * base)), layout, 0)
    elif fault == "head of noise":
        y[2] = rng.standard_normal(y[2].shape)
    elif fault == "wrong pair":
        theta = exact(dim, base)
        theta[5] *= 1.7
        y = np.stack([rotate(head, *turned(theta), layout, 0) for head in q])
    else:
        y[:, 30] = {"zero row": 0, "NaN row": np.nan, "clipped row": np.clip(y[:, 30], -1, 1)}[fault]
    return {"q": q, "q_rot": y.astype(np.float32)}


def vectors():
    faults = ("head elsewhere", "head of another base", "first head of another base", "head of noise",
              "wrong pair", "zero row", "NaN row", "clipped row")
    for number, fault in enumerate(faults):
        for layout in "half", "interleaved":
            base, dim = MODELS[1 + number % 3]
            words = " --layout interleaved" if layout == "interleaved" else ""
            yield f"{fault}, {layout}", base, dim, words, heads(fault, dim, base, layout)


def lists():
    for base, dim in MODELS:
        theta = exact(dim, base)
        theta[7] *= 1.5
        yield "wrong entry", base, dim, "", {"inv_freq": theta.astype(np.float32)}


def of_no_majority():
    """Rates that no base has in most pairs; nothing is said to have been 10000."""
    for base, dim in MODELS[1:]:
        theta = exact(dim, base)
        theta[1:dim * 3 // 8] *= 1 + 0.3 * rng.random(dim * 3 // 8 - 1)
        c, s = turned(theta)
        yield "most pairs wrong", None, dim, "", {"cos": np.float32(c), "sin": np.float32(s)}


def judge(compare, case):
    name, base, dim, layout, arrays = case
    ran = compare(arrays)
    report = json.loads(ran.stdout) if ran.stdout else {"identity": ran.stderr, "summary": {}}
    got, named = report["identity"], report.get("diagnosis", [])
    blamed = [one["what"] for one in named if one["mistake"] in ("base", "exponent", "scaling-missing", "pair-layout")
              and not re.match("head |rows before", one["what"])]
    if base:
        want = (r"no known parameters fit all of it; assumed, as nobody gave any: "
                rf"--dim {dim}{layout}( --max-position \d+)? --base {base}, by whose frequencies"
                if base != 10000 else
                rf"no known parameters fit all of it; assumed, as nobody gave any: --dim {dim} --base 10000, by")
    else:
        want = rf"no known parameters fit; judged by defaults that nobody gave: --dim {dim} --base 10000$"
    if re.match(want, got) and not blamed and report["summary"].get("exit_code") == 1:
        return None
    return f"{name}, base {base} of {dim}\n got {got}\n blamed {blamed}, exit {report['summary'].get('exit_code')}"


if __name__ == "__main__":
    run([*tables(), *vectors(), *lists(), *of_no_majority()], judge, "assumed")
