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
    for first in 40, 44:
        for how, arrays in stored(*table(still(5e5, first)), False):
            yield (f"pairs {first} to 63 stand still, {how}", arrays, ["--base", "500000", "--pipeline", "bf16-table"],
                   [f"rotary-dim partial_rotary_factor={first / 64:.4g}"])
    for first in range(54, 63):
        cos, sin = table(still(5e5, first))
        yield (f"pairs {first} to 63 stand still, float16", {"cos": cos.astype(np.float16), "sin": sin.astype(np.float16)},
               ["--base", "500000", "--pipeline", "fp16-table"], ["rotary-dim"])
    # a rounding that the pipeline does not allow is still one
    cos, sin = table(inv_freq(WIDTH, 5e5))
    for pipeline in "hf-fp32", "fp16-table":
        yield ("bfloat16 by another pipeline", {"cos": bf16(cos), "sin": bf16(sin)},
               ["--base", "500000", "--pipeline", pipeline], ["table-precision format=bfloat16"])


    yield from overflowed()


def overflowed():
    """1/∞, from some pair on: of no law, and named whichever pair it is."""
    for first in 1, 2, 20, 33, 60:
        theta = still(1e6, first)
        cos, sin = table(theta)
        for how, arrays in (("table", {"cos": cos, "sin": sin}), ("vectors", vectors(cos, sin)),
                            ("inv_freq", {"inv_freq": theta})):
            yield (f"inv_freq 0 from pair {first} on, {how}", arrays, ["--base", "1000000", "--max-position", "4096"],
                   [f"rotary-dim partial_rotary_factor={first / 64:.4g}"])
    # by no rule: pairs that turn are not those that stand still, and two of them are of no law
    theta = still(1e6, 1)
    theta[3::5] = 0.3
    theta[3] = 0.7
    cos, sin = table(theta)
    yield ("by no rule", {"cos": cos, "sin": sin}, ["--base", "1000000"], [],
           "14 of 64 pairs rotate at a constant rate", "too little for a value to show, or not at all")
    theta[8::5] = 0
    cos, sin = table(theta)
    yield ("two pairs turn", {"cos": cos, "sin": sin}, ["--base", "1000000"], [],
           "2 of 64 pairs rotate at a constant rate", "!the nearest power law")


def told(mistake):
    values = {key: value if isinstance(value, str) else f"{value:.4g}" for key, value in mistake["parameters"].items()}
    return " ".join([mistake["mistake"]] + [f"{key}={value}" for key, value in values.items()])


def are_same(names, want):
    """A rotary-dim alone is told by the turns' rates, without a number."""
    if want == ["rotary-dim"]:
        return len(names) == 1 and names[0].startswith("rotary-dim")
    return names == want


def judge(compare, case):
    name, arrays, flags, want, *words = case
    ran = compare(arrays, "--dim", str(WIDTH), *flags)
    if not ran.stdout:
        return f"{name}: {ran.stderr.strip()}"
    report = json.loads(ran.stdout)
    names = [told(one) for one in report["diagnosis"]]
    observed = " · ".join(report.get("facts", []))
    if ran.returncode == (1 if want or words else 0) and are_same(names, want):
        wrong = [one for one in words if (one.lstrip("!") in observed) == one.startswith("!")]
        return f"{name}: {wrong} of {observed}" if wrong else None
    return f"{name}, {' '.join(flags)}: exit {ran.returncode}, named {names}, want {want}"


if __name__ == "__main__":
    run(cases(), judge, "checked rightly")
