"""The request of `rope-check audit`, and its answer."""
from __future__ import annotations

import array
import ast
import json
import pathlib
import struct
from collections.abc import Container, Sequence
from math import isfinite, prod
from typing import Any, NamedTuple

from .errors import InputError
from .tensors import Tensor, tensor_of, write_safetensors


def _read_npy(path: pathlib.Path) -> tuple[str, tuple[int, ...], bytes]:
    """Type, shape and bytes of a file of the tool (version 1.0, little-endian, C order)."""
    content = path.read_bytes()
    end = 10 + int.from_bytes(content[8:10], "little")
    header = ast.literal_eval(content[10:end].decode())
    return header["descr"], header["shape"], content[end:]


class Request(NamedTuple):
    """`vectors` rows of x for each place, all with the place's position on each axis; then, for
    several groups, a sequence of each, with `places` rows."""

    folder: pathlib.Path
    head_dim: int
    vectors: int
    places: int
    batch: int
    heads: int
    x: bytes  # float32
    positions: tuple[tuple[float, ...], ...]  # of each row, by axis
    rows: int
    has_two_tables: bool  # one for short sequences, one for long ones

    def row(self, place: int, vector: int) -> int:
        return place * self.vectors + vector

    def row_of_group(self, b: int, h: int, index: int) -> int:
        """A row of a group's sequence; with one group, the row of a probe."""
        if self.batch * self.heads == 1:
            return self.row(index, self.head_dim)
        return self.places * self.vectors + (b * self.heads + h) * self.places + index

    def vectors_of(self, rows: Sequence[int], are_negated: "Sequence[bool] | None" = None) -> bytes:
        each = 4 * self.head_dim
        vectors = [self.x[row * each:(row + 1) * each] for row in rows]
        for k, is_negated in enumerate(are_negated or ()):
            if is_negated:
                vectors[k] = array.array("f", [-one for one in memoryview(vectors[k]).cast("f")]).tobytes()
        return b"".join(vectors)


def read_request(folder: pathlib.Path) -> Request:
    spec = json.loads((folder / "spec.json").read_text(encoding="utf-8"))
    own = spec["rope_check"]
    _, (rows, head_dim), x = _read_npy(folder / "x.npy")
    kind, shape, data = _read_npy(folder / "positions.npy")
    values = memoryview(data).cast("q" if kind == "<i8" else "d").tolist()
    places, batch, heads = len(own["positions"]), own.get("batch", 1), own.get("heads", 1)
    vectors = rows // places - (batch * heads if batch * heads > 1 else 0)
    axes = [values[at:at + rows] for at in range(0, len(values), rows)]
    return Request(folder, head_dim, vectors, places, batch, heads, x, tuple(zip(*axes)), rows,
                   spec["rope_parameters"]["rope_type"] in ("dynamic", "longrope", "qwen_ntk"))


def answer_of(values: Any, sizes: Sequence[int]) -> tuple[str, list[bytes]]:
    """The function's result as its type and the bytes of each vector. Raises InputError."""
    tensor = tensor_of(values, "what the function returned")
    if list(tensor.shape) != list(sizes):
        raise InputError(f"the function returned {tensor.dtype} {list(tensor.shape)}; it must "
                         f"return one vector for each that it gets: {list(sizes)}")
    if not tensor.dtype.startswith(("F", "BF")):
        raise InputError(f"the function returned {tensor.dtype}; it must return floats: widen them to "
                         "float32, or view the bits of bfloat16 as ml_dtypes.bfloat16")
    each = len(tensor.data) // prod(sizes[:-1])
    return tensor.dtype, [tensor.data[at:at + each] for at in range(0, len(tensor.data), each)]


def _numbers(dtype: str, data: bytes) -> list[float]:
    if dtype == "BF16":
        data = b"".join(b"\0\0" + data[at:at + 2] for at in range(0, len(data), 2))
    code = {"F16": "e", "F64": "d"}.get(dtype, "f")
    return list(struct.unpack(f"<{len(data) // struct.calcsize(code)}{code}", data))


# the square root of a rounding's size: a larger difference is not caused by rounding
DIFFERENCES = {"F64": 2**-26, "F32": 2**-12, "F16": 2**-5.5, "BF16": 2**-4}


def _differ(dtype: str, a: bytes, b: bytes) -> bool:
    if a == b or dtype not in DIFFERENCES:
        return False
    first, second = _numbers(dtype, a), _numbers(dtype, b)
    most = DIFFERENCES[dtype] * max((abs(x) for x in first if isfinite(x)), default=0)
    return any(abs(x - y) > most for x, y in zip(first, second))  # false if one is NaN


class Values(NamedTuple):
    """The results of a call for each row."""

    dtype: str
    of_row: "dict[int, bytes]"

    def differ(self, other: "Values", rows: "Container[int] | None" = None) -> bool:
        """Whether a row in both, and in `rows`, differs by more than rounding."""
        return any(_differ(self.dtype, one, other.of_row.get(row, one))
                   for row, one in self.of_row.items() if rows is None or row in rows)

    def are_zero(self) -> bool:
        """Whether no value is finite, except zeros."""
        return not any(x and isfinite(x) for one in self.of_row.values() for x in _numbers(self.dtype, one))


class Answer:
    """The function's result for each row, the number of rows compared between calls, and the faults of
    its calls: a line for each, in the tool's format."""

    def __init__(self, request: Request) -> None:
        self.request = request
        self.found: dict[int, bytes] = {}
        self.dtype = ""
        self.faults: dict[str, None] = {}
        self.compared = 0  # rows

    def fault(self, line: str) -> None:
        self.faults[line] = None

    def are_equal(self, one: Values, other: Values) -> bool:
        """Whether two calls gave the rows of both the same values, except for rounding."""
        self.compared += sum(row in other.of_row for row in one.of_row)
        return not one.differ(other)

    def values_of(self, values: Any, sizes: Sequence[int], rows: "Sequence[int | None]") -> Values:
        """The results of a call for these rows; None marks vectors that are no row. Raises InputError."""
        dtype, vectors = answer_of(values, sizes)
        if self.dtype not in ("", dtype):
            raise InputError(f"the function returned {self.dtype}, and then {dtype}; it must return "
                             "one type")
        self.dtype = dtype
        return Values(dtype, {row: one for row, one in zip(rows, vectors) if row is not None})

    def keep(self, values: Values) -> None:
        self.found.update(values.of_row)

    def write(self, folder: pathlib.Path) -> None:
        folder.mkdir(exist_ok=True)
        rows = b"".join(self.found[row] for row in range(self.request.rows))
        answer = Tensor(self.dtype, (self.request.rows, self.request.head_dim), rows)
        write_safetensors(folder / "y.safetensors", {"y": answer})
        lines = [f"compared {self.compared}", *self.faults]
        (folder / "calls.txt").write_text("".join(f"{one}\n" for one in lines))
