"""What `rope-check audit` asks, and the answer to it."""
from __future__ import annotations

import ast
import json
import pathlib
from collections.abc import Sequence
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
    """`vectors` rows of x for each place, all of them at the place's position on each axis; then, of
    several groups, a sequence of each, `places` rows long."""

    folder: pathlib.Path
    head_dim: int
    vectors: int
    places: int
    batch: int
    heads: int
    x: bytes  # float32
    positions: tuple[tuple[float, ...], ...]  # of each row, by axis
    rows: int

    def row(self, place: int, vector: int) -> int:
        return place * self.vectors + vector

    @property
    def has_groups(self) -> bool:
        return self.batch * self.heads > 1

    def row_of_group(self, b: int, h: int, index: int) -> int:
        return self.places * self.vectors + (b * self.heads + h) * self.places + index

    def vectors_of(self, rows: Sequence[int]) -> bytes:
        each = 4 * self.head_dim
        return b"".join(self.x[row * each:(row + 1) * each] for row in rows)


def read_request(folder: pathlib.Path) -> Request:
    own = json.loads((folder / "spec.json").read_text(encoding="utf-8"))["rope_check"]
    _, (rows, head_dim), x = _read_npy(folder / "x.npy")
    kind, shape, data = _read_npy(folder / "positions.npy")
    values = memoryview(data).cast("q" if kind == "<i8" else "d").tolist()
    places, batch, heads = len(own["positions"]), own.get("batch", 1), own.get("heads", 1)
    vectors = rows // places - (batch * heads if batch * heads > 1 else 0)
    axes = [values[at:at + rows] for at in range(0, len(values), rows)]
    return Request(folder, head_dim, vectors, places, batch, heads, x, tuple(zip(*axes)), rows)


def answer_of(values: Any, sizes: Sequence[int]) -> tuple[str, list[bytes]]:
    """The function's result as its type and the bytes of each vector. Raises InputError."""
    tensor = tensor_of(values, "what the function returned")
    if list(tensor.shape) != list(sizes):
        raise InputError(f"the function returned {tensor.dtype} {list(tensor.shape)}; it must "
                         f"return one vector for each that it gets: {list(sizes)}")
    each = len(tensor.data) // prod(sizes[:-1])
    return tensor.dtype, [tensor.data[at:at + each] for at in range(0, len(tensor.data), each)]


class Answer:
    """What a function returned for each row, call by call."""

    def __init__(self, request: Request) -> None:
        self.request = request
        self.found: dict[int, bytes] = {}
        self.dtype = ""

    def add(self, values: Any, sizes: Sequence[int], rows: "Sequence[int | None]") -> None:
        """A call's, of which None is no row. Raises InputError."""
        dtype, vectors = answer_of(values, sizes)
        if self.dtype not in ("", dtype):
            raise InputError(f"the function returned {self.dtype}, and then {dtype}; it must return "
                             "one type")
        self.dtype = dtype
        self.found.update((row, one) for row, one in zip(rows, vectors) if row is not None)

    def write(self) -> None:
        rows = b"".join(self.found[row] for row in range(self.request.rows))
        answer = Tensor(self.dtype, (self.request.rows, self.request.head_dim), rows)
        write_safetensors(self.request.folder / "y.safetensors", {"y": answer})
