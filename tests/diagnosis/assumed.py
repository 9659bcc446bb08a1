#!/usr/bin/env python3
"""What compare assumes of a dump, without a SPEC, that has one fault: dumps made by NumPy alone.

usage: assumed.py ROPE_CHECK    prints each whose parameters are not found or blamed; exit 1 if any
"""
import json
import re

import numpy as np

from axes import interleaved, sectioned
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


def turned_on_axes(theta, axis, places):
    angle = places[axis].T * theta
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


def image(text, frames, height, width, after):
    """position_ids [3, n] of Qwen2-VL: text, an image or a video, text."""
    grid = np.stack(np.meshgrid(range(frames), range(height), range(width), indexing="ij")).reshape(3, -1)
    first = text + max(frames, height, width)
    return np.hstack([np.tile(range(text), (3, 1)), text + grid, np.tile(range(first, first + after), (3, 1))])


MROPE = (("sectioned", (16, 24, 24), 1000000, image(6, 1, 8, 10, 14)),
         ("sectioned", (8, 12, 12), 10000, image(5, 4, 5, 6, 12)),
         ("interleaved", (24, 20, 20), 5000000, image(4, 1, 9, 7, 30)),
         ("sectioned", (14, 17, 17), 320000, rng.integers(0, 3000, (3, 80))))


def axes_of(scheme, sections):
    return sectioned(sections) if scheme == "sectioned" else interleaved(sections, sum(sections))


def faults_of_mrope(theta, axis, places, base):
    """What is said: frequencies, the axis of each pair and positions that were used."""
    wrong = theta.copy()
    wrong[5] *= 1.7
    for number, name in enumerate(("time", "height", "width")):
        moved = places.copy()
        moved[number] += 1
        yield rf"axis {number} \({name}\): every row is for position m \+ 1, not m", (theta, axis, moved)
    for order in (0, 2, 1), (1, 0, 2), (2, 1, 0), (1, 2, 0):
        yield f"axes are taken in the order {', '.join(map(str, order))}", (theta, np.array(order)[axis], places)
    yield r"every row is for position m \+ 1, not m", (theta, axis, places + 1)
    yield rf"inv_freq of pair 5 is {str(wrong[5])[:5]}\d*, not", (wrong, axis, places)
    yield "every pair rotates in the opposite direction", (-theta, axis, places)


def of_several_axes():
    for number, (scheme, sections, base, places) in enumerate(MROPE):
        dim, axis = 2 * sum(sections), axes_of(scheme, sections)
        theta = exact(dim, base)
        spec = f"--dim {dim}{{}} .*--rope axes={scheme},mrope_section={','.join(map(str, sections))}"
        spec = spec + (f" --base {base}" if base == 10000 else "") + ", by whose"
        for turn, (said, made) in enumerate(faults_of_mrope(theta, axis, places, base)):
            layout = ("half", "interleaved")[(number + turn) % 2]
            q = rng.standard_normal((4, places.shape[1], dim)).astype(np.float32)[:1 if turn % 3 else 4]
            rows = np.stack([rotate(head, *turned_on_axes(*made), layout) for head in q])
            words = " --layout interleaved" if layout == "interleaved" else ""
            yield said, spec.format(words), said, base, {"q": q, "q_rot": np.float32(rows), "position_ids": places}
        for said, other in ((r"head 2 of 4: every row is for position m \+ 5, not m", (theta, axis, places + 5)),
                            (f"head 2 of 4: rope_theta is {3 * base}, not", (exact(dim, 3 * base), axis, places))):
            q = rng.standard_normal((4, places.shape[1], dim))
            rows = np.stack([rotate(head, *turned_on_axes(theta, axis, places)) for head in q])
            rows[2] = rotate(q[2], *turned_on_axes(*other))
            yield said, spec.format(""), said, base, {"q": q, "q_rot": rows, "position_ids": places}
        c, s = turned_on_axes(theta, axis, places)
        c[20], s[20] = c[21], s[21]
        tables = {"cos": np.float32(c), "sin": np.float32(s)}
        yield "a wrong row", spec.format(""), None, base, {**tables, "position_ids": places}


def of_16_bits_on_axes():
    """Pairs so slow that no value tells their axis, and lines on several, by published maps of a model's base."""
    narrow = ROUND["bfloat16"]
    for scheme, sections, base, places in MROPE[0], MROPE[2]:
        dim, axis, theta = 2 * sum(sections), axes_of(scheme, sections), exact(2 * sum(sections), base)
        spec = f"--dim {dim} .*--rope axes={scheme},mrope_section={','.join(map(str, sections))}, by whose"
        for said, made in faults_of_mrope(theta, axis, places, base):
            if not said.startswith(("axis 0", "every")):
                continue
            for heads in 1, 4:
                q = narrow(rng.standard_normal((heads, places.shape[1], dim)))
                rows = np.stack([narrow(rotate(head, *turned_on_axes(*made))) for head in q])
                yield said, spec, said, base, {"q": np.float32(q), "q_rot": np.float32(rows), "position_ids": places}


def open_on_axes():
    """What no sections can be told of: it is asked for."""
    scheme, sections, base, places = MROPE[0]
    theta, axis = exact(128, base), axes_of(scheme, sections)
    text = np.tile(range(100), (3, 1))
    wrong = theta.copy()
    wrong[5] *= 1.7
    q = rng.standard_normal((100, 128))
    for name, positions, rows in (
            ("time alone", places, rotate(q, *turned_on_axes(theta, 0 * axis, places))),
            ("text alone", text, rotate(q, *turned_on_axes(wrong, axis, text))),
            ("noise", places, q[::-1])):
        yield name, None, None, base, {"q": q, "q_rot": rows, "position_ids": positions}


def judge_axes(compare, case):
    name, spec, said, base, arrays = case
    ran = compare(arrays)
    if spec is None:
        asks = ran.returncode == 2 and "no known parameters fit positions on 3 axes; give the config" in ran.stderr
        return None if asks else f"{name}: not asked for, but {ran.stdout[:300]}{ran.stderr}"
    report = json.loads(ran.stdout) if ran.stdout else {"identity": ran.stderr}
    got, named = report["identity"], [one["what"] for one in report.get("diagnosis", [])]
    is_named = len(named) == 1 and re.match(said, named[0]) if said else not named
    is_told = re.match(rf"no config was given, and no known parameters fit all of it; assumed: {spec}", got)
    if is_told and f" --base {base}" in got and is_named and ran.returncode == 1:
        return None
    return f"{name}, base {base}\n got {got}\n named {named}, exit {ran.returncode}"


def judge(compare, case):
    if len(case) == 5 and "position_ids" in case[4]:
        return judge_axes(compare, case)
    name, base, dim, layout, arrays = case
    ran = compare(arrays)
    report = json.loads(ran.stdout) if ran.stdout else {"identity": ran.stderr, "summary": {}}
    got, named = report["identity"], report.get("diagnosis", [])
    blamed = [one["what"] for one in named if one["mistake"] in ("base", "exponent", "scaling-missing", "pair-layout")
              and not re.match("head |rows before", one["what"])]
    if base:
        want = (r"no config was given, and no known parameters fit all of it; assumed: "
                rf"--dim {dim}{layout}( --max-position \d+)? --base {base}, by whose frequencies"
                if base != 10000 else
                rf"no config was given, and no known parameters fit all of it; assumed: --dim {dim} --base 10000, by")
    else:
        want = rf"no config was given, and no known parameters fit; assumed: --dim {dim} --base 10000$"
    if re.match(want, got) and not blamed and report["summary"].get("exit_code") == 1:
        return None
    return f"{name}, base {base} of {dim}\n got {got}\n blamed {blamed}, exit {report['summary'].get('exit_code')}"


if __name__ == "__main__":
    run([*tables(), *vectors(), *lists(), *of_no_majority(), *of_several_axes(), *of_16_bits_on_axes(), *open_on_axes()],
        judge, "assumed")
