#!/usr/bin/env python3
"""compare of vectors that NumPy rotated twice, by half_split pairs and by interleaved ones: the model and its kernel
both rotate, and disagree (NVIDIA/TensorRT-LLM#16378).

usage: both_layouts.py ROPE_CHECK    prints each that is named otherwise; exit 1 if any
"""
import numpy as np

from compared import judge_words, run
from dumps import rng
from rotary import ROUND, inv_freq, rotate, table, yarn

LAYOUTS = {"half": "half_split", "interleaved": "interleaved"}


def vectors(fmt, first, then, positions, shape=(2, 3), lanes=64, rotary=None, theta=None, factor=1.0, late=0):
    """q of [entries, heads, rows, dimensions], the second rotation at positions of its own, `late` after the first's."""
    rotary, lower = rotary or lanes, ROUND[fmt]
    theta = inv_freq(rotary) if theta is None else theta
    x = lower(rng.standard_normal((*shape, len(positions), lanes)).astype(np.float32))

    def turn(y, layout, at):
        c, s = (np.float32(each * factor) for each in table(theta, at))
        y = y.copy()
        for entry in y.reshape(-1, len(positions), lanes):
            entry[:, :rotary] = lower(np.float32(rotate(entry[:, :rotary], c, s, layout)))
        return y

    y = turn(x, first, positions)
    return {"q": x, "q_rot": turn(y, then, positions + late) if then else y, "position_ids": positions}


def said(first, then):
    return f"every vector is rotated twice, first in {LAYOUTS[first]} pairs and then in {LAYOUTS[then]} ones"


def cases():
    """Name, arrays, flags, and what is said."""
    flags = ["--dim", "64", "--axes", "bhsd"]
    for fmt in "float32", "bfloat16", "float16":
        for first, then in ("half", "interleaved"), ("interleaved", "half"):
            want = [said(first, then)]
            for asked in LAYOUTS:
                yield (f"{fmt}: {first}, {then}, asked {asked}", vectors(fmt, first, then, np.arange(120)),
                       [*flags, "--layout", LAYOUTS[asked]], want)
            yield f"{fmt}: {first}, {then}, late", vectors(fmt, first, then, np.arange(5000, 5100)), flags, want
            yield f"{fmt}: {first}, {then}, short", vectors(fmt, first, then, np.arange(6)), flags, want
            yield (f"{fmt}: {first}, {then}, partial", vectors(fmt, first, then, np.arange(100), rotary=32),
                   [*flags, "--rotary-dim", "32"], want)
            theta = yarn(64, 150000.0, 32, 4096, truncate=False)
            yield (f"{fmt}: {first}, {then}, yarn",
                   vectors(fmt, first, then, np.arange(200), theta=theta, factor=0.1 * np.log(32) + 1),
                   [*flags, "--base", "150000", "--rope", "rope_type=yarn,factor=32,original_max_position_embeddings=4096,truncate=false"], want)
        yield (f"{fmt}: an offset in the second", vectors(fmt, "interleaved", "half", np.arange(100), late=5), flags,
               [said("interleaved", "half"), "every row is for position m + 5, not m"])
        yield f"{fmt}: once", vectors(fmt, "half", None, np.arange(100)), flags, []
        yield f"{fmt}: by another base", vectors(fmt, "interleaved", "half", np.arange(100),
                                                 theta=inv_freq(64, 5e5)), flags, None
        yield f"{fmt}: in one layout", vectors(fmt, "half", "half", np.arange(100)), flags, None


if __name__ == "__main__":
    run(cases(), judge_words("rotated twice, first"), "are named as rotated in both layouts")
