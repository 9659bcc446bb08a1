"""Calls one function for `rope-check audit --python MODULE:FUNCTION`.

usage: python_call.py MODULE:FUNCTION TYPE AXES PASS FOLDER    TYPE is numpy or one of PyTorch's,
PASS forward or backward
"""
import importlib
import json
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


def sequences_of_calls(axes, sequences, batch, heads):
    """Contiguous: which of x's sequences each call gets, [batch, heads]: first the groups' own.
    Where there is one of each, the vectors are a batch, else heads."""
    every = numpy.arange(sequences)
    if batch * heads == 1:
        if not set(axes) & set("bh") and sequences > 1:
            refuse("--axes: contiguous sequences need a b or an h")
        return [every[:, None] if "b" in axes else every[None]]
    vectors = every[:-batch * heads]
    calls = -(-len(vectors) // (batch * heads))
    repeated = numpy.resize(vectors, calls * batch * heads)
    return list(numpy.concatenate([every[-batch * heads:], repeated]).reshape(-1, batch, heads))


def rows_of_calls(rows, places, batch, heads, shares_positions):
    """Which of x's rows each call gets, [batch, heads, sequence]: first the groups' own sequences,
    then every place's rows, as many at a time as share a position."""
    if batch * heads == 1:
        return [numpy.arange(rows)[None, None]]
    own = batch * heads * places
    vectors = (rows - own) // places
    at_once, entries = (heads * batch, 1) if shares_positions else (heads, batch)
    steps = -(-vectors // at_once)
    of_place = numpy.minimum(numpy.arange(steps * at_once), vectors - 1).reshape(steps, at_once)
    cells = (numpy.arange(places)[:, None, None] * vectors + of_place).reshape(-1, at_once)
    length = -(-len(cells) // entries)
    cells = cells[numpy.minimum(numpy.arange(entries * length), len(cells) - 1)]
    rest = (cells.reshape(length, batch, heads).transpose(1, 2, 0) if shares_positions else
            cells.reshape(batch, length, heads).transpose(0, 2, 1))
    return [rows - own + numpy.arange(own).reshape(batch, heads, places), rest]


def ordered(axes, x):
    """x [batch, heads, sequence, head_dim] in the order of `axes`, and that order."""
    names = [one for one in "bhsd" if one in axes.replace("t", "s")]
    dropped = tuple(at for at, one in enumerate("bhsd") if one not in names)
    order = [names.index(one) for one in axes.replace("t", "s")]
    return numpy.ascontiguousarray(x.squeeze(dropped).transpose(order)), order


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


def answer(axes, x, positions, calls, shares_positions, ask):
    """What `ask` returns for each call's rows of x, in the places of these, and its file's ending."""
    y, endings = None, set()
    for rows in calls:
        arranged, order = ordered(axes, x[rows])
        arguments = []
        if positions is not None:
            ids = positions[..., rows[:, 0]]
            arguments = [ids if "b" in axes and not shares_positions else ids[..., 0, :]]
        returned, ending = ask(arranged, arguments)
        if returned.shape != arranged.shape:
            refuse(f"the function returned {list(returned.shape)} for x of {list(arranged.shape)}")
        y = numpy.empty(x.shape, returned.dtype) if y is None else y
        endings.add((returned.dtype, ending))
        if len(endings) > 1:
            refuse("the function returned arrays of several types")
        y[rows] = returned.transpose(numpy.argsort(order)).reshape(x[rows].shape)
    return y, ending


def main():
    target, kind, axes, way, folder = sys.argv[1:]
    function = find(target)
    with open(f"{folder}/spec.json", encoding="utf-8") as file:
        own = json.load(file)["rope_check"]
    groups = own.get("batch", 1), own.get("heads", 1)
    shares_positions = own.get("position_axes") == "s"
    x = numpy.load(f"{folder}/x.npy")
    if x.ndim == 3:
        positions, calls = None, sequences_of_calls(axes, len(x), *groups)
    else:
        positions = numpy.load(f"{folder}/positions.npy")
        calls = rows_of_calls(len(x), len(own["positions"]), *groups, shares_positions)

    def ask(arranged, arguments):
        if kind == "numpy":
            return numpy.asarray(function(arranged, *arguments)), "npy"
        return call_torch(function, kind, arranged, arguments, way == "backward")

    y, ending = answer(axes, x, positions, calls, shares_positions, ask)
    if ending == "npy":
        numpy.save(f"{folder}/y.npy", y)
    else:
        y.tofile(f"{folder}/y.{ending}")


main()
