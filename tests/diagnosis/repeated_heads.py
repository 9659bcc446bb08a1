#!/usr/bin/env python3
"""compare of k whose heads were repeated for the groups of q, each in a row before the rotation and all in turn
after it, or the reverse: of equal heads any is the other's, and the order must be named all the same.

usage: repeated_heads.py ROPE_CHECK    prints each case that is judged otherwise; exit 1 if any
"""
import json

import numpy as np

from compared import run
from dumps import Writer, rng
from rotary import ROUND, inv_freq, rotate, table

LENGTH, LANES = 40, 64


def rotated(k, fmt, base=10000):
    c, s = (ROUND[fmt](t).astype(np.float64) for t in table(inv_freq(LANES, base), np.arange(LENGTH)))
    return ROUND[fmt](np.stack([rotate(head, c, s) for head in k.reshape(-1, LENGTH, LANES)])
                      .reshape(k.shape).astype(np.float32))


def in_a_row(k, times):
    return k.repeat(times, axis=1)


def in_turn(k, times):
    return np.tile(k, (1, times, 1, 1))


def cases():
    for fmt in "float32", "bfloat16", "float16":
        for batch, heads, times in (1, 2, 4), (1, 4, 2), (2, 2, 2), (2, 3, 3), (1, 1, 4):
            k = ROUND[fmt](rng.standard_normal((batch, heads, LENGTH, LANES)).astype(np.float32))
            y = rotated(k, fmt)
            numbers = np.arange(heads * times)
            turns, rows = numbers.reshape(heads, times).T.ravel(), numbers.reshape(times, heads).T.ravel()
            said = lambda order: [] if heads == 1 else ["head-order: " + ", ".join(map(str, order))]
            name = f"{fmt}, {batch} x {heads} heads {times} times"
            for before, after, want in ((in_a_row, in_a_row, []), (in_turn, in_turn, []),
                                        (in_a_row, in_turn, said(turns)), (in_turn, in_a_row, said(rows))):
                yield f"{name}, {before.__name__}, {after.__name__}", fmt, before(k, times), after(y, times), want
            if heads > 1:
                base = in_turn(rotated(k, fmt, 500000), times)
                yield f"{name}, base", fmt, in_a_row(k, times), base, [*said(turns), "base: 500000.0"]
                lost = in_turn(y, times)
                lost[:, 1] = y[:, 0]  # one too many of the first, which is no order
                yield f"{name}, lost", fmt, in_a_row(k, times), lost, None


def judge(compare, case):
    name, fmt, k, k_rot, want = case
    done = compare({**Writer.store(None, "k", k, fmt), **Writer.store(None, "k_rot", k_rot, fmt)},
                   "--dim", str(LANES), "--axes", "bhsd")
    if done.returncode != (0 if want == [] else 1):
        return f"{name}: exit {done.returncode}: {done.stderr}"
    found = [f"{one['mistake']}: {next(iter(one['parameters'].values()), '')}"
             for one in json.loads(done.stdout)["diagnosis"]]
    if want is None:
        return f"{name}: {found}" if any(one.startswith("head-order") for one in found) else ""
    return "" if sorted(found) == sorted(want) else f"{name}: want {want}, got {found}"


if __name__ == "__main__":
    run(cases(), judge, "are checked rightly")
