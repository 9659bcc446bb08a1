"""Calls one function for `rope-check audit --python MODULE:FUNCTION`.

usage: python_call.py MODULE:FUNCTION TYPE AXES PASS FOLDER    TYPE is numpy or one of PyTorch's,
PASS forward or backward
"""
import importlib
import sys

import numpy


def refuse(message):
    sys.exit(message)


def find(target):
    module, colon, name = target.partition(":")
    if not colon or not module or not name:
        refuse(f"--python: '{target}' is not MODULE:FUNCTION")
    found = importlib.import_module(module)
    for part in name.split("."):
        if not hasattr(found, part):
            refuse(f"--python: {module} has no '{name}'")
        found = getattr(found, part)
    return found


def ordered(axes, x, positions):
    """x [vectors, sequence, head_dim] in the order of `axes`, and positions with a batch if it has
    one. Vectors are a batch, else heads."""
    at = "b" if "b" in axes else "h"
    if at not in axes and len(x) > 1:
        refuse("--axes: contiguous sequences need a b or an h")
    letters = [one for one in axes if one in "bh"]
    others = [one for one in letters if one != at]
    shape = (*x.shape, *[1] * len(others)) if at in axes else x.shape[1:]
    names = ([at, "s", "d"] if at in axes else ["s", "d"]) + others
    order = [names.index(one) for one in axes.replace("t", "s")]
    if positions is not None and "b" in axes:
        positions = numpy.expand_dims(positions, -2)
    return numpy.ascontiguousarray(x.reshape(shape).transpose(order)), positions, order


def call_torch(function, kind, x, arguments, backward):
    import torch

    if not isinstance(getattr(torch, kind, None), torch.dtype):
        refuse(f"--torch: PyTorch has no type '{kind}'")
    device = "cuda" if torch.cuda.is_available() else "cpu"
    x = torch.from_numpy(x).to(device, getattr(torch, kind))
    arguments = [torch.from_numpy(numpy.ascontiguousarray(one)).to(device) for one in arguments]
    if backward:
        at = torch.ones_like(x).requires_grad_()
        y, = torch.autograd.grad(function(at, *arguments), at, x)
    else:
        y = function(x, *arguments)
    if not isinstance(y, torch.Tensor):
        refuse(f"the function returned a {type(y).__name__}, not a tensor")
    y = y.detach().cpu()
    return (y.view(torch.int16).numpy(), "bf16") if y.dtype == torch.bfloat16 else (y.numpy(), "npy")


def main():
    target, kind, axes, way, folder = sys.argv[1:]
    function, backward = find(target), way == "backward"
    x = numpy.load(f"{folder}/x.npy")
    contiguous = x.ndim == 3
    positions = None if contiguous else numpy.load(f"{folder}/positions.npy")
    arranged, positions, order = ordered(axes, x if contiguous else x[None], positions)
    arguments = [] if positions is None else [positions]
    if kind == "numpy":
        y, ending = numpy.asarray(function(arranged, *arguments)), "npy"
    else:
        y, ending = call_torch(function, kind, arranged, arguments, backward)
    if y.shape != arranged.shape:
        refuse(f"the function returned {list(y.shape)} for x of {list(arranged.shape)}")
    y = numpy.ascontiguousarray(y.transpose(numpy.argsort(order)).reshape(x.shape))
    if ending == "npy":
        numpy.save(f"{folder}/y.npy", y)
    else:
        y.tofile(f"{folder}/y.{ending}")


main()
