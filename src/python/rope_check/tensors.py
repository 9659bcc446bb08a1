"""Arrays of any library as the tensors of a .safetensors file, bit for bit."""
from __future__ import annotations

import array
import json
import os
from collections.abc import Mapping
from typing import Any, NamedTuple

from .dlpack import Numbers, numbers_of
from .errors import InputError


class Tensor(NamedTuple):
    dtype: str  # as .safetensors names it: F32, BF16, I64, …
    shape: tuple[int, ...]
    data: bytes  # little-endian, in C order


def _tensor(numbers: Numbers) -> Tensor:
    kind, bits, shape, data = numbers
    if kind == "C":  # (re, im)
        return Tensor(f"F{bits // 2}", (*shape, 2), data)
    return Tensor(kind if kind == "BOOL" else f"{kind}{bits}", shape, data)


def _of_buffer(view: memoryview) -> Tensor:
    order, code = ("<", view.format) if view.format[0] not in "@=<>!" else \
        (view.format[0], view.format[1:])
    complex_part = code.startswith("Z")
    if code.lstrip("Z") not in tuple("efd?bBhHiIlLqQnN"):
        raise ValueError(f"has elements of format '{view.format}'")
    kind = ("C" if complex_part else "F" if code in "efd" else "BOOL" if code == "?" else
            "I" if code.islower() else "U")
    data, bytes_each = view.tobytes(), view.itemsize // (2 if complex_part else 1)
    if order in ">!" and bytes_each > 1:
        words = array.array({2: "H", 4: "I", 8: "Q"}[bytes_each], data)
        words.byteswap()
        data = words.tobytes()
    return _tensor(Numbers(kind, 8 * view.itemsize, tuple(view.shape or ()), data))


def _of_sequence(values: Any) -> Tensor:
    """Of numbers in a list, a tuple or a range."""
    numbers = list(values)
    whole = all(isinstance(one, int) for one in numbers)
    return _of_buffer(memoryview(array.array("q" if whole else "d", numbers)))


def _on_cpu(values: Any) -> Any:
    """A tensor of PyTorch without its graph and device; anything else as it is."""
    if hasattr(values, "detach") and hasattr(values, "resolve_conj"):
        values = values.detach().resolve_conj().resolve_neg().cpu().contiguous()
    return values


def _is_bfloat16(values: Any) -> bool:
    """An array of ml_dtypes' bfloat16, which has no buffer."""
    return getattr(getattr(values, "dtype", None), "name", "") == "bfloat16"


def _of_array(values: Any) -> Tensor:
    """By __array__, which makes an array of NumPy."""
    import numpy

    plain = numpy.ascontiguousarray(numpy.asarray(values))
    if _is_bfloat16(plain):
        return Tensor("BF16", plain.shape, plain.view(numpy.uint16).astype("<u2").tobytes())
    return _of_buffer(memoryview(plain))  # type: ignore


def tensor_of(values: Any, name: str) -> Tensor:
    """Of an array of NumPy, a tensor of PyTorch (on any device, bfloat16 by its bits), anything
    with a buffer, __dlpack__ or __array__, or a flat sequence of numbers. Complex numbers become
    (re, im) on one more axis. Raises InputError naming `name`."""
    if isinstance(values, (list, tuple, range)):
        ways = [_of_sequence]
    else:
        values = _on_cpu(values)
        ways = [lambda one: _of_buffer(memoryview(one))]
        if hasattr(values, "__dlpack__"):
            ways.append(lambda one: _tensor(numbers_of(one)))
        if hasattr(values, "__array__"):
            ways.append(_of_array)
    refusals = []
    for way in ways:
        try:
            return way(values)
        except (TypeError, ValueError, BufferError, RuntimeError, OverflowError) as error:
            refusals.append(str(error))
    raise InputError(f"{name}: a {type(values).__name__} is no array of numbers that can be read "
                     f"({refusals[-1]}); pass one of NumPy, PyTorch or with __dlpack__, __array__ "
                     "or a buffer")


def write_safetensors(path: os.PathLike[str] | str, tensors: Mapping[str, Tensor]) -> None:
    header, offset = {}, 0
    for name, tensor in tensors.items():
        header[name] = {"dtype": tensor.dtype, "shape": tensor.shape,
                        "data_offsets": (offset, offset + len(tensor.data))}
        offset += len(tensor.data)
    text = json.dumps(header).encode()
    text += b" " * (-len(text) % 8)
    with open(path, "wb") as file:
        file.write(len(text).to_bytes(8, "little") + text)
        for tensor in tensors.values():
            file.write(tensor.data)
