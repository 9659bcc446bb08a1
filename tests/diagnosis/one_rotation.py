#!/usr/bin/env python3
"""compare without a SPEC of q, k and a table that NumPy made: where they are not of one rotation the odd one is
judged by the others' parameters, else they hold.

usage: one_rotation.py ROPE_CHECK    prints each that is judged otherwise; exit 1 if any
"""
import json

import numpy as np

from compared import run
from dumps import rng
from rotary import ROUND, inv_freq, rotate, table, yarn

LENGTH, LANES = 60, 128
KEYS = {  # rotated otherwise than q, by: base, layout, lanes, first position, factor of the positions
    "base": {"base": 500000},
    "pair-layout": {"layout": "interleaved"},
    "rotary-dim": {"lanes": 64},
    "position-offset": {"first": 1},
    "position-scale": {"scale": 0.25},
    "direction": {"scale": -1},
}


def vectors(fmt, heads, base=10000, layout="half", lanes=LANES, first=0, scale=1, place=np.arange(LENGTH)):
    q = ROUND[fmt](rng.standard_normal((1, heads, LENGTH, LANES)).astype(np.float32))
    c, s = table(inv_freq(lanes, base), scale * (place + first))
    y = q.copy()
    for head in range(heads):
        y[0, head, :, :lanes] = rotate(q[0, head, :, :lanes], c, s, layout, 0)
    return q, np.float32(ROUND[fmt](y))


def dump(q=None, k=None, of_table=None):
    arrays = {}
    for name, one in ("q", q), ("k", k):
        if one:
            arrays |= {name: one[0], name + "_rot": one[1]}
    if of_table:
        arrays |= {"cos": of_table[0], "sin": of_table[1]}
    return arrays


def both(base, lanes=LANES):
    return [np.float32(t) for t in table(inv_freq(lanes, base), np.arange(LENGTH))]


def cases():
    """Name, arrays, and the mistakes of each dump."""
    for fmt in "float32", "bfloat16", "float16":
        q = vectors(fmt, 4)
        yield f"{fmt}: alike", dump(q, vectors(fmt, 2)), {"q": [], "k": []}
        for name, how in KEYS.items():
            yield f"{fmt}: {name}", dump(q, vectors(fmt, 2, **how)), {"q": [], "k": [name]}
        k = vectors(fmt, 2)
        yield f"{fmt}: keys not rotated", dump(q, (k[0], k[0])), {"q": [], "k": ["not-rotated"]}
        yield (f"{fmt}: a table of another base than two", dump(q, k, both(500000)),
               {"table": ["base"], "q": [], "k": []})
        yield f"{fmt}: a table of another base than one", dump(q, None, both(500000)), {"table": [], "q": ["base"]}
        yield f"{fmt}: a table and vectors", dump(q, k, both(10000)), {"table": [], "q": [], "k": []}
        odd = vectors(fmt, 2, layout="interleaved")
        yield (f"{fmt}: a table, and k of another layout than q", dump(q, odd, both(10000)),
               {"table": [], "q": [], "k": ["pair-layout"]})
        off = [vectors(fmt, heads, base=500000, first=2) for heads in (4, 2)]
        yield (f"{fmt}: a table, and vectors off by two", dump(*off, both(500000)),
               {"table": [], "q": ["position-offset"], "k": ["position-offset"]})
        for layout in "half", "interleaved":
            part = vectors(fmt, 4, lanes=64, layout=layout)
            q, y = vectors(fmt, 4, layout=layout)
            y[0, 1] = q[0, 1]
            yield (f"{fmt}: a table, and vectors of which a head is not rotated, {layout}",
                   dump((q, y), None, both(10000)), {"table": [], "q": ["not-rotated"]})
            yield f"{fmt}: a table of the rotated dimensions, {layout}", dump(part, None, both(10000, 64)), {"table": [], "q": []}


def of_few_rows():
    """What few rows of 16 bits leave open the table tells: the scaling, and beside it the layout."""
    theta = yarn(128, 1000000, 16, 32768).astype(np.float64)
    amplitude = 0.1 * np.log(16) + 1
    for rows, first, frequencies, scale, layout in (
            (12, 0, theta, amplitude, "half"), (12, 0, theta, amplitude, "interleaved"),
            (2, 17, inv_freq(128, 32000), 1, "interleaved"), (3, 4000, inv_freq(128, 32000), 1, "interleaved")):
        at = first + np.arange(rows)
        c, s = (scale * t for t in table(frequencies, at))
        arrays = {"cos": np.float32(c), "sin": np.float32(s), "position_ids": at}
        for name, heads in ("q", 4), ("k", 2):
            x = np.float32(ROUND["bfloat16"](rng.standard_normal((1, heads, rows, LANES)).astype(np.float32)))
            y = np.stack([rotate(head, c, s, layout, 0) for head in x[0]])[None]
            arrays |= {name: x, name + "_rot": np.float32(ROUND["bfloat16"](y.astype(np.float32)))}
        yield f"{rows} rows from {first} on, {layout}", arrays, {"table": [], "q": [], "k": []}


def beside_a_wider_table():
    """Heads of half the table's dimensions, which no table of theirs is."""
    for rows in 3, 60:
        x = rng.standard_normal((1, 2, rows, LANES // 2)).astype(np.float32)
        y = rng.standard_normal(x.shape).astype(np.float32)
        for name, after in ("noise", y), ("still", x):
            c, s = table(inv_freq(LANES), np.arange(rows))
            yield (f"a wider table, {rows} rows, {name}",
                   {"cos": np.float32(c), "sin": np.float32(s), "q": x, "q_rot": after},
                   {"table": [], "q": ["not-rotated"] if name == "still" else []}, 1)


def judge(compare, case):
    name, arrays, want, *given = case
    done = compare(arrays)
    if done.returncode not in (0, 1):
        return f"{name}: exit {done.returncode}: {done.stderr}"
    report = json.loads(done.stdout)
    said = {one["subject"].get("layers", "q"): [mistake["mistake"] for mistake in one["diagnosis"]]
            for one in report.get("reports", [report])}
    code = given[0] if given else 1 if any(want.values()) else 0
    return "" if (said, done.returncode) == (want, code) else f"{name}: {said}, exit {done.returncode}"


if __name__ == "__main__":
    run([*cases(), *of_few_rows(), *beside_a_wider_table()], judge, "are checked as one rotation")
