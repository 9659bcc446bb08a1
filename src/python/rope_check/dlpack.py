"""Arrays that support DLPack: the place of their numbers, without an array library.

The structures are those of dlpack.h (https://dmlc.github.io/dlpack).
"""
from __future__ import annotations

import ctypes
from typing import Any, NamedTuple

CPU, CUDA_HOST, ROCM_HOST, CUDA_MANAGED = 1, 3, 11, 13
READABLE = (CPU, CUDA_HOST, ROCM_HOST, CUDA_MANAGED)
KINDS = {0: "I", 1: "U", 2: "F", 4: "BF", 5: "C", 6: "BOOL"}


class _Device(ctypes.Structure):
    _fields_ = [("type", ctypes.c_int32), ("id", ctypes.c_int32)]


class _DataType(ctypes.Structure):
    _fields_ = [("code", ctypes.c_uint8), ("bits", ctypes.c_uint8), ("lanes", ctypes.c_uint16)]


class _Tensor(ctypes.Structure):
    _fields_ = [("data", ctypes.c_void_p), ("device", _Device), ("ndim", ctypes.c_int32),
                ("dtype", _DataType), ("shape", ctypes.POINTER(ctypes.c_int64)),
                ("strides", ctypes.POINTER(ctypes.c_int64)), ("byte_offset", ctypes.c_uint64)]


_pointer = ctypes.pythonapi.PyCapsule_GetPointer
_pointer.restype = ctypes.c_void_p
_pointer.argtypes = [ctypes.py_object, ctypes.c_char_p]


class Numbers(NamedTuple):
    kind: str  # of KINDS
    bits: int
    shape: tuple[int, ...]
    data: bytes  # in C order


def _capsule(array: Any) -> Any:
    """A capsule in this process's memory, copied there if the producer can (DLPack 2023.12)."""
    if array.__dlpack_device__()[0] in READABLE:
        return array.__dlpack__()
    return array.__dlpack__(dl_device=(CPU, 0))


def numbers_of(array: Any) -> Numbers:
    """Copies an array that has __dlpack__. Raises TypeError, ValueError or BufferError when it is
    on a device that it cannot be copied from, not contiguous, or of a type without a name."""
    capsule = _capsule(array)  # owns the memory while it is alive
    tensor = _Tensor.from_address(_pointer(capsule, b"dltensor"))
    shape = tuple(tensor.shape[:tensor.ndim])
    count, strides = 1, list[int]()
    for size in reversed(shape):
        strides.insert(0, count)
        count *= size
    if tensor.strides and count > 1:
        for size, got, want in zip(shape, tensor.strides[:tensor.ndim], strides):
            if size > 1 and got != want:
                raise ValueError("is not contiguous")
    kind, bits = KINDS.get(tensor.dtype.code), tensor.dtype.bits
    if kind is None or tensor.dtype.lanes != 1 or bits % 8:
        raise ValueError(f"has DLPack type {tensor.dtype.code} of {bits} bits")
    data = ctypes.string_at(tensor.data + tensor.byte_offset, count * bits // 8) if count else b""
    return Numbers(kind, bits, shape, data)
