#!/usr/bin/env python3
"""compare over tables whose slow pairs stand still, or turn at another rate, by the pipeline that
rounded them: bfloat16 as NumPy stores it, in float32, is judged as bfloat16.

usage: still_pairs.py ROPE_CHECK    prints each case that is judged otherwise; exit 1 if any
"""
import json

import numpy as np

from compared import run
from dumps import rng
from rotary import bf16, inv_freq, rotate

WIDTH, ROWS = 128, 64


def still(base, first):
    theta = inv_freq(WIDTH, base)
    theta[first:] = 0
    return theta


def times(base, pair, factor):
    theta = inv_freq(WIDTH, base)
    theta[pair] *= factor
    return theta


def table(theta, rows=ROWS):
    angle = np.arange(rows, dtype=np.float32)[:, None] * theta
    return np.cos(angle), np.sin(angle)


def bits(x):
    return (bf16(x).view(np.uint32) >> 16).astype(np.uint16)


def vectors(cos, sin):
    q = rng.standard_normal((len(cos), WIDTH)).astype(np.float32)
    return {"q": q, "q_rot": rotate(q, cos, sin, "half", 0).astype(np.float32)}


def stored(cos, sin, fused):
    """The same bfloat16 numbers, in float32 and as such, and what float32 rotates by them."""
    yield "vectors", vectors(bf16(cos), bf16(sin))
    columns = {"cos_sin_cache": np.concatenate([cos, sin], -1)} if fused else {"cos": cos, "sin": sin}
    yield "in float32", {name: bf16(x) for name, x in columns.items()}
    yield "as bfloat16", {name + "__bf16bits": bits(x) for name, x in columns.items()}


def cases():
    for pipeline in "bf16-table", "vllm-bf16-cache":
        for name, theta, want in (
                ("right", inv_freq(WIDTH, 5e5), []),
                ("pairs 48 to 63 stand still", still(5e5, 48), ["rotary-dim partial_rotary_factor=0.75"]),
                ("pairs 52 to 63 stand still", still(5e5, 52), ["rotary-dim"]),
                ("pair 50 at 3 times its rate", times(5e5, 50, 3),
                 ["inv-freq-entry pair=50 inv_freq=0.0001059"]),
                ("positions twice", 2 * inv_freq(WIDTH, 5e5), ["position-scale scale=2"]),
                ("base 520000", inv_freq(WIDTH, 520000), ["base rope_theta=5.2e+05"])):
            for how, arrays in stored(*table(theta), pipeline == "vllm-bf16-cache"):
                yield f"{name}, {how}", arrays, ["--base", "500000", "--pipeline", pipeline], want
    # a rounding that the pipeline does not allow is still one
    cos, sin = table(inv_freq(WIDTH, 5e5))
    for pipeline in "hf-fp32", "fp16-table":
        yield ("bfloat16 by another pipeline", {"cos": bf16(cos), "sin": bf16(sin)},
               ["--base", "500000", "--pipeline", pipeline], ["table-precision format=bfloat16"])


def told(mistake):
    values = {key: value if isinstance(value, str) else f"{value:.4g}" for key, value in mistake["parameters"].items()}
    return " ".join([mistake["mistake"]] + [f"{key}={value}" for key, value in values.items()])


def judge(compare, case):
    name, arrays, flags, want = case
    ran = compare(arrays, "--dim", str(WIDTH), *flags)
    if not ran.stdout:
        return f"{name}: {ran.stderr.strip()}"
    names = [told(one) for one in json.loads(ran.stdout)["diagnosis"]]
    if ran.returncode == (1 if want else 0) and names == want:
        return None
    return f"{name}, {' '.join(flags)}: exit {ran.returncode}, named {names}, want {want}"


if __name__ == "__main__":
    run(cases(), judge, "judged rightly")
