#!/usr/bin/env python3
"""compare of videos between text, as Qwen2.5-VL numbers them, whose frames are for other times.

usage: video_times.py ROPE_CHECK    prints each that is named otherwise; exit 1 if any
"""
import numpy as np

from axes import interleaved, sectioned
from compared import judge_words, run, vectors
from rotary import inv_freq, several_axes

FRAMES, HEIGHT, WIDTH = 6, 6, 8
ONE_BY_ONE = "a video's frames are numbered one by one, not by their time"
BEHIND = ONE_BY_ONE + ", and the ids behind it go on from there"
FIRST = "all frames of a video have the time of the first one"


def ids(steps, text=20):
    """Time, height and width of text and a video for each step, whose frames are as far apart, and text."""
    parts, first = [], 0
    for step in steps:
        parts.append(np.tile(first + np.arange(text), (3, 1)))
        frame, down, across = np.unravel_index(np.arange(FRAMES * HEIGHT * WIDTH), (FRAMES, HEIGHT, WIDTH))
        parts.append(first + text + np.stack([frame * step, down, across]))
        first = parts[-1].max() + 1
    return np.concatenate([*parts, np.tile(first + np.arange(text), (3, 1))], 1)


def with_times(given, times):
    return np.concatenate([times[:1], given[1:]])


def cases():
    """Name, arrays, flags, and what is said."""
    models = {"Qwen2.5-VL": (1e6, "sectioned", (16, 24, 24), sectioned((16, 24, 24))),
              "Qwen3-VL": (5e6, "interleaved", (24, 20, 20), interleaved((24, 20, 20), 64))}
    for name, (base, scheme, sections, axis) in models.items():
        flags = ["--dim", "128", "--base", repr(base), "--axis-map", scheme, "--mrope-section",
                 ",".join(map(str, sections)), "--axes", "bhsd"]
        for fmt in "float32", "bfloat16", "float16":
            for steps in [2], [5], [2, 4]:
                given, ones = ids(steps), ids([1] * len(steps))
                for said, used, own_base in (
                        ([], given, base), ([BEHIND], ones, base),
                        ([BEHIND, f"rope_theta is 10000, not {int(base)}"], ones, 1e4)):
                    rows = several_axes(inv_freq(128, own_base), axis, used)
                    yield f"{name}, {fmt}, {steps}: {said}", vectors(fmt, rows) | {"position_ids": given}, flags, said
                if len(steps) > 1:
                    continue
                in_video = np.arange(given.shape[1]) - 20
                in_video = (in_video >= 0) & (in_video < FRAMES * HEIGHT * WIDTH)
                for said, times in (ONE_BY_ONE, np.where(in_video, ones, given)), (FIRST, np.where(in_video, 20, given)):
                    rows = several_axes(inv_freq(128, base), axis, with_times(given, times))
                    yield (f"{name}, {fmt}, {steps}: {said}", vectors(fmt, rows) | {"position_ids": given}, flags, [said])


if __name__ == "__main__":
    run(cases(), judge_words("video"), "are named by the times of a video's frames")
