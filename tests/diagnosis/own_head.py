#!/usr/bin/env python3
"""compare of vectors whose rotating lanes were taken for a head of their own where the head's halves are
pairs (Gemma 4's proportional), or the reverse (partial rotary), with the other's frequencies or its own.

usage: own_head.py ROPE_CHECK    prints each case that is judged otherwise; exit 1 if any
"""
import json

import numpy as np

from compared import run
from dumps import Writer, rng
from rotary import ROUND, inv_freq, rotate, table

HEAD, LENGTH, BASE = 256, 96, 1000000
OWN = "rotary-dim rotary_dim=64 lanes=prefix"
SPREAD = "rotary-dim rotary_dim=64 lanes=spread"
HALF, INTERLEAVED = "pair-layout layout=half_split", "pair-layout layout=interleaved"


def turned(q, theta, lanes, layout, fmt):
    """q [rows, HEAD], of which these dimensions are rotated as a head."""
    c, s = (ROUND[fmt](t) for t in table(theta, np.arange(LENGTH)))
    y = q.copy()
    y[:, lanes] = rotate(q[:, lanes], c.astype(np.float64), s.astype(np.float64), layout)
    return ROUND[fmt](y.astype(np.float32))


def cases():
    part = HEAD // 4
    head, own = inv_freq(HEAD, BASE)[:part // 2], inv_freq(part, BASE)
    first = np.arange(part)
    across = np.r_[:part // 2, HEAD // 2:HEAD // 2 + part // 2]
    proportional = ["--rope", "rope_type=proportional,partial_rotary_factor=0.25"]
    partial = ["--rotary-dim", str(part)]
    by_part, by_head = f"exponent-divisor divisor={part}", f"exponent-divisor divisor={HEAD}"
    for fmt in "float32", "bfloat16", "float16":
        for flags, asked, lanes, layout, theta, want in (
                (proportional, "half", across, "half", head, []),
                (proportional, "half", first, "half", head, [OWN]),
                (proportional, "half", first, "half", own, [OWN, by_part]),
                (proportional, "half", across, "half", own, [by_part]),
                (proportional, "half", first, "interleaved", own, [INTERLEAVED, by_part]),
                (proportional, "interleaved", first, "interleaved", head, []),
                (proportional, "interleaved", first, "interleaved", own, [by_part]),
                (proportional, "interleaved", first, "half", head, [HALF, OWN]),
                (proportional, "interleaved", first, "half", own, [HALF, OWN, by_part]),
                (proportional, "interleaved", across, "half", own, [HALF, by_part]),
                (partial, "half", first, "half", own, []),
                (partial, "half", across, "half", own, [SPREAD]),
                (partial, "half", across, "half", head, [SPREAD, by_head]),
                (partial, "half", first, "half", head, [by_head]),
                (partial, "half", first, "interleaved", head, [INTERLEAVED, by_head]),
                (partial, "interleaved", across, "half", own, [SPREAD]),
                (partial, "interleaved", across, "half", head, [SPREAD, by_head])):
            q = ROUND[fmt](rng.standard_normal((LENGTH, HEAD)).astype(np.float32))
            y = turned(q, theta, lanes, layout, fmt)
            arrays = {**Writer.store(None, "q", q, fmt), **Writer.store(None, "q_rot", y, fmt)}
            yield arrays, [*flags, "--layout", asked], want, fmt
            if want[:1] == [OWN]:  # a lane that must not turn does
                y[LENGTH // 2, HEAD - 1] += 0.25
                bent = {**arrays, **Writer.store(None, "q_rot", y, fmt)}
                yield bent, [*flags, "--layout", asked], [], fmt


def said(one):
    return " ".join([one["mistake"], *(f"{k}={v:g}" if isinstance(v, (int, float)) else f"{k}={v}"
                                       for k, v in one["parameters"].items())])


def judge(compare, case):
    arrays, flags, want, fmt = case
    done = compare(arrays, "--dim", str(HEAD), "--base", str(BASE), *flags)
    if done.returncode not in (0, 1):
        return f"{flags}, {fmt}: {done.stderr}"
    found = [said(one) for one in json.loads(done.stdout)["diagnosis"]]
    return "" if sorted(found) == sorted(want) else f"{flags}, {fmt}: want {want}, got {found}"


if __name__ == "__main__":
    run(cases(), judge, "are named")
