#!/usr/bin/env python3
"""compare of images whose ids are those of tokens in another order: row by row where patches are merged in blocks of
2 × 2 (Qwen2-VL's vision), and the other way round, column by column, or divided by the height.

usage: image_orders.py ROPE_CHECK    prints each that is named otherwise; exit 1 if any
"""
import numpy as np

from axes import interleaved, sectioned
from compared import judge_words, run, vectors
from rotary import inv_freq, several_axes

WORDS = {
    "rows": "an image's ids count row by row, but its tokens are in another order",
    "columns": "an image's ids count down its columns, but its tokens are in another order",
    "blocks": "an image's ids count blocks of 2 × 2, as patches are merged, but its tokens are in another order",
    "height": "an image's token t has the ids (t div height, t mod height): it is divided by the height, not the width",
}


def orders(height, width):
    """Down and across of each token."""
    t = np.arange(height * width)
    rows = np.stack(np.divmod(t, width))
    merged = t.reshape(height // 2, 2, width // 2, 2).transpose(0, 2, 1, 3).ravel()
    return {"rows": rows, "columns": np.stack(np.divmod(t, height))[::-1], "blocks": rows[:, merged],
            "height": np.stack(np.divmod(t, height))}


def halves(lanes, places, base=10000.0):
    """Each axis has half of the pairs and frequencies of its own."""
    theta = inv_freq(lanes // 2, base)
    return several_axes(np.tile(theta, 2), np.repeat((0, 1), len(theta)), places)


def in_text(ids):
    """Time, height and width of 20 tokens of text, the image and 30 of text."""
    image = np.stack([np.zeros(ids.shape[1], int), *ids]) + 20
    after = image.max() + 1 + np.arange(30)
    return np.concatenate([np.tile(np.arange(20), (3, 1)), image, np.tile(after, (3, 1))], 1)


def two_images(first, second):
    ids = in_text(first)
    return np.concatenate([ids, ids.max() + 1 + in_text(second)], 1)


def cases():
    """Name, arrays, flags, and what is said."""
    vision = ["--dim", "80", "--rope", "axes=axial"]
    text = ["--dim", "128", "--base", "1000000.0", "--rope", "axes=sectioned,mrope_section=16,24,24"]
    turns = [*text[:4], "--rope", "axes=interleaved,mrope_section=24,20,20"]
    bhsd = ["--axes", "bhsd"]
    for fmt in "float32", "bfloat16", "float16":
        for height, width in (12, 16), (16, 8), (14, 22):
            ids = orders(height, width)
            for given, used in (("rows", "rows"), ("rows", "columns"), ("rows", "blocks"), ("rows", "height"),
                                ("blocks", "rows"), ("blocks", "columns"), ("blocks", "blocks")):
                said = [] if given == used else [WORDS[used]]
                name = f"{fmt}, {height} × {width}: {used} for {given}"
                yield (name, vectors(fmt, halves(80, ids[used])) | {"position_ids": ids[given]}, [*vision, *bhsd], said)
                if given != "rows":
                    continue
                for flags, axis in (text, sectioned((16, 24, 24))), (turns, interleaved((24, 20, 20), 64)):
                    rows = several_axes(inv_freq(128, 1e6), axis, in_text(ids[used]))
                    yield (f"{name}, in text", vectors(fmt, rows) | {"position_ids": in_text(ids["rows"])},
                           [*flags, *bhsd], said)
        small, large = orders(6, 10), orders(8, 8)
        rows = several_axes(inv_freq(128, 1e6), sectioned((16, 24, 24)), two_images(small["columns"], large["columns"]))
        yield (f"{fmt}: two images", vectors(fmt, rows) | {"position_ids": two_images(small["rows"], large["rows"])},
               [*text, *bhsd], [WORDS["columns"]])
        rows = halves(80, orders(12, 16)["rows"])
        yield (f"{fmt}: other layout", vectors(fmt, rows, "interleaved") | {"position_ids": orders(12, 16)["blocks"]},
               [*vision, *bhsd], ["pairs are interleaved, not half_split", WORDS["rows"]])
        merged = {"position_ids": orders(12, 16)["blocks"]}
        rows, one = orders(12, 16)["rows"], "every row is for position m + 1, not m, where m is that id"
        swapped, other_base = "axes are taken in the order 1, 0", "rope_theta is 100000, not 10000"
        for places, base, said in ((rows, 1e5, [other_base]), (rows + 1, 1e4, [one]), (rows[::-1], 1e4, [swapped]),
                                   (rows[::-1], 1e5, [swapped, other_base]), (rows[::-1] + 1, 1e4, [swapped, one])):
            yield (f"{fmt}: rows for blocks, {said}", vectors(fmt, halves(80, places, base)) | merged, [*vision, *bhsd],
                   [WORDS["rows"], *said])
        square = orders(12, 12)
        yield (f"{fmt}: square", vectors(fmt, halves(80, square["height"])) | {"position_ids": square["rows"]},
               [*vision, *bhsd], [])
    c, s = halves(80, orders(12, 16)["rows"])
    yield ("a table", {"cos": np.float32(c), "sin": np.float32(s), "position_ids": orders(12, 16)["blocks"]}, vision,
           [WORDS["rows"]])


if __name__ == "__main__":
    run(cases(), judge_words("image"), "are named by the order of an image's tokens")
