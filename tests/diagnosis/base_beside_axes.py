#!/usr/bin/env python3
"""compare of several axes under another base that no config has, of which one axis is elsewhere too, or all are.

usage: base_beside_axes.py ROPE_CHECK    prints each that is named otherwise; exit 1 if any
"""
import numpy as np

from axes import interleaved, sectioned
from compared import judge_words, run, vectors
from image_orders import in_text, orders
from rotary import inv_freq, several_axes

AXES = ("axis 0 (time): ", "axis 1 (height): ", "axis 2 (width): ")
ROWS = "positions are row numbers of the sequence: position_ids are ignored"


def ladder(base, lanes, axis):
    return inv_freq(lanes, base)


def own_ladders(base, lanes, axis):
    """Each axis has frequencies of its own."""
    theta = np.zeros(lanes // 2, np.float32)
    for a in set(axis):
        of_axis = axis == a
        theta[of_axis] = inv_freq(2 * of_axis.sum(), base)
    return theta


def with_axis(ids, axis, own):
    return np.stack([own(row) if a == axis else row for a, row in enumerate(ids)])


def cases():
    """Name, arrays, flags, and what is said."""
    text, image = in_text(orders(12, 16)["rows"]), orders(10, 14)["rows"]
    halves = np.repeat((0, 1), 20)
    models = {
        "Qwen2.5-VL": (128, 1e6, 64, ("sectioned", "16,24,24"), ladder, sectioned((16, 24, 24)), text),
        "Qwen3-VL": (128, 5e6, 64, ("interleaved", "24,20,20"), ladder, interleaved((24, 20, 20), 64), text),
        "Wan": (128, 1e4, 64, ("blocks", "22,21,21"), own_ladders, sectioned((22, 21, 21)), text),
        "vision": (80, 1e4, 40, ("axial", None), own_ladders, halves, image)}
    for name, (lanes, base, pairs, (scheme, sections), theta, axis, ids) in models.items():
        flags = ["--dim", str(lanes), "--base", repr(base), "--rope", f"axes={scheme}", "--axes", "bhsd"]
        flags += ["--rope", f"mrope_section={sections}"] if sections else []
        labels = AXES if len(ids) > 2 else ("axis 0: ", "axis 1: ")
        last = len(ids) - 1
        for fmt in "float32", "bfloat16", "float16":
            if fmt == "bfloat16" and name == "Qwen2.5-VL":
                continue  # width's pairs turn by a few thousandths
            for own_base in 3 * base, 29000.0:
                for said, used in (
                        (f"{labels[last]}positions are multiplied by 2", with_axis(ids, last, lambda m: 2 * m)),
                        (f"{labels[0]}positions are multiplied by 3", with_axis(ids, 0, lambda m: 3 * m)),
                        (f"{labels[1]}every position beyond 6 is clamped to it",
                         with_axis(ids, 1, lambda m: np.minimum(m, 6))),
                        (ROWS, np.tile(np.arange(len(ids[0])), (len(ids), 1)))):
                    rows = several_axes(theta(own_base, lanes, axis), axis, used)
                    want = [said, f"rope_theta is {int(own_base)}, not {int(base)}"]
                    yield (f"{name}, {fmt}: {want}", vectors(fmt, rows, heads=1) | {"position_ids": ids}, flags, want)


if __name__ == "__main__":
    run(cases(), judge_words("axis"), "are named, the base and the axes")
