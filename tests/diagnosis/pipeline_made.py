#!/usr/bin/env python3
"""compare --pipeline chatglm-fp16 and tf32 over what NumPy computes as these do: right, and with
something else wrong.

usage: pipeline_made.py ROPE_CHECK    prints each case that is judged otherwise; exit 1 if any
"""
import json

import numpy as np

from compared import run
from dumps import rng
from rotary import ROUND, inv_freq, rotate

LENGTH, WIDTH = 2000, 64


def table(pipeline, base=10000):
    """cos and sin as ChatGLM-6B keeps them in float16, or of a TF32 matrix product in float32."""
    positions = np.arange(LENGTH, dtype=np.float32)
    if pipeline == "chatglm-fp16":
        angle = positions.astype(np.float16)[:, None] * inv_freq(WIDTH, base).astype(np.float16)
        kept = np.float16
    else:
        angle = np.outer(ROUND["tf32"](positions), ROUND["tf32"](inv_freq(WIDTH, base)))
        kept = np.float32
    angle = angle.astype(np.float64)
    return np.cos(angle).astype(kept), np.sin(angle).astype(kept)


def vectors(cos, sin):
    q = rng.standard_normal((LENGTH, WIDTH)).astype(cos.dtype)
    return {"q": q, "q_rot": rotate(q, cos, sin, "half", 0).astype(cos.dtype)}


def cases():
    for pipeline in "chatglm-fp16", "tf32":
        cos, sin = table(pipeline)
        yield "its own table", pipeline, {"cos": cos, "sin": sin}, (0, "")
        yield "its own vectors", pipeline, vectors(cos, sin), (0, "")
        yield "backwards", pipeline, vectors(cos, -sin), (1, "direction")
        yield "backwards as asked", pipeline, vectors(cos, -sin), (0, ""), "--rope", "direction=reverse"
        yield "forwards", pipeline, vectors(cos, sin), (1, "direction"), "--rope", "direction=reverse"
        ids = rng.integers(0, LENGTH, 100)
        yield "its own rows at ids", pipeline, {
            "cos": cos[ids], "sin": sin[ids], "position_ids": ids}, (0, "")
        bent = cos.copy()
        bent[1500, 3] += 0.01
        yield "one value", pipeline, {"cos": bent, "sin": sin}, (1, "")
        yield "other base", pipeline, dict(zip(("cos", "sin"), table(pipeline, 500000))), (1, "base")
        # TF32 holds these positions, so that its frequencies alone are off
        other, rounded = (("tf32", "angle-precision") if pipeline == "chatglm-fp16" else
                          ("chatglm-fp16", "inv-freq-precision"))
        yield "by another", other, {"cos": cos, "sin": sin}, (1, rounded)
        yield "other direction", pipeline, {"cos": cos, "sin": -sin}, (1, "direction")


def judge(compare, case):
    name, pipeline, arrays, (status, mistake), *flags = case
    ran = compare(arrays, "--dim", str(WIDTH), "--base", "10000", "--pipeline", pipeline, *flags)
    if not ran.stdout:
        return f"{name}: {ran.stderr.strip()}"
    names = [one["mistake"] for one in json.loads(ran.stdout)["diagnosis"]]
    if ran.returncode == status and (not mistake or mistake in names):
        return None
    return f"{name}, {pipeline}: exit {ran.returncode}, named {names}, want {status} {mistake}"


if __name__ == "__main__":
    run(cases(), judge, "checked rightly")
