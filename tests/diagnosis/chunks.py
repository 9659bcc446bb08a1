#!/usr/bin/env python3
"""compare of rows that NumPy rotated chunk by chunk, as a prefill does, where each chunk's positions are further off
than the last one's (mlx-node/mlx-node#33).

usage: chunks.py ROPE_CHECK    prints each that is named otherwise; exit 1 if any
"""
import numpy as np

from compared import judge_words, run, vectors
from rotary import inv_freq, table


def at(fmt, positions, layout="half"):
    return vectors(fmt, table(inv_freq(128), positions), layout)


def off(rows, step, gain):
    m = np.arange(rows)
    return m + gain * (m // step)


def twice(step):
    return f"the start of each chunk of {step} positions is added twice: {step} becomes {2 * step}, {2 * step} becomes {4 * step}"


def more(step, gain):
    return (f"each chunk of {step} positions {'loses' if gain < 0 else 'gains'} {abs(gain)} more than the one before it: "
            f"{step} becomes {step + gain}, {2 * step} becomes {2 * (step + gain)}")


def cases():
    """Name, arrays, flags, and what is said."""
    flags = ["--dim", "128", "--axes", "bhsd"]
    for fmt in "float32", "bfloat16", "float16":
        for rows, step in (256, 64), (300, 128), (512, 100), (700, 32), (2000, 512):
            yield f"{fmt}: {step} twice, {rows}", at(fmt, off(rows, step, step)), flags, [twice(step)]
        for step, gain in (128, 1), (128, -1), (64, 4), (100, -2):
            yield f"{fmt}: {step} by {gain}", at(fmt, off(600, step, gain)), flags, [more(step, gain)]
        c, s = table(inv_freq(128), off(400, 64, 64))
        yield f"{fmt}: a table", {"cos": np.float32(c), "sin": np.float32(s)}, ["--dim", "128"], [twice(64)]
        yield (f"{fmt}: interleaved", at(fmt, off(400, 64, 64), "interleaved"),
               [*flags, "--layout", "interleaved"], [twice(64)])
        yield f"{fmt}: in order", at(fmt, off(400, 64, 0)), flags, []
        yield (f"{fmt}: two chunks", at(fmt, off(120, 64, 64)), flags,
               ["from position 64 on, every row is for position m + 64, not m"])
        any_gain = np.arange(512) + np.repeat(np.cumsum([0, 5, 1, 9, 2, 30, 4, 11]), 64)
        yield f"{fmt}: any gains", at(fmt, any_gain), flags, None


if __name__ == "__main__":
    run(cases(), judge_words("chunk"), "are named as chunks that are further and further off")
