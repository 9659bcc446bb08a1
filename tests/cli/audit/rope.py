#!/usr/bin/env python3
"""Answers a request of rope-check audit as typical NumPy code does; FAULT breaks the answer, and k-FAULT the answer in
the folder k.

usage: rope.py [FAULT] FOLDER
"""
import json
import os
import sys

import numpy

fault, folder = (sys.argv[1:] if len(sys.argv) > 2 else ["none", sys.argv[-1]])
x, positions = (numpy.load(f"{folder}/{name}.npy") for name in ("x", "positions"))
with open(f"{folder}/spec.json") as file:
    spec = json.load(file)
if os.path.isdir(f"{folder}/k"):
    os.spawnl(os.P_WAIT, sys.executable, sys.executable, __file__, fault.removeprefix("k-"), f"{folder}/k")


def bfloat16(values):
    """To the nearest, ties to even."""
    bits = numpy.asarray(values, numpy.float32).view(numpy.uint32)
    return ((bits + 0x7FFF + ((bits >> 16) & 1)) & 0xFFFF0000).view(numpy.float32)


d = spec["rotary_dim"]
if fault == "rotary-dim":
    d //= 2
base = spec["rope_parameters"]["rope_theta"] * (50 if fault == "base" else 1)
inv_freq = (1.0 / base ** (numpy.arange(0, d, 2, dtype=numpy.float64) / d)).astype(numpy.float32)
if fault == "offset":
    positions = positions + 1
if fault == "last-group":  # the last head of the last batch entry
    positions[-len(spec["rope_check"]["positions"]):] += 1
places, groups = len(spec["rope_check"]["positions"]), spec["rope_check"].get("batch", 1)
# the first row of the batch entries and heads
in_groups = len(positions) - places * groups * spec["rope_check"].get("heads", 1)
if fault == "ids-of-entry-0":
    positions = positions.copy()
    positions[in_groups:].reshape(groups, -1)[1:] = positions[in_groups:].reshape(groups, -1)[0]
if fault == "rows":
    positions = numpy.arange(len(x))
angle = positions[:, None].astype(numpy.float32) * inv_freq
if fault == "bf16-angles":
    angle = bfloat16(angle)
cos, sin = numpy.cos(angle), numpy.sin(angle)
if fault == "direction":
    sin = -sin
if fault == "float16":
    x, cos, sin = (values.astype(numpy.float16) for values in (x, cos, sin))
if fault == "float64":
    x = x.astype(numpy.float64)
if fault == "bf16-cache":
    cos, sin = bfloat16(cos), bfloat16(sin)
if fault == "clips":
    x = numpy.clip(x, -8, 8)
if fault == "normalises":
    x = x / numpy.sqrt((x * x).sum(-1, keepdims=True))

y = x.copy()
interleaved = (spec["layout"] == "interleaved") != (fault == "layout")
first = slice(0, d, 2) if interleaved else slice(0, d // 2)
second = slice(1, d, 2) if interleaved else slice(d // 2, d)
y[:, first] = x[:, first] * cos - x[:, second] * sin
y[:, second] = x[:, second] * cos + x[:, first] * sin
if fault == "leaks":
    y[:, 1] += x[:, 3] * numpy.float32(2.0**-10)
if fault in ("entry-0", "head-0"):  # copies the rows of entry 0 or head 0 to all others
    y = y.copy()
    each = y[in_groups:].reshape(groups, -1, places, y.shape[1])
    each[:] = each[:1] if fault == "entry-0" else each[:, :1]
if fault == "passed":
    y[:, d:] *= numpy.float32(1 + 2.0**-20)
if fault == "nan":
    y[-1, 5] = numpy.nan
if fault == "bf16-answer":
    y = bfloat16(y)
if fault == "bf16-bits":
    numpy.savez(f"{folder}/y.npz", y__bf16bits=(bfloat16(y).view(numpy.uint32) >> 16).astype("<u2"))
elif fault == "safetensors":
    words = (bfloat16(y).view(numpy.uint32) >> 16).astype("<u2").tobytes()
    header = {"y": {"dtype": "BF16", "shape": y.shape, "data_offsets": [0, len(words)]}}
    text = json.dumps(header).encode()
    with open(f"{folder}/y.safetensors", "wb") as file:
        file.write(len(text).to_bytes(8, "little") + text + words)
elif fault == "complex":
    numpy.save(f"{folder}/y.npy", y.astype(numpy.complex64))
elif fault == "integers":
    numpy.save(f"{folder}/y.npy", y.astype(numpy.int32))
elif fault == "transposed":
    numpy.save(f"{folder}/y.npy", numpy.ascontiguousarray(y.T))
else:
    numpy.save(f"{folder}/y.npy", y)
