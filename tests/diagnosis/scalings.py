"""Scaling by parts (llama3, yarn) with another blend, other bounds or other scaled frequencies, each with the right twin."""
import math

import numpy as np

from compared import Case
from rotary import POSITIONS, blend_llama3, blend_yarn, cos_sin, exact, table, vectors

LLAMA3 = {"rope_type": "llama3", "factor": 8, "low_freq_factor": 1, "high_freq_factor": 4,
          "original_max_position_embeddings": 8192}
YARN = {"rope_type": "yarn", "factor": 16, "original_max_position_embeddings": 4096, "attention_factor": 1}


def flags(dims, base, layout, rope):
    return ["--dim", str(dims), "--base", str(base), "--layout", layout, "--max-position", "131072",
            "--rope", ",".join(f"{key}={value}" for key, value in rope.items())]


def clipped(part):
    return np.clip(part, 0, 1)


def llama3_weights(theta, over=lambda turns: turns, low=1, high=4):
    turns = 8192 * theta / (2 * math.pi)
    return clipped((over(high) - over(turns)) / (over(high) - over(low)))


def yarn_ramp(dims, base, ends=(math.floor, math.ceil), most=None, by=1):
    corr = lambda beta: dims * math.log(4096 / (beta * 2 * math.pi)) / (2 * math.log(base))
    low, high = (end(corr(beta)) * by for end, beta in zip(ends, (32, 1)))
    return clipped((np.arange(dims // 2) - max(low, 0)) / (min(high, most or dims) - max(low, 0)))


def between(weights):
    return np.where((weights > 0) & (weights < 1), 1 - weights, weights)


def blended(theta, weights, divided):
    return theta * (1 - weights) + divided(theta) * weights


def of_llama3(dims, base):
    """Name, frequencies and the parameters of the mistake."""
    theta = exact(dims, base)
    right = llama3_weights(theta)
    by = lambda weights: blended(theta, weights, lambda t: t / 8)
    lengths = lambda weights: 1 / (1 / theta * (1 - weights) + 8 / theta * weights)
    yield "right", by(right), None
    yield "inverted", by(1 - right), {"ramp": "inverted"}
    yield "smooth exchanged", by(between(right)), {"ramp": "exchanged"}
    wave = llama3_weights(theta, lambda turns: 1 / turns)
    yield "over wavelengths", by(wave), {"ramp": "over wavelengths"}
    yield "over the pair index", by(llama3_weights(theta, np.log)), {"ramp": "over the pair index"}
    yield "blended wavelengths", lengths(right), {"ramp": "of wavelengths"}
    yield "mlx-examples#907", lengths(between(wave)), {"ramp": "over wavelengths and exchanged and of wavelengths"}
    yield "bounds exchanged, divided first", blend_llama3(theta, 8, 4, 4, 8192), {"low_freq_factor": 4, "high_freq_factor": 4}
    yield "bounds exchanged, kept first", blend_llama3(theta, 8, 1, 1, 8192), {"low_freq_factor": 1, "high_freq_factor": 1}
    yield "reciprocal bound", blend_llama3(theta, 8, .25, .25, 8192), {"low_freq_factor": .25, "high_freq_factor": .25}
    yield "without 2π", blend_llama3(theta * 2 * math.pi, 8, 1, 4, 8192) / (2 * math.pi), {"low_freq_factor": 1 / (2 * math.pi)}
    yield "1/(factor·θ)", blended(theta, right, lambda t: 1 / (8 * t)), {"divided": "1/(factor·θ)"}
    yield "factor·θ", blended(theta, right, lambda t: 8 * t), {"divided": "factor·θ"}


def of_yarn(dims, base):
    theta = exact(dims, base)
    by = lambda weights: blended(theta, weights, lambda t: t / 16)
    right = yarn_ramp(dims, base)
    yield "right", blend_yarn(theta, dims, base, 16, 4096), None
    yield "inverted", by(1 - right), {"ramp": "inverted"}
    yield "smooth exchanged", by(between(right)), {"ramp": "exchanged"}
    turns = 4096 * theta / (2 * math.pi)
    yield "over turns", by(clipped((32 - turns) / 31)), {"ramp": "over turns"}
    yield "over wavelengths", by(clipped((1 / turns - 1 / 32) / (1 - 1 / 32))), {"ramp": "over wavelengths"}
    yield "blended wavelengths", 1 / (1 / theta * (1 - right) + 16 / theta * right), {"ramp": "of wavelengths"}
    yield "blended logarithms", theta * 16. ** -right, {"ramp": "of logarithms"}
    yield "betas exchanged", blend_yarn(theta, dims, base, 16, 4096, 1, 32), {"beta_fast": 1, "beta_slow": 32}
    yield "1/(factor·θ)", blended(theta, right, lambda t: 1 / (16 * t)), {"divided": "1/(factor·θ)"}
    yield "factor·θ", blended(theta, right, lambda t: 16 * t), {"divided": "factor·θ"}
    in_base = lambda t: t ** (1 + math.log(16) / math.log(base))
    yield "factor in the base", blended(theta, right, in_base), {"divided": "(factor·rope_theta)^(−2i/d)"}
    yield ("factor in the base, ends not rounded", blended(theta, yarn_ramp(dims, base, (float, float)), in_base),
           {"divided": "(factor·rope_theta)^(−2i/d)", "truncate": "false"})
    for how, ends in (("both rounded down", (math.floor, math.floor)), ("both rounded up", (math.ceil, math.ceil)),
                      ("rounded inwards", (math.ceil, math.floor))):
        yield how, by(yarn_ramp(dims, base, ends)), {"bounds": how}
    yield "of dimensions", by(yarn_ramp(dims, base, by=2)), {"bounds": "twice the right ones, as of dimensions"}
    yield "half", by(yarn_ramp(dims, base, by=.5)), {"bounds": "half the right ones"}
    yield "of another base", by(yarn_ramp(dims, 10000)), {"bounds": "those for rope_theta 10000"}
    yield "without 2π", blend_yarn(theta, dims, base, 16, 4096 * 2 * math.pi), {"beta_fast": 32 / (2 * math.pi)}


def ranges():
    """Only a range of pairs is multiplied, or rotates backwards; a single pair is a wrong entry."""
    for rope, theta in (["--rope", "rope_type=linear,factor=4"], exact(64, 10000) / 4), ([], exact(64, 10000)):
        for first, last, scale in (10, 31, .25), (0, 7, 2), (5, 20, .5), (8, 12, 1), (16, 31, -1), (4, 9, -1):
            own = np.where((np.arange(32) >= first) & (np.arange(32) <= last), scale, 1) * theta
            rows = table(own.astype(np.float32), np.arange(2000))
            pairs = {"pairs": f"{first}–{last}"}
            want = [] if scale == 1 else [("direction", pairs)] if scale == -1 else [("scaling-type", {**pairs, "scale": scale})]
            for layout, fmt in ("half", "float32"), ("interleaved", "float32"), ("half", "float16"), ("interleaved", "bfloat16"):
                if fmt != "float32" and last == 31:  # 16 bits leave the slowest pairs open
                    continue
                yield Case(f"pairs {first}–{last} times {scale}, {layout} {fmt}, {rope}", vectors(fmt, rows, layout),
                           ["--dim", "64", "--layout", layout, "--axes", "bhsd", *rope], want)


def of_few_tokens():
    """Another factor or length that hardly moves a 16-bit value, which the rates of slow pairs show."""
    llama3 = {**LLAMA3, "factor": 32}
    qwen3 = {**YARN, "factor": 4, "original_max_position_embeddings": 32768, "attention_factor": 1.1386294361119891}
    theta, theta_of_yarn = exact(64, 500000), exact(128, 1000000)
    of = "original_max_position_embeddings"
    for dims, base, rope, own, want in (
            (64, 500000, llama3, blend_llama3(theta, 32, 1, 4, 8192), None),
            (64, 500000, llama3, blend_llama3(theta, 8, 1, 4, 8192), {"factor": 8}),
            (64, 500000, llama3, blend_llama3(theta, 32, 1, 4, 131072), {of: 131072}),
            (64, 500000, llama3, theta, {"rope_type": "llama3"}),
            (128, 1000000, qwen3, blend_yarn(theta_of_yarn, 128, 1000000, 4, 32768), None),
            (128, 1000000, qwen3, blend_yarn(theta_of_yarn, 128, 1000000, 8, 32768), {"factor": 8}),
            (128, 1000000, qwen3, blend_yarn(theta_of_yarn, 128, 1000000, 4, 131072), {of: 131072}),
            (128, 1000000, qwen3, theta_of_yarn, {"rope_type": "yarn"})):
        for fmt in "bfloat16", "float16":
            for tokens in 100, 250:
                cos, sin = table(own.astype(np.float32), np.arange(tokens))
                factor = rope.get("attention_factor", 1)
                mistake = "scaling-missing" if want and "rope_type" in want else "scaling-parameter"
                yield Case(f"{rope['rope_type']} {want}, {tokens} tokens in {fmt}",
                           vectors(fmt, (cos * factor, sin * factor), heads=4),
                           [*flags(dims, base, "half", rope), "--axes", "bhsd"], [(mistake, want)] if want else [])


def cases():
    yield from ranges()
    yield from of_few_tokens()
    for of, dims, base, rope in ((of_llama3, 128, 500000, LLAMA3), (of_llama3, 64, 500000, LLAMA3),
                                 (of_yarn, 128, 1000000, YARN), (of_yarn, 64, 150000, YARN)):
        for name, theta, parameters in of(dims, base):
            # with bounds at whole pairs, a usual parameter may give the same frequencies, and is named first
            is_first = not (dims == 64 and name in ("both rounded up", "without 2π") and of == of_yarn)
            want = [("scaling-parameter", parameters if is_first else {})] if parameters else []
            also = "" if is_first else "{}={}".format(*next(iter(parameters.items())))[:18]
            rows = table(theta.astype(np.float32))
            name = f"{rope['rope_type']}, {dims}: {name}"
            yield Case(f"{name}, table", cos_sin(rows, position_ids=np.array(POSITIONS)),
                       flags(dims, base, "half", rope), want, expects=also)
            for layout, fmt in ("half", "bfloat16"), ("interleaved", "bfloat16"), ("interleaved", "float16"), ("half", "float32"):
                yield Case(f"{name}, {layout} {fmt}", vectors(fmt, rows, layout) | {"position_ids": np.array(POSITIONS)},
                           [*flags(dims, base, layout, rope), "--axes", "bhsd"], want, expects=also)
