#!/usr/bin/env python3
"""compare of M-RoPE of a part of the head where another number of lanes rotates: transformers' and ggml's sections,
beside the right width and others (AI-Hypercomputer/maxtext#4616).

usage: widths_of_axes.py ROPE_CHECK    prints each that is named otherwise; exit 1 if any
"""
import numpy as np

from axes import interleaved, sectioned
from compared import judge_words, run, vectors
from image_orders import in_text, orders
from rotary import inv_freq, several_axes

BASE = 1e7
PLACES = in_text(orders(8, 10)["rows"])
TEXT = np.tile(np.arange(PLACES.shape[1]), (3, 1))


def table(width, axis, places, base=BASE):
    return several_axes(inv_freq(width, base), axis, places)


def whole(fmt, rows, layout="half", first=0):
    return vectors(fmt, rows, layout, first, head_dim=256)


def cases():
    """Name, arrays, flags, and what is said."""
    flags = ["--dim", "256", "--rotary-dim", "64", "--base", repr(BASE)]
    turns = [*flags, "--rope", "axes=interleaved,mrope_section=11,11,10"]
    sections = [*flags, "--rope", "axes=sectioned,mrope_section=8,12,12"]
    wide = "all 256 dimensions rotate, not the first 64"
    for fmt in "float32", "bfloat16", "float16":
        def case(name, arrays, spec, want, places=PLACES):
            axes = ["--axes", "bhsd"] if "q" in arrays else []
            return f"{fmt}: {name}", arrays | {"position_ids": places}, [*spec, *axes], want

        def in_turn(width, **more):
            return table(width, interleaved((11, 11, 10), width // 2), more.pop("places", PLACES), **more)

        yield case("right", whole(fmt, in_turn(64)), turns, [])
        yield case("whole head", whole(fmt, in_turn(256)), turns, [wide])
        yield case("text alone", whole(fmt, in_turn(256, places=TEXT)), turns, [wide], TEXT)
        yield case("interleaved pairs", whole(fmt, in_turn(256), "interleaved"), turns,
                   ["pairs are interleaved, not half_split", wide])
        yield case("other base", whole(fmt, in_turn(256, base=1e6)), turns,
                   ["rope_theta is 1000000, not 10000000", wide])
        for width in 128, 32, 16:
            yield case(f"first {width}", whole(fmt, in_turn(width)), turns,
                       [f"the first {width} dimensions rotate, not 64"])
        yield case("at the end", whole(fmt, in_turn(64), first=192), turns,
                   ["the last 64 dimensions rotate, not the first"])
        yield case("sections, right", whole(fmt, table(64, sectioned((8, 12, 12)), PLACES)), sections, [])
        yield case("sections of all", whole(fmt, table(256, sectioned((32, 48, 48)), PLACES)), sections, [wide])
        if fmt == "float32":
            c, s = np.float32(in_turn(256))
            yield case("a table", {"cos": c, "sin": s}, turns, ["the table is for rotary_dim 256, not 64"])
            yield case("frequencies", {"inv_freq": inv_freq(256, BASE)}, turns,
                       ["the frequencies are for rotary_dim 256, not 64"])


if __name__ == "__main__":
    run(cases(), judge_words("lanes"), "are named as rotating another part of the head")
