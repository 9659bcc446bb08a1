#!/usr/bin/env python3
"""compare of q that NumPy took before q_norm and q_rot after the rotation, where each head has weights of its own:
of OLMo 2 and MiniMax-M2, whose norm takes all heads together, of Cohere's shape of weights, and without a norm. A
second mistake is named beside it, q taken behind the norm holds, and weights of one head are not called each head's.

usage: weights_of_heads.py ROPE_CHECK    prints each case that is judged otherwise; exit 1 if any
"""
import json

import numpy as np

from compared import run
from dumps import Writer, rng
from rotary import ROUND, inv_freq, rotate, table

LANES = 64
RULES = {"weights": None, "norm": 3, "norm of all heads": (1, 3)}  # axes of which the mean is taken


def weighted(x, weights, axes):
    return x * weights / (np.sqrt((x * x).mean(axes, keepdims=True) + 1e-6) if axes else 1)


def rotated(x, fmt, layout, turning, base, later):
    c, s = (ROUND[fmt](t).astype(np.float64)
            for t in table(inv_freq(turning, base), np.arange(x.shape[2]) + later))
    return np.stack([rotate(head, c, s, layout) for head in x.reshape(-1, *x.shape[2:])]).reshape(x.shape)


def dump(fmt, heads, length, rule, where, layout="half", turning=LANES, order="bhsd", base=10000, later=0,
         plain=0):
    """q before, in between and after; `plain` heads have weights of 1."""
    size = np.exp(rng.uniform(-1, 1, (2, heads, length, 1)))
    q = ROUND[fmt]((rng.standard_normal((2, heads, length, LANES)) * size).astype(np.float32))
    weights = ROUND[fmt](rng.uniform(0.4, 2, (heads, 1, LANES)).astype(np.float32))
    weights[:plain] = 1
    x = q.astype(np.float64)
    if where == "before":
        x = ROUND[fmt](weighted(x, weights, RULES[rule]).astype(np.float32)).astype(np.float64)
    y = rotated(x, fmt, layout, turning, base, later)
    if where == "after":
        y = weighted(y, weights, RULES[rule])
    along = (lambda v: v) if order == "bhsd" else (lambda v: v.swapaxes(1, 2))
    return [along(v) for v in (q, x, ROUND[fmt](y.astype(np.float32)))]


def cases():
    for fmt in "float32", "bfloat16":
        yield fmt, "weights", "after", {"heads": 4, "length": 24, "plain": 3}, None
        for rule in RULES:
            for where in "before", "after":
                for more, also in (
                        ({"heads": 4, "length": 24}, None),
                        ({"heads": 8, "length": 128, "order": "bshd"}, None),  # of every 8th row all are of one head
                        ({"heads": 32, "length": 24, "layout": "interleaved", "order": "bshd"}, None),
                        ({"heads": 6, "length": 40, "turning": 32}, None),
                        ({"heads": 4, "length": 40, "later": 1}, "position-offset"),
                        ({"heads": 4, "length": 40, "base": 500000}, "base"),
                        ({"heads": 4, "length": 40, "layout": "interleaved"}, "pair-layout")):
                    if where == "before" or not also:
                        yield fmt, rule, where, more, also


def judge(compare, case):
    fmt, rule, where, more, also = case
    q, between, q_rot = dump(fmt, rule=rule, where=where, **more)
    layout = {"half": "half_split"}.get(more.get("layout", "half"), "interleaved")
    flags = ["--dim", str(LANES), "--rotary-dim", str(more.get("turning", LANES)), "--axes", more.get("order", "bhsd"),
             "--layout", "half_split" if also == "pair-layout" else layout]
    store = lambda x: {**Writer.store(None, "q", x, fmt), **Writer.store(None, "q_rot", q_rot, fmt)}
    done = compare(store(q), *flags)
    found = {one["mistake"]: one for one in json.loads(done.stdout)["diagnosis"]} if done.returncode == 1 else {}
    if "plain" in more:
        return f"{case}: {sorted(found)}" if done.returncode != 1 or "lane-scale" in found else ""
    if set(found) != {"lane-scale", *([also] if also else [])}:
        return f"{case}: exit {done.returncode}, {sorted(found)}"
    one = found["lane-scale"]
    told = {key: one["parameters"].get(key) for key in ("rule", "applied", "weights", "heads")}
    if told != {"rule": rule, "applied": where, "weights": "of each head", "heads": None} \
            or "every dimension of each head is multiplied by its own number" not in one["what"]:
        return f"{case}: {told}, {one['what']}"
    if where == "before" and not also and compare(store(between), *flags).returncode != 0:
        return f"{case}: taken behind the norm, it is violated"
    return ""


if __name__ == "__main__":
    run(cases(), judge, "are named, and hold behind the norm")
