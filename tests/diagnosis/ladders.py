#!/usr/bin/env python3
"""compare of tables and vectors whose axes have frequencies of their own (blocks, axial, halves, even_odd,
alternating), made with another base, exponent or map: each must be named by the numbers of an axis's own ladder.

usage: ladders.py ROPE_CHECK    prints each case that is judged otherwise; exit 1 if any
"""
import json
import re
import sys

import numpy as np

from compared import run
from dumps import Writer, rng
from rotary import ROUND, rotate

sys.path.insert(0, sys.path[0] + "/random")
from axes_np import axis_of_pairs, exponents  # noqa: E402

FLUX, WAN, EVEN = ("blocks", (8, 28, 28)), ("blocks", (22, 21, 21)), ("blocks", (16, 16, 16))
AXIAL, HALVES, EVEN_ODD, IN_TURNS = (("axial", ()), ("halves", ()), ("even_odd", ()), ("alternating", ()))
ONE_LADDER, QWEN = ("sectioned", (8, 28, 28)), ("sectioned", (16, 24, 24))
VIDEO = np.indices((4, 5, 7)).reshape(3, -1)
IMAGE = np.indices((9, 13)).reshape(2, -1)
ONE_FRAME = np.concatenate([np.zeros((3, 10), int), np.indices((1, 6, 8)).reshape(3, -1)], 1)  # behind text at 0


def ladders(divisors, sections):
    """The exponents 2i/divisor of each section."""
    return np.concatenate([2 * np.arange(n) / d for n, d in zip(sections, divisors)])


def theta(axes, pairs, base=10000.0):
    return base ** -exponents(axes, pairs)


def faults():
    """The config's map, its pairs, ids, the dump's map and frequencies, and what must be said."""
    for ids in VIDEO, ONE_FRAME:
        for base in 256.0, 2000.0, 1e6, 750.0:
            yield FLUX, 64, ids, FLUX, theta(FLUX, 64, base), "base", f"rope_theta is {base:.0f}, not 10000"
        yield FLUX, 64, ids, ONE_LADDER, theta(ONE_LADDER, 64), "axis-map", "the pairs' axes are sectioned, not blocks"
        yield ONE_LADDER, 64, ids, FLUX, theta(FLUX, 64), "axis-map", "the pairs' axes are blocks, not sectioned"
    yield (WAN, 64, VIDEO, WAN, 1e4 ** -ladders([128] * 3, WAN[1]), "exponent-divisor",
           "within each axis, the exponent is −2i/128, not −2i/44, −2i/42, −2i/42")
    yield (WAN, 64, VIDEO, WAN, 1e4 ** -ladders([88, 84, 84], WAN[1]), "exponent-divisor",
           "within each axis, the exponent is −2i/88, −2i/84, −2i/84, not −2i/44, −2i/42, −2i/42")
    yield (EVEN, 48, VIDEO, EVEN, 1e4 ** -ladders([96] * 3, EVEN[1]), "exponent-divisor",
           "within each axis, the exponent is −2i/96, not −2i/32")
    yield (WAN, 64, VIDEO, ("blocks", (21, 21, 22)), theta(("blocks", (21, 21, 22)), 64), "axis-map",
           "the sections are 21, 21, 22")
    for axes in AXIAL, HALVES, IN_TURNS:
        for divisor in 80, 20, 38, 42:
            yield (axes, 40, IMAGE, axes, 1e4 ** -(exponents(axes, 40) * 40 / divisor), "exponent-divisor",
                   f"within each axis, the exponent is −2i/{divisor}, not −2i/40")
        yield (axes, 40, IMAGE, axes, 1e4 ** -(exponents(axes, 40) + 2 / 40), "exponent-start",
               "within each axis, the exponents start at 2/40, not at 0: pairs are counted from 1")
    yield (EVEN_ODD, 40, IMAGE, EVEN_ODD, 1e4 ** -(exponents(EVEN_ODD, 40) / 2), "exponent-divisor",
           "the exponent is −2i/160, not −2i/80")
    for axes in AXIAL, EVEN_ODD, IN_TURNS:
        yield axes, 40, IMAGE, axes, theta(axes, 40, 750), "base", "rope_theta is 750, not 10000"
    for axes, other in (AXIAL, EVEN_ODD), (EVEN_ODD, AXIAL), (IN_TURNS, AXIAL), (AXIAL, IN_TURNS):
        yield axes, 40, IMAGE, other, theta(other, 40), "axis-map", f"the pairs' axes are {other[0]}, not {axes[0]}"
    halves = ("sectioned", (20, 20))
    yield AXIAL, 40, IMAGE, halves, theta(halves, 40), "axis-map", "the pairs' axes are sectioned, not axial"
    yield QWEN, 64, VIDEO, QWEN, theta(QWEN, 64, 750), "base", "rope_theta is 750, not 10000"


def dumps(ids, axis, frequencies, is_table):
    """Of halves tables alone: their vectors have pairs within each half."""
    angle = ids[axis].T * frequencies
    c, s = np.cos(angle), np.sin(angle)
    store = Writer("").store
    for fmt in "float32", "bfloat16", "float16":
        yield f"{fmt} table", {**store("cos", c, fmt), **store("sin", s, fmt)}, []
        for heads in () if is_table else (1, 3):
            q = ROUND[fmt](rng.standard_normal((1, heads, len(c), 2 * len(frequencies))).astype(np.float32))
            c2, s2 = (ROUND[fmt](t.astype(np.float32)).astype(float) for t in (c, s))
            y = np.stack([rotate(head.astype(float), c2, s2) for head in q[0]])[None].astype(np.float32)
            yield f"{fmt}, {heads} heads", {**store("q", q, fmt), **store("q_rot", y, fmt)}, ["--axes", "bhsd"]


def cases():
    for n, (axes, pairs, ids, used, frequencies, mistake, what) in enumerate(faults()):
        spec = ["--dim", str(2 * pairs), "--rope", f"axes={axes[0]}"]
        spec[-1] += ",mrope_section=" + ",".join(map(str, axes[1])) if axes[1] else ""
        for k, (kind, arrays, words) in enumerate(dumps(ids, axis_of_pairs(used, pairs), frequencies, axes == HALVES)):
            if k == 0 or (k + n) % 3 == 0:  # float32 tables, and a third of all others
                yield f"{axes}, {kind}, {what}", {**arrays, "position_ids": ids}, spec + words, mistake, what
    # nothing is rotated by an image alone, whose first axis stands still
    q = rng.standard_normal((1, 2, ONE_FRAME.shape[1], 128), dtype=np.float32)
    spec = ["--dim", "128", "--rope", "axes=blocks,mrope_section=8,28,28", "--axes", "bhsd"]
    yield "not rotated", {"q": q, "q_rot": q, "position_ids": ONE_FRAME}, spec, "not-rotated", "no row is rotated: .*"
    # and what no rule explains is first wrong at a row of several ids
    c, s = (f(ONE_FRAME[axis_of_pairs(FLUX, 64)].T * theta(FLUX, 64) * rng.uniform(0.5, 1, 64)) for f in (np.cos, np.sin))
    unknown = {"cos": c.astype(np.float32), "sin": s.astype(np.float32), "position_ids": ONE_FRAME}
    yield "by no rule", unknown, spec[:-2], "", r"position \(0, 0, 1\) is the first sampled one that is wrong"


def judge(compare, case):
    name, arrays, words, mistake, what = case
    done = compare(arrays, *words)
    if done.returncode != 1:
        return f"{name}: exit {done.returncode}: {done.stderr}"
    report = json.loads(done.stdout)
    said = [(one["mistake"], one["what"]) for one in report["diagnosis"]] or [("", fact) for fact in report["facts"]]
    others = {one for one, _ in said} - {mistake, "table-precision"}
    named = any(one == mistake and re.fullmatch(re.escape(what) if mistake not in ("", "not-rotated") else what, text)
                for one, text in said)
    if mistake == "not-rotated":
        named = named and "axis-map map=axis 0" in report["diagnosis"][0]["equivalent"]
    return "" if named and not others else f"{name}: {said}"


if __name__ == "__main__":
    run(cases(), judge, "are named by the numbers of each axis")
