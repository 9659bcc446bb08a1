#!/usr/bin/env python3
"""compare --table over random caches, as onnx's tests have them, applied by NumPy: rightly and wrongly.

usage: own_table.py ROPE_CHECK    prints each case that is judged otherwise; exit 1 if any
"""
import json

import numpy as np

from compared import run
from dumps import rng
from rotary import rotate

BATCH, LENGTH, HEADS, LANES, ROWS = 2, 6, 3, 32, 50
IDS = rng.integers(1, ROWS - 1, (BATCH, LENGTH))


def random(*shape):
    return rng.uniform(-1, 1, shape).astype(np.float32)


def applied(x, c, s, layout="half"):
    """x [B, L, H, D] by rows [B, L, pairs], in float32."""
    y = x.copy()
    for b in range(x.shape[0]):
        for h in range(x.shape[2]):
            y[b, :, h] = rotate(x[b, :, h], c[b], s[b], layout, 0)
    return y


def dump(x, y, cos, sin, ids=None, shape=None):
    arrays = {"input": x.reshape(shape or x.shape), "output": y.reshape(shape or y.shape),
              "cos_cache": cos, "sin_cache": sin}
    return arrays if ids is None else {**arrays, "position_ids": ids}


def cases():
    for layout in "half", "interleaved":
        for pairs in LANES // 2, LANES // 4:
            x = random(BATCH, LENGTH, HEADS, LANES)
            cos, sin = random(ROWS, pairs), random(ROWS, pairs)
            c, s = cos[IDS], sin[IDS]
            right = applied(x, c, s, layout)
            flag = ["--layout", layout]
            yield "right", dump(x, right, cos, sin, IDS), [], ""
            yield "right, layout given", dump(x, right, cos, sin, IDS), flag, ""
            fused = (BATCH, LENGTH, HEADS * LANES)
            yield "fused", dump(x, right, cos, sin, IDS, fused), ["--dim", str(LANES)], ""
            if pairs == LANES // 2:
                yield "fused, as wide as the table", dump(x, right, cos, sin, IDS, fused), [], ""
            own_c, own_s = random(BATCH, LENGTH, pairs), random(BATCH, LENGTH, pairs)
            yield ("a row for each token",
                   dump(x, applied(x, own_c, own_s, layout), own_c, own_s, shape=x.shape), ["--axes", "bshd"], "")
            # no rotation, so that nothing but the table's rows tells which axis is the sequence
            own_c, own_s = random(1, LENGTH, pairs), random(1, LENGTH, pairs)
            y = applied(x, own_c.repeat(BATCH, 0), own_s.repeat(BATCH, 0), layout)
            yield "a row for each position", dump(x, y, own_c[0], own_s[0]), flag, ""
            yield ("a row for each position, heads first",
                   dump(x.swapaxes(1, 2), y.swapaxes(1, 2), own_c[0], own_s[0]), flag, "")
            other = "interleaved" if layout == "half" else "half"
            yield "other layout", dump(x, right, cos, sin, IDS), ["--layout", other], "pair-layout"
            k = random(BATCH, LENGTH, HEADS, LANES)
            for of_k in layout, other:
                both = {"q": x, "q_rot": right, "k": k, "k_rot": applied(k, c, s, of_k), "cos_cache": cos,
                        "sin_cache": sin, "position_ids": IDS}
                yield f"q {layout}, k {of_k}", both, [], "" if of_k == layout else "pair-layout"
            yield "sin negated", dump(x, applied(x, c, -s, layout), cos, sin, IDS), flag, "direction"
            yield "swapped", dump(x, applied(x, s, c, layout), cos, sin, IDS), flag, "cos-sin-swapped"
            yield ("row numbers", dump(x, applied(x, cos[None, :LENGTH].repeat(BATCH, 0),
                                                  sin[None, :LENGTH].repeat(BATCH, 0), layout), cos, sin, IDS),
                   flag, "position-source")
            yield ("next row", dump(x, applied(x, cos[IDS + 1], sin[IDS + 1], layout), cos, sin, IDS),
                   flag, "position-offset 1")
            yield ("previous row", dump(x, applied(x, cos[IDS - 1], sin[IDS - 1], layout), cos, sin, IDS),
                   flag, "position-offset -1")
            bent = right.copy()
            bent[1, 2, 1, 0] += 1e-3
            yield "one value", dump(x, bent, cos, sin, IDS), flag, "nothing"


def told(mistake):
    """Its id, its offset, and what it lacks."""
    offset = mistake["parameters"].get("offset")
    return (mistake["mistake"] + (f" {offset:g}" if offset else "") +
            ("" if mistake["advice"] else " without advice"))


def judge(compare, case):
    name, arrays, flags, want = case
    ran = compare(arrays, "--table", *flags)
    if ran.stdout:
        report = json.loads(ran.stdout)
        names = [told(one) for part in report.get("reports", [report]) for one in part["diagnosis"]]
        got = ",".join(names) or ("nothing" if ran.returncode == 1 else "")
    else:
        got = ran.stderr.strip()
    return None if got == want else f"{name}: want '{want}', got '{got}'"


if __name__ == "__main__":
    run(cases(), judge, "checked rightly")
