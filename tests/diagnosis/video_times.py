#!/usr/bin/env python3
"""compare of images and videos between text, as Qwen2.5-VL numbers them, whose frames are for other times.

usage: video_times.py ROPE_CHECK    prints each that is named otherwise; exit 1 if any
"""
import numpy as np

from axes import interleaved, sectioned
from compared import judge_words, run, vectors
from rotary import ROUND, inv_freq, several_axes

FRAMES, HEIGHT, WIDTH = 6, 6, 8
ONE_BY_ONE = "a video's frames are numbered one by one, not by their time"
BEHIND = ONE_BY_ONE + ", and the ids behind it go on from there"
FIRST = "all frames of a video have the time of the first one"


def ids(steps, text=20, frames=FRAMES):
    """Time, height and width of text and a video for each step, whose frames are as far apart, and text."""
    parts, first = [], 0
    for step in steps:
        parts.append(np.tile(first + np.arange(text), (3, 1)))
        frame, down, across = np.unravel_index(np.arange(frames * HEIGHT * WIDTH), (frames, HEIGHT, WIDTH))
        parts.append(first + text + np.stack([np.int64(frame * step), down, across]))
        first = parts[-1].max() + 1
    return np.concatenate([*parts, np.tile(first + np.arange(text), (3, 1))], 1)


def with_times(given, times):
    return np.concatenate([times[:1], given[1:]])


def in_first(given, image, text):
    """A time for rows of the first image, another for all others."""
    rows = np.arange(given.shape[1]) - 20
    return np.where((rows >= 0) & (rows < len(rows) - 40), image, text)[None]


def other_times():
    """What is said, the ids of the file, and those of the rows."""
    for step, used, said in (2, 3, "3 apart, not 2"), (3, 2, "2 apart, not 3"), (50, 25, "25 apart, not 50"), \
            (2.5, 2, "2 apart, not 2.5"), (2, 2.5, "2.5 apart, not 2"):
        said, given, other = f"a video's frames are {said}", ids([step]), ids([used])
        yield said + ", and the ids behind it go on from there", given, other
        yield said, given, with_times(given, in_first(given, other[0], given[0]))
    two = ids([2, 4])
    yield "a video's frames are 3 apart, not as far as their ids, and the ids behind it go on from there", two, ids([3, 3])
    start = "an image's time is 4 times its first id, not that id"  # huggingface/transformers#45325, #45381
    given = ids([0], frames=1)
    yield start, given, with_times(given, in_first(given, 80, given[0]))
    given = ids([2])
    yield start + ", in every frame", given, with_times(given, in_first(given, 80, given[0]))
    yield start, given, with_times(given, in_first(given, given[0] + 60, given[0]))
    yield "a video's frames are 2.5 apart, not 2", ids([2], text=0), ids([2.5], text=0)


def cases():
    """Name, arrays, flags, and what is said."""
    models = {"Qwen2.5-VL": (1e6, "sectioned", (16, 24, 24), sectioned((16, 24, 24))),
              "Qwen3-VL": (5e6, "interleaved", (24, 20, 20), interleaved((24, 20, 20), 64))}
    for name, (base, scheme, sections, axis) in models.items():
        flags = ["--dim", "128", "--base", repr(base), "--rope", f"axes={scheme},mrope_section=" + ",".join(map(str, sections)), "--axes", "bhsd"]
        for fmt in "float32", "bfloat16", "float16":
            for said, given, used in other_times() if fmt != "float16" else ():
                for own_base, layout, beside in ((base, "half", []), (29000.0, "half", [f"rope_theta is 29000, not {int(base)}"]),
                                                 (base, "interleaved", ["pairs are interleaved, not half_split"])):
                    if beside and (fmt != "float32" or own_base != base and "behind" in said):
                        continue  # no axis tells a base where all are moved
                    rows = several_axes(inv_freq(128, own_base), axis, used)
                    yield (f"{name}, {fmt}: {said}, {beside}", vectors(fmt, rows, layout, heads=1) | {"position_ids": given},
                           flags, [said, *beside])
            if fmt != "float32":
                said, given, used = next(other_times())
                rows = [np.float32(ROUND[fmt](part)) for part in several_axes(inv_freq(128, base), axis, used)]
                yield (f"{name}, a table of {fmt}: {said}", dict(zip(("cos", "sin"), rows), position_ids=given), flags[:-2],
                       [said, f"cos and sin were rounded to {fmt} and stored as float32"])
            for steps in [2], [5], [2, 4]:
                given, ones = ids(steps), ids([1] * len(steps))
                for said, used, own_base in (
                        ([], given, base), ([BEHIND], ones, base),
                        ([BEHIND, f"rope_theta is 10000, not {int(base)}"], ones, 1e4)):
                    rows = several_axes(inv_freq(128, own_base), axis, used)
                    yield f"{name}, {fmt}, {steps}: {said}", vectors(fmt, rows) | {"position_ids": given}, flags, said
                if len(steps) > 1:
                    continue
                for said, times in (ONE_BY_ONE, in_first(given, ones[0], given[0])), (FIRST, in_first(given, 20, given[0])):
                    rows = several_axes(inv_freq(128, base), axis, with_times(given, times))
                    yield (f"{name}, {fmt}, {steps}: {said}", vectors(fmt, rows) | {"position_ids": given}, flags, [said])


if __name__ == "__main__":
    run(cases(), judge_words("frame"), "are named by the times of a video's frames")
