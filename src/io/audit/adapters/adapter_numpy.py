#!/usr/bin/env python3
"""Answers rope-check audit with NumPy: let rotate() call your own function.

    rope-check audit init numpy >adapter.py
    rope-check audit --dim 128 -- python3 adapter.py
"""
import sys

import numpy


def rotate(x, positions):
    """Each row of x [rows, head_dim] rotated to its position, [rows]."""
    dim = x.shape[-1]
    inv_freq = 10000.0 ** (-numpy.arange(0, dim, 2, dtype=numpy.float32) / dim)
    angle = positions[:, None].astype(numpy.float32) * inv_freq
    cos, sin = numpy.cos(angle), numpy.sin(angle)
    first, second = x[:, : dim // 2], x[:, dim // 2 :]
    return numpy.concatenate([first * cos - second * sin, second * cos + first * sin], -1)


folder = sys.argv[-1]
x, positions = (numpy.load(f"{folder}/{name}.npy") for name in ("x", "positions"))
numpy.save(f"{folder}/y.npy", rotate(x, positions))
