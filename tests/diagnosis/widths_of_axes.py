#!/usr/bin/env python3
"""compare of M-RoPE of a part of the head where another number of lanes rotates: transformers' and ggml's sections,
beside the right width and others (AI-Hypercomputer/maxtext#4616).

usage: widths_of_axes.py ROPE_CHECK    prints each that is named otherwise; exit 1 if any
"""
import numpy as np

from axes import interleaved, sectioned
from compared import judge_words, run
from dumps import rng
from rotary import ROUND, inv_freq, rotate, several_axes

ROWS, BASE = 160, 1e7


def image_between_text():
    """Time, height and width of 20 tokens of text, 8 × 10 of an image and text again."""
    ids = np.tile(np.arange(ROWS), (3, 1))
    ids[:, 20:100] = 20 + np.array([np.zeros(80, int), np.arange(80) // 10, np.arange(80) % 10])
    ids[:, 100:] = 30 + np.arange(ROWS - 100)
    return ids


PLACES = image_between_text()
TEXT = np.tile(np.arange(ROWS), (3, 1))


def table(width, axis, places, base=BASE):
    return several_axes(inv_freq(width, base), axis, places)


def vectors(fmt, rows, layout="half", first=0, head_dim=256, heads=2):
    """The width of `rows` rotates, from lane `first` on."""
    x = np.float32(ROUND[fmt](rng.standard_normal((1, heads, ROWS, head_dim)).astype(np.float32)))
    y = x.copy()
    lanes = slice(first, first + 2 * rows[0].shape[1])
    y[..., lanes] = [[rotate(head[:, lanes], *rows, layout) for head in x[0]]]
    return {"q": x, "q_rot": np.float32(ROUND[fmt](y.astype(np.float32)))}


def cases():
    """Name, arrays, flags, and what is said."""
    flags = ["--dim", "256", "--rotary-dim", "64", "--base", repr(BASE)]
    turns = [*flags, "--axis-map", "interleaved", "--mrope-section", "11,11,10"]
    sections = [*flags, "--axis-map", "sectioned", "--mrope-section", "8,12,12"]
    wide = "all 256 lanes rotate, not the first 64"
    for fmt in "float32", "bfloat16", "float16":
        def case(name, arrays, spec, want, places=PLACES):
            axes = ["--axes", "bhsd"] if "q" in arrays else []
            return f"{fmt}: {name}", arrays | {"position_ids": places}, [*spec, *axes], want

        def in_turn(width, **more):
            return table(width, interleaved((11, 11, 10), width // 2), more.pop("places", PLACES), **more)

        yield case("right", vectors(fmt, in_turn(64)), turns, [])
        yield case("whole head", vectors(fmt, in_turn(256)), turns, [wide])
        yield case("text alone", vectors(fmt, in_turn(256, places=TEXT)), turns, [wide], TEXT)
        yield case("interleaved pairs", vectors(fmt, in_turn(256), "interleaved"), turns,
                   ["pairs are interleaved, not half_split", wide])
        yield case("other base", vectors(fmt, in_turn(256, base=1e6)), turns,
                   ["rope_theta is 1000000, not 10000000", wide])
        for width in 128, 32, 16:
            yield case(f"first {width}", vectors(fmt, in_turn(width)), turns,
                       [f"the first {width} lanes rotate, not 64"])
        yield case("at the end", vectors(fmt, in_turn(64), first=192), turns,
                   ["the last 64 lanes rotate, not the first"])
        yield case("sections, right", vectors(fmt, table(64, sectioned((8, 12, 12)), PLACES)), sections, [])
        yield case("sections of all", vectors(fmt, table(256, sectioned((32, 48, 48)), PLACES)), sections, [wide])
        if fmt == "float32":
            c, s = np.float32(in_turn(256))
            yield case("a table", {"cos": c, "sin": s}, turns, ["the table is for rotary_dim 256, not 64"])
            yield case("frequencies", {"inv_freq": inv_freq(256, BASE)}, turns,
                       ["the frequencies are for rotary_dim 256, not 64"])


if __name__ == "__main__":
    run(cases(), judge_words("lanes"), "are named as rotating another part of the head")
