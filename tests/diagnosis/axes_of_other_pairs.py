#!/usr/bin/env python3
"""compare of M-RoPE whose pairs and axes are both others than the Spec's: the layout, or the part of the head, beside
the map of the axes, what these are given, or the base.

usage: axes_of_other_pairs.py ROPE_CHECK    prints each that is named otherwise; exit 1 if any
"""
import numpy as np

from axes import interleaved, sectioned
from compared import judge_words, run, vectors
from rotary import inv_freq, several_axes
from widths_of_axes import PLACES, TEXT

LAYOUT = "pairs are interleaved, not half_split"
MODELS = {  # head_dim, rotary_dim, base, the map and what it is given
    "Qwen2-VL": (128, 128, 1e6, "sectioned", (16, 24, 24)),
    "Qwen3-VL": (128, 128, 5e6, "interleaved", (24, 20, 20)),
    "Qwen3.5": (256, 64, 1e7, "interleaved", (11, 11, 10)),
}


def axes_of(scheme, sections, pairs):
    return sectioned(sections) if scheme == "sectioned" else interleaved(sections, pairs)


def others(scheme, axis, sections, pairs, base):
    """What is said beside the layout; axes, their ids and the base."""
    other = {"sectioned": "interleaved", "interleaved": "sectioned"}[scheme]
    yield "every pair follows axis 0", 0 * axis, PLACES, base
    yield "axes are taken in the order 0, 2, 1", np.array([0, 2, 1])[axis], PLACES, base
    yield f"the pairs' axes are {other}, not {scheme}", axes_of(other, sections, pairs), PLACES, base
    yield "positions are row numbers of the sequence: position_ids are ignored", axis, TEXT, base
    yield "rope_theta is 10000, not {}".format(int(base)), axis, PLACES, 1e4


def cases():
    """Name, arrays, flags, and what is said."""
    for name, (head_dim, width, base, scheme, sections) in MODELS.items():
        flags = ["--dim", str(head_dim), "--rotary-dim", str(width), "--base", repr(base), "--axes", "bhsd",
                 "--rope", f"axes={scheme},mrope_section=" + ",".join(map(str, sections))]
        for fmt in "float32", "bfloat16":
            def case(what, layout, pairs, axis, places, own_base, want):
                rows = several_axes(inv_freq(2 * pairs, own_base), axis, places)
                arrays = vectors(fmt, rows, layout, head_dim=head_dim) | {"position_ids": PLACES}
                return f"{name}, {fmt}: {what}", arrays, flags, want

            axis = axes_of(scheme, sections, width // 2)
            for what, own_axis, places, own_base in others(scheme, axis, sections, width // 2, base):
                yield case(what, "half", width // 2, own_axis, places, own_base, [what])
                yield case(f"layout, {what}", "interleaved", width // 2, own_axis, places, own_base, [LAYOUT, what])
                if width < head_dim and not what.startswith("the pairs' axes"):
                    all_axes = interleaved(sections, head_dim // 2) * (1 if any(own_axis) else 0)
                    if "order" in what:
                        all_axes = np.array([0, 2, 1])[all_axes]
                    yield case(f"width, {what}", "half", head_dim // 2, all_axes, places, own_base,
                               [f"all {head_dim} dimensions rotate, not the first {width}", what])


if __name__ == "__main__":
    run(cases(), judge_words("pairs"), "are named, the pairs and the axes")
