"""The arrays that an audited function is called with: their library, dtype and device."""
from __future__ import annotations

import inspect
import sys
from collections.abc import Callable, Iterator, Sequence
from typing import Any, NamedTuple

from .errors import InputError


class Arrays(NamedTuple):
    """Arrays of one library, of one dtype and on one device."""

    x: Callable[[bytes, Sequence[int]], Any]  # of float32
    ids: Callable[[Sequence[float], Sequence[int]], Any]


def _of_torch(dtype: Any, device: Any) -> Arrays:
    try:
        import torch
    except ImportError as error:
        raise InputError("dtype, device and backward=True need PyTorch, which this Python lacks: import "
                         "ml_dtypes for its types, or pass a gradient (dy, positions) -> dx") from error

    kind = dtype if isinstance(dtype, torch.dtype) else getattr(torch, str(dtype), None)
    if not isinstance(kind, torch.dtype):
        raise InputError(f"dtype: PyTorch has no '{dtype}'")
    return Arrays(lambda data, sizes: torch.frombuffer(bytearray(data), dtype=torch.float32)
                  .reshape(sizes).to(device=device, dtype=kind),
                  lambda values, sizes: torch.tensor(values, device=device).reshape(sizes))


def _of_numpy(dtype: Any) -> Arrays:
    import numpy

    try:
        kind = numpy.dtype(dtype)
    except TypeError as error:
        raise InputError(f"dtype: {error}; pass one of NumPy or, as in torch.bfloat16, of PyTorch, "
                         "or import ml_dtypes") from error
    return Arrays(lambda data, sizes: numpy.frombuffer(data, "<f4").reshape(sizes).astype(kind),
                  lambda values, sizes: numpy.array(values).reshape(sizes))


def _is_of_torch(fn: Any) -> bool:
    """Whether the function is a module of PyTorch, or names the library."""
    torch = sys.modules.get("torch")
    fn = inspect.unwrap(fn)
    names = getattr(getattr(fn, "__code__", None), "co_names", ())
    return torch is not None and (
        isinstance(getattr(fn, "__self__", fn), torch.nn.Module)
        or any(getattr(fn, "__globals__", {}).get(name) is torch for name in names))


class Caller:
    """Calls functions with arrays of the library and on the device that the first one takes."""

    def __init__(self, dtype: Any, device: Any, needs_torch: bool) -> None:
        self.dtype, self.device = dtype, device
        self.is_torch = (needs_torch or type(dtype).__module__.partition(".")[0] == "torch"
                         or (dtype == "bfloat16" and "ml_dtypes" not in sys.modules))
        self.found: "Arrays | None" = None

    def _candidates(self, fn: Any) -> Iterator[Arrays]:
        """The possible arrays, the likeliest first."""
        dtype = "float32" if self.dtype is None else self.dtype
        if self.device is not None:
            yield _of_torch(dtype, self.device)
            return
        is_numpy_first = not self.is_torch and not _is_of_torch(fn)
        if is_numpy_first:
            yield _of_numpy(dtype)
        if self.is_torch or "torch" in sys.modules:  # the call may have imported it
            yield _of_torch(dtype, "cpu")
            import torch

            if torch.cuda.is_available():
                yield _of_torch(dtype, "cuda")
            if torch.backends.mps.is_available():
                yield _of_torch(dtype, "mps")
        if not is_numpy_first and not self.is_torch:
            yield _of_numpy(dtype)

    def __call__(self, fn: Callable[..., Any], vectors: "Sequence[tuple[bytes, Sequence[int]]]",
                 ids: "Sequence[float] | None" = None, shape: Sequence[int] = ()) -> Any:
        """`vectors` are float32 values and their sizes. Raises what fn raises: of several libraries'
        arrays, for the likeliest."""
        first: "Exception | None" = None
        for arrays in [self.found] if self.found else self._candidates(fn):
            try:
                y = fn(*(arrays.x(*one) for one in vectors),
                       *([] if ids is None else [arrays.ids(ids, shape)]))
            except InputError:
                raise
            except Exception as error:
                first = first or error
            else:
                self.found = arrays
                return y
        assert first is not None
        raise first
