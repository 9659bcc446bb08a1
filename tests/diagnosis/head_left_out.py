#!/usr/bin/env python3
"""compare without --axes or position_ids of vectors that NumPy rotated: sound in every order of the axes, and
with one head of 2 to 8 left out, which must be found and named.

usage: head_left_out.py ROPE_CHECK    prints each case that is judged otherwise; exit 1 if any
"""
import json

import numpy as np

from compared import run
from dumps import rng
from rotary import ROUND, inv_freq, rotate, table

LENGTH, LANES = 48, 64


def vectors(heads, left_out=None, order="bhsd", fmt="float32", length=LENGTH, lanes=LANES):
    """q and q_rot of one sequence."""
    q = ROUND[fmt](rng.standard_normal((1, heads, length, lanes)).astype(np.float32))
    c, s = (ROUND[fmt](t.astype(np.float32)) for t in table(inv_freq(lanes), np.arange(length)))
    y = ROUND[fmt](np.stack([rotate(head, c, s) for head in q[0]])[None].astype(np.float32))
    if left_out is not None:
        y[:, left_out] = q[:, left_out]
    return (q, y) if order == "bhsd" else (q.swapaxes(1, 2), y.swapaxes(1, 2))


def cases():
    for order in "bhsd", "bshd":
        for heads in range(1, 9):
            for fmt in "float32", "bfloat16":
                q, y = vectors(heads, order=order, fmt=fmt)
                yield f"sound {order}, {heads} heads, {fmt}", {"q": q, "q_rot": y}, order, None
            for head in range(heads if heads > 1 else 0):
                q, y = vectors(heads, head, order)
                name = f"{order}, head {head} of {heads}"
                yield name, {"q": q, "q_rot": y}, order, head
                if head % 2 == 0:
                    k, k_rot = vectors(max(1, heads // 2), order=order)
                    yield f"{name}, and k", {"q": q, "q_rot": y, "k": k, "k_rot": k_rot}, order, head
        for heads, head, lanes in (32, 0, 128), (24, 7, 512), (3, 0, 8):
            for fmt in "float32", "bfloat16":
                q, y = vectors(heads, head, order, fmt, 256, lanes)
                yield f"{order}, head {head} of {heads}, {fmt}", {"q": q, "q_rot": y}, order, head


def judge(compare, case):
    name, arrays, order, head = case
    done = compare(arrays, "--dim", str(arrays["q"].shape[-1]))
    if done.returncode != (0 if head is None else 1):
        return f"{name}: exit {done.returncode}: {done.stderr}"
    report = json.loads(done.stdout)
    report = report.get("reports", [report])[0]
    axes, heads = report["subject"]["read_as"]["axes"]["value"], arrays["q"].shape[1 if order == "bhsd" else 2]
    said = [(one["mistake"], one["what"].split(":")[0]) for one in report["diagnosis"]]
    want = [] if head is None else [("not-rotated", f"head {head} of {heads}")]
    return "" if axes == order and said == want else f"{name}: {axes}, {said}"


if __name__ == "__main__":
    run(cases(), judge, "are read and checked rightly")
