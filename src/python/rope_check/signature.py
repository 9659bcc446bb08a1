"""A function's parameters, by their names, and its results for each vector."""
from __future__ import annotations

import inspect
from collections.abc import Callable, Sequence
from typing import Any

from .errors import InputError
from .tensors import tensor_of

OFFSETS = ("offset", "start_pos", "index_pos", "pos_offset", "position_offset", "start_position",
           "seqlen_offset", "seqlen_offsets", "start_index", "cache_len", "cache_length", "past_length",
           "past_key_values_length")
POSITIONS = ("positions", "position_ids")
# parameters that an audit does not fill, and the way to call the function without them
ADVICE = (
    (("cos", "sin", "cos_sin", "cos_cached", "sin_cached", "cos_sin_cache", "freqs", "freqs_cis",
      "freqs_cos", "freqs_sin", "position_embeddings", "rotary_emb", "rotary_pos_emb", "rope_cache"),
     "compute the table in a wrapper: lambda {x}, positions: {fn}({x}, *table(positions))"),
    (("cu_seqlens", "cu_seqlens_q", "cu_seq_lens", "seqlens", "seq_lens"),
     "give one sequence in a wrapper, or check q and q_rot by compare with cu_seqlens"),
    (("grid_thw", "image_grid_thw", "video_grid_thw", "grid_sizes", "grid_size", "grid_hw"),
     "give one image in a wrapper, or check q and q_rot by compare with grid_sizes"),
    (("v", "value", "values", "value_states"),
     "give any v in a wrapper: lambda q, k, positions: {fn}(q, k, k, positions)[:2]"),
    (("seq_len", "seqlen", "seq_length", "length"),
     "give the length in a wrapper: lambda x: {fn}(x, N), with contiguous=N"),
)


def _refuse(fn: Any, names: "Sequence[str]", what: str) -> InputError:
    own = getattr(fn, "__name__", type(fn).__name__)
    x = "q, k" if len(names) > 1 and names[1][0] in "kx" else "x"
    return InputError(f"{own}({', '.join(names)}) {what.format(fn=own, x=x)} (docs/python.md)")


class Signature:
    """The parameters of fn that get vectors, the positions and, where its sequences are contiguous,
    the offset of the first position. Raises InputError, which says how to wrap other functions."""

    def __init__(self, fn: Callable[..., Any], sequence: "range | None") -> None:
        if inspect.isclass(fn):
            raise InputError(f"{fn.__name__} is a class: pass a function or an object of it (docs/python.md)")
        try:
            parameters = list(inspect.signature(getattr(fn, "forward", fn)).parameters.values())
        except (TypeError, ValueError):
            parameters = []
        names = [one.name for one in parameters]
        is_open = not parameters or any(one.kind is one.VAR_POSITIONAL for one in parameters)
        parameters = [one for one in parameters
                      if one.kind not in (one.VAR_POSITIONAL, one.VAR_KEYWORD)]
        in_order = [one for one in parameters
                    if one.kind in (one.POSITIONAL_ONLY, one.POSITIONAL_OR_KEYWORD)]
        required = [one for one in parameters if one.default is one.empty]
        for known, advice in ADVICE:
            found = next((one.name for one in required if one.name in known), None)
            if found:
                raise _refuse(fn, names, f"needs {found}: {advice}")
        offset = next((one for one in parameters if one.name in OFFSETS), None)
        positions = next((one for one in [*required, *(one for one in parameters if one.name in POSITIONS),
                                          *parameters] if "pos" in one.name and one is not offset), None)
        vectors = [one for one in required if one is not offset and one is not positions]
        self.keywords: dict[str, Any] = {}
        self.positions_at: "int | str | None" = None  # in the order of the arguments, or by keyword
        if sequence is not None:
            if offset is not None:
                self.keywords[offset.name] = sequence.start
            if positions is not None and positions in required:
                raise _refuse(fn, names, f"takes {positions.name}: leave contiguous out")
        elif positions is not None:
            at = in_order.index(positions) if positions in in_order else None
            self.positions_at = at if positions in required and at is not None else positions.name
        elif offset is not None and (offset in required or len(vectors) == 1 and not is_open):
            raise _refuse(fn, names, "takes no positions of each row: pass contiguous=N, and "
                          f"offset=K for {offset.name}")
        elif len(vectors) > 1:
            self.positions_at = len(vectors) - 1
            vectors.pop()
        elif is_open or len(in_order) > 1:
            self.positions_at = 1
        else:
            raise _refuse(fn, names, "takes no positions: pass contiguous=N, the length of its "
                          "sequences")
        self.vectors = len(vectors) or 1
        if self.vectors > 2 or any(one not in in_order for one in vectors):
            raise _refuse(fn, names, "is called with (x, positions), (q, k, positions) or, with "
                          "contiguous=N, (x) or (q, k): wrap it")

    def call(self, fn: Callable[..., Any], vectors: Sequence[Any], positions: "Sequence[Any]") -> Any:
        words, keywords = list(vectors), dict(self.keywords)
        if isinstance(self.positions_at, str):
            keywords[self.positions_at] = positions[0]
        elif self.positions_at is not None:
            words.insert(self.positions_at, *positions)
        return fn(*words, **keywords)


class Output:
    """One of the arrays that fn returns, as a function of x, of other vectors for the other one of q
    and k, and of the positions. `modified` are the arguments that it changed without returning them."""

    def __init__(self, fn: Callable[..., Any], signature: Signature, index: int, role: str) -> None:
        self.role = role
        self.__wrapped__, self.signature, self.index = fn, signature, index
        self.names = ("x",) if signature.vectors == 1 else ("q", "k")
        self.name = self.names[index]
        self.modified: set[str] = set()

    def __call__(self, x: Any, other: Any, *positions: Any) -> Any:
        given = [x if name == self.name else other for name in self.names]
        before = [tensor_of(one, "x") for one in (x, *positions)]
        y = self.result_of(self.signature.call(self.__wrapped__, given, positions))
        after = [tensor_of(one, "x") for one in (x, *positions)]
        if y is None and before[0] == after[0]:
            raise InputError(f"{self.role} returned None and left {self.name} as it was; return the "
                             f"rotated {self.name}, or rotate it in place")
        y = x if y is None else y
        if after[0] not in (before[0], tensor_of(y, "what the function returned")):
            self.modified.add(self.name)
        if before[1:] != after[1:]:
            self.modified.add("positions")
        return y

    def result_of(self, y: Any) -> Any:
        count = len(self.names)
        if inspect.iscoroutine(y):
            y.close()  # else Python warns that nobody waited for it
            raise InputError(f"{self.role} is asynchronous and returned a coroutine; pass a function "
                             "that returns the values, such as one that calls asyncio.run")
        if isinstance(y, (tuple, list)):
            if any(isinstance(one, (tuple, list)) for one in y):
                raise InputError(f"{self.role} returned lists of numbers; return an array, without "
                                 "tolist()")
            if len(y) != count:
                raise InputError(f"{self.role} returned {len(y)} arrays; return the rotated "
                                 + ("q and k" if count == 2 else "x, or take (q, k, positions)"))
            return y[self.index]
        if y is not None and count == 2:
            raise InputError(f"{self.role} of q and k returned one {type(y).__name__}; return (q, k)")
        return y


def outputs_of(fn: Callable[..., Any], sequence: "range | None",
               role: str = "the function") -> "dict[str, Output]":
    """fn by its outputs: one without a name, or q and k. Raises as Signature does."""
    signature = Signature(fn, sequence)
    outputs = [Output(fn, signature, k, role) for k in range(signature.vectors)]
    return {one.name if len(outputs) == 2 else "": one for one in outputs}


def gradient_by_torch(output: Output) -> Callable[..., Any]:
    def vjp(dy: Any, *others: Any) -> Any:
        import torch

        x = torch.ones_like(dy).requires_grad_()
        gradient: Any = torch.autograd.grad(output(x.clone(), *others), x, dy)
        return gradient[0]

    return vjp
