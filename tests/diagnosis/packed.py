#!/usr/bin/env python3
"""compare of rows that NumPy rotated as several sequences packed into one, where the dump numbers them as one.

usage: packed.py ROPE_CHECK    prints each that is named otherwise; exit 1 if any
"""
import json

import numpy as np

from compared import run
from dumps import rng
from rotary import ROUND, inv_freq, rotate, table

LENGTH = 240


def packed(starts, length=LENGTH):
    at = np.arange(length)
    for start in starts:
        at[start:] = np.arange(length - start)
    return at


def vectors(fmt, of_entries, layout="half", lanes=128):
    """q of [entries, 2 heads, rows, dimensions], each entry at positions of its own."""
    x = np.float32(ROUND[fmt](rng.standard_normal((len(of_entries), 2, len(of_entries[0]), lanes)).astype(np.float32)))
    y = np.stack([np.stack([rotate(head, *table(inv_freq(lanes), at), layout) for head in entry])
                  for entry, at in zip(x, of_entries)])
    return {"q": x, "q_rot": np.float32(ROUND[fmt](y.astype(np.float32)))}


def said(starts, of=""):
    return of + "positions start over from 0 at rows " + ", ".join(map(str, starts))


def cases():
    """Name, arrays, flags, and what is said."""
    flags = ["--dim", "128", "--axes", "bhsd"]
    for fmt in "float32", "bfloat16":
        for starts in (100, 230), (7, 50, 53, 90, 200), (10, 20, 30, 33):
            yield f"{fmt}: {starts}", vectors(fmt, [packed(starts)]), flags, [said(starts)]
            c, s = table(inv_freq(128), packed(starts))
            yield (f"{fmt}: a table, {starts}", {"cos": np.float32(c), "sin": np.float32(s)}, ["--dim", "128"],
                   [said(starts)])
        yield (f"{fmt}: interleaved", vectors(fmt, [packed((20, 90))], "interleaved"), [*flags, "--layout",
                                                                                    "interleaved"], [said((20, 90))])
        many = range(12, 240, 19)
        yield (f"{fmt}: {len(many)} of them", vectors(fmt, [packed(many)]), flags,
               [said(list(many)[:8]) + ", …"])
        yield f"{fmt}: behind padding", vectors(fmt, [packed((1, 2, 3, 4))]), flags, [said(["1–4"])]
        yield f"{fmt}: one row late", vectors(fmt, [packed((1,))]), flags, ["positions start over from 0 at row 1"]
        yield (f"{fmt}: each entry its own", vectors(fmt, [packed((100, 230)), packed((33, 90, 101))]), flags,
               [said((100, 230), "batch entry 0: ") + "; " + said((33, 90, 101), "batch entry 1: ")])
        yield f"{fmt}: as numbered", vectors(fmt, [packed(())]), flags, []
        other = packed((100, 200))
        other[200:] += 50
        yield f"{fmt}: not from 0", vectors(fmt, [other]), flags, None
        yield f"{fmt}: anywhere", vectors(fmt, [rng.permutation(LENGTH)]), flags, None


def judge(compare, case):
    name, arrays, flags, want = case
    done = compare(arrays, *flags)
    if done.returncode not in (0, 1):
        return f"{name}: exit {done.returncode}: {done.stderr}"
    found = json.loads(done.stdout)["diagnosis"]
    if want is None:
        return f"{name}: {found}" if any("start over" in one["what"] for one in found) else ""
    right = [one["what"] for one in found] == want and all(one["mistake"] == "position-source" for one in found)
    return "" if right else f"{name}: {[one['what'] for one in found]}"


if __name__ == "__main__":
    run(cases(), judge, "are named as packed sequences")
