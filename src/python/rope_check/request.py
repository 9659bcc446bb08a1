"""What `rope-check audit` asks, laid out as a function takes it, and its answer laid back."""
from __future__ import annotations

import ast
import json
import pathlib
from collections.abc import Callable, Iterator, Sequence
from itertools import product
from math import prod
from typing import Any, NamedTuple

from .errors import InputError
from .tensors import Tensor, tensor_of, write_safetensors


def _read_npy(path: pathlib.Path) -> tuple[str, tuple[int, ...], bytes]:
    """Type, shape and bytes of what the tool wrote (version 1.0, little-endian, C order)."""
    content = path.read_bytes()
    end = 10 + int.from_bytes(content[8:10], "little")
    header = ast.literal_eval(content[10:end].decode())
    return header["descr"], header["shape"], content[end:]


class Request(NamedTuple):
    """`vectors` rows of x for each place, all of them at the place's position on each axis."""

    folder: pathlib.Path
    head_dim: int
    vectors: int
    x: bytes  # float32
    positions: tuple[tuple[float, ...], ...]  # of each place, by axis
    rows: int

    def row(self, place: int, vector: int) -> int:
        return place * self.vectors + vector


def read_request(folder: pathlib.Path) -> Request:
    spec = json.loads((folder / "spec.json").read_text(encoding="utf-8"))
    _, (rows, head_dim), x = _read_npy(folder / "x.npy")
    kind, shape, data = _read_npy(folder / "positions.npy")
    values = memoryview(data).cast("q" if kind == "<i8" else "d").tolist()
    vectors = rows // len(spec["rope_check"]["positions"])
    axes = [values[at:at + rows:vectors] for at in range(0, len(values), rows)]
    return Request(folder, head_dim, vectors, x, tuple(zip(*axes)), rows)


def write_answer(request: Request, rows: Sequence[bytes], dtype: str) -> None:
    answer = Tensor(dtype, (request.rows, request.head_dim), b"".join(rows))
    write_safetensors(request.folder / "y.safetensors", {"y": answer})


class Layout(NamedTuple):
    """The axes of what a function takes, such as bhsd or thd, and how many of each it gets."""

    axes: str
    batch: int
    heads: int
    has_position_per_batch: bool

    def sizes(self, length: int, head_dim: int) -> list[int]:
        of = {"b": self.batch, "h": self.heads, "s": length, "t": length, "d": head_dim}
        return [of[axis] for axis in self.axes]

    def slots(self, length: int) -> Iterator[tuple[int, int, int]]:
        """(batch entry, head, index in the sequence) of each vector, in the order of memory."""
        names = self.axes[:-1].replace("t", "s")
        for index in product(*(range(size) for size in self.sizes(length, 0)[:-1])):
            at = dict(zip(names, index))
            yield at.get("b", 0), at.get("h", 0), at["s"]


def layout_of(axes: str, batch: int, heads: int, position_axes: "str | None") -> Layout:
    """Raises InputError for axes that are not d last, s or t once, b and h at most once."""
    if not axes.endswith("d") or sorted(axes.replace("t", "s")) not in (
            sorted(one + "sd") for one in ("", "b", "h", "bh")):
        raise InputError(f"axes: '{axes}' is not made of b, h, s (or t) and, last, d, such as "
                         "bhsd, bshd, thd or sd")
    position_axes = position_axes or ("bs" if "b" in axes else "s")
    if position_axes not in ("s", "bs") or (position_axes == "bs" and "b" not in axes):
        raise InputError(f"position_axes: '{position_axes}' is neither 's' nor, in axes with b, "
                         "'bs'")
    if batch < 1 or heads < 1:
        raise InputError("batch and heads must be at least 1")
    return Layout(axes, batch if "b" in axes else 1, heads if "h" in axes else 1,
                  position_axes == "bs")


def answer_of(values: Any, sizes: Sequence[int]) -> tuple[str, list[bytes]]:
    """The function's result as its type and the bytes of each vector. Raises InputError."""
    tensor = tensor_of(values, "what the function returned")
    if list(tensor.shape) != list(sizes):
        raise InputError(f"the function returned {tensor.dtype} {list(tensor.shape)}; it must "
                         f"return one vector for each that it gets: {list(sizes)}")
    each = len(tensor.data) // prod(sizes[:-1])
    return tensor.dtype, [tensor.data[at:at + each] for at in range(0, len(tensor.data), each)]


# Bytes of float32 or of positions, and their shape -> an array of the function's library.
Arrays = Callable[[bytes, Sequence[int]], Any]


def ask_with_positions(request: Request, layout: Layout, make_x: Arrays,
                       call: Callable[[Any, list[tuple[float, ...]], list[int]], Any]) -> None:
    """One call, whose sequence holds every place as often as it takes. `call` gets x, the position
    of each entry of the sequence (of each batch entry, if these differ), and their shape."""
    inner = layout.heads * (1 if layout.has_position_per_batch else layout.batch)
    per_place = -(-request.vectors // inner)
    cells = len(request.positions) * per_place
    outer = layout.batch if layout.has_position_per_batch else 1
    length = -(-cells // outer)

    def row_of(b: int, h: int, s: int) -> int:
        cell = min(s + (b * length if outer > 1 else 0), cells - 1)
        first = cell % per_place * inner + h + (b * layout.heads if outer == 1 else 0)
        return request.row(cell // per_place, min(first, request.vectors - 1))

    rows = [row_of(*slot) for slot in layout.slots(length)]
    bytes_each = 4 * request.head_dim
    x = b"".join(request.x[row * bytes_each:(row + 1) * bytes_each] for row in rows)
    sizes = layout.sizes(length, request.head_dim)
    ids = [request.positions[min(cell, cells - 1) // per_place] for cell in range(outer * length)]
    shape = [layout.batch, length] if layout.has_position_per_batch else [length]
    dtype, vectors = answer_of(call(make_x(x, sizes), ids, shape), sizes)
    found = dict(zip(rows, vectors))
    write_answer(request, [found[row] for row in range(request.rows)], dtype)


def ask_contiguous(request: Request, layout: Layout, sequence: range, make_x: Arrays,
                   call: Callable[[Any], Any]) -> None:
    """As many calls as it takes for each vector to stand at every position of the sequence. Raises
    InputError when one of the request's is not among them."""
    if len(request.positions[0]) > 1:
        raise InputError("contiguous: positions have several axes; let the function take them")
    length, bytes_each = len(sequence), 4 * request.head_dim
    slots = list(layout.slots(length))
    sizes = layout.sizes(length, request.head_dim)
    places = {abs(position[0]) - sequence.start: place
              for place, position in enumerate(request.positions)}
    for at in places:
        if at not in range(length):
            raise InputError(f"contiguous: position {at + sequence.start} is none of "
                             f"{sequence.start} to {sequence.stop - 1}")
    found: dict[int, bytes] = {}
    dtype = ""
    for first in range(0, request.vectors, layout.batch * layout.heads):
        of_slot = [min(first + b * layout.heads + h, request.vectors - 1) for b, h, _ in slots]
        x = b"".join(request.x[one * bytes_each:(one + 1) * bytes_each] for one in of_slot)
        dtype, vectors = answer_of(call(make_x(x, sizes)), sizes)
        for (_, _, s), vector, answer in zip(slots, of_slot, vectors):
            if s in places:
                found[request.row(places[s], vector)] = answer
    write_answer(request, [found[row] for row in range(request.rows)], dtype)
