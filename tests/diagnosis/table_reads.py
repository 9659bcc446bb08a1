#!/usr/bin/env python3
"""compare of vectors that NumPy turned by a table of cos and sin read at other places than it has them at.

usage: table_reads.py ROPE_CHECK    prints each that is named otherwise; exit 1 if any
"""
import json

import numpy as np

from compared import run
from dumps import rng
from rotary import ROUND, inv_freq, rotate

BASE = 1e6


def buffers(pairs, last):
    """The same table as rows of each order, and the length of a row, up to a position."""
    angle = np.outer(np.arange(last + 1), inv_freq(2 * pairs, BASE).astype(np.float64))
    c, s = np.float32(np.cos(angle)), np.float32(np.sin(angle))
    return {"cos‖sin": np.hstack([c, s]), "pairs": np.stack([c, s], -1).reshape(len(c), -1),
            "doubled": np.hstack([c, c, s, s]), "cos": c, "sin": s}


def taken(buffer, positions, count, stride, first, step=1):
    flat = buffer.reshape(-1)
    return flat[np.minimum(np.outer(positions, np.ones(count, int)) * stride + first + step * np.arange(count),
                           len(flat) - 1)]


def reads(at, h, width):
    """Name, cos and sin of each pair, and what must be said; rows of `width` dimensions."""
    of = buffers(h, 2 * int(max(at)) + 4)
    row = lambda name, *how: taken(of[name], at, h, *how)
    pad = 1 << (2 * h - 1).bit_length()
    yield "sin a row late", row("cos", h, 0), row("sin", h, h), "sin of position m + 1 goes with cos of m"
    yield "sin a row early", row("cos", h, 0), row("sin", h, -h), "sin of position m − 1 goes with cos of m"
    yield "sin a column late", row("cos", h, 0), row("sin", h, 1), "sin of pair i + 1 goes with cos of i"
    yield "cos for sin", row("cos", h, 0), row("cos", h, 0), "cos is read for sin"
    yield "sin for cos", row("sin", h, 0), row("sin", h, 0), "sin is read for cos"
    yield ("halves as pairs", row("cos‖sin", 2 * h, 0, 2), row("cos‖sin", 2 * h, 1, 2),
           f"a row of the table is c0 c1 … s0 s1 …, {2 * h} values, and is read as c0 s0 c1 s1 …")
    yield ("pairs as halves", row("pairs", 2 * h, 0), row("pairs", 2 * h, h),
           f"a row of the table is c0 s0 c1 s1 …, {2 * h} values, and is read as cos from value 0 and sin from value {h} on")
    yield ("doubled as halves", row("doubled", 2 * h, 0), row("doubled", 2 * h, h),
           f"{4 * h} values, and is read as cos from value 0 and sin from value {h} on, rows {2 * h} values apart")
    if pad != 2 * h:  # vllm-ascend#12723
        yield ("sin behind a padded half", row("cos‖sin", 2 * h, 0), row("cos‖sin", 2 * h, pad // 2),
               f"{2 * h} values, and is read as cos from value 0 and sin from value {pad // 2} on")
    if width > 2 * h:  # vllm#43676
        whole = lambda *how: taken(of["cos‖sin"], at, width // 2, *how)
        for stride, apart in (2 * h, ""), (width, f", rows {width} values apart"):
            yield (f"all dimensions, {stride}", whole(stride, 0), whole(stride, width // 2),
                   f"{width} dimensions are turned by a table for {2 * h}: a row of the table is c0 c1 … s0 s1 …, {2 * h} "
                   f"values, and is read as cos from value 0 and sin from value {width // 2} on{apart}")


def vectors(fmt, width, heads, c, s, layout):
    x = np.float32(ROUND[fmt](rng.standard_normal((heads, len(c), width)).astype(np.float32)))
    y = np.stack([rotate(head, c, s, layout) for head in x])
    return {"q": x, "q_rot": np.float32(ROUND[fmt](y.astype(np.float32)))}


def cases():
    """Name, arrays, flags, mistakes, what the first must say."""
    for k, fmt in enumerate(("float32", "bfloat16", "float16")):
        for n, (width, lanes) in enumerate(((128, 128), (192, 192), (80, 80), (128, 64))):
            ways = ("half", 3, 0, 60), ("interleaved", 1, 0, 200), ("half", 2, 3000, 40)
            for layout, heads, first, rows in ways[(k + n) % 3:][:1]:
                flags = ["--dim", str(width), "--rotary-dim", str(lanes), "--base", "1e6", "--axes", "hsd",
                         "--layout", layout]
                at = first + np.arange(rows)
                for name, c, s, what in reads(at, lanes // 2, width):
                    yield (f"{fmt} {width}/{lanes} {layout} {rows} rows from {first}: {name}",
                           {**vectors(fmt, width, heads, c, s, layout), "position_ids": at}, flags, ["table-indexing"],
                           what)
                angle = np.outer(at, inv_freq(lanes, BASE).astype(np.float64))
                yield (f"{fmt} {width}/{lanes} {layout}: as it is", vectors(
                    fmt, width, heads, np.cos(angle), np.sin(angle), layout) | {"position_ids": at}, flags, [], "")
                mixed = rng.permutation(lanes // 2)
                yield (f"{fmt} {width}/{lanes} {layout}: sin of any pair", vectors(
                    fmt, width, heads, np.cos(angle), np.sin(angle)[:, mixed], layout) | {"position_ids": at}, flags,
                       None, "")


def judge(compare, case):
    name, arrays, flags, want, what = case
    done = compare(arrays, *flags)
    if done.returncode not in (0, 1):
        return f"{name}: exit {done.returncode}: {done.stderr}"
    said = json.loads(done.stdout)["diagnosis"]
    if want is None:
        return f"{name}: {said}" if said else ""
    right = [one["mistake"] for one in said] == want and (not want or what in said[0]["what"])
    return "" if right else f"{name}: {[(one['mistake'], one['what'], one['also_fits']) for one in said]}"


if __name__ == "__main__":
    run(cases(), judge, "are named by how the table was read")
