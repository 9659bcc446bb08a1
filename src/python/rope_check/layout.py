"""The arrangement of an audited function's arguments."""
from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import product
from typing import Any, NamedTuple

from .errors import InputError


class Layout(NamedTuple):
    """The axes of a function's arguments, such as bhsd or thd, and the length of each."""

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

    def words(self, is_contiguous: bool) -> dict[str, Any]:
        """The options of `audit new` for these batch entries and heads."""
        if self.batch * self.heads == 1:
            return {}
        shares_positions = is_contiguous or not self.has_position_per_batch
        return {"batch": self.batch, "heads": self.heads,
                "position_axes": "s" if shares_positions else "bs"}


def layout_of(axes: str, batch: int, heads: int, position_axes: "str | None") -> Layout:
    """Raises InputError unless d is the last axis, s or t occurs once, and b and h at most once."""
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


def layouts_of(layout: Layout, of_k: "Sequence[int]",
               outputs: "Iterable[str]") -> "dict[str, tuple[Layout, Layout]]":
    """The layout of each output and that of the other one of q and k. `of_k` is the number of k's
    heads in grouped-query attention, else empty. Raises InputError."""
    if not of_k:
        return {name: (layout, layout) for name in outputs}
    heads, *more = of_k
    if list(outputs) != ["q", "k"]:
        raise InputError(f"heads: {layout.heads},{heads} is for a function of (q, k, positions); "
                         f"for one of (x, positions) give heads={layout.heads}")
    if more or heads < 1 or layout.heads % heads or "h" not in layout.axes:
        raise InputError(f"heads: {layout.heads} of q are no multiple of {heads} of k")
    k = layout._replace(heads=heads)
    return {"q": (layout, k), "k": (k, layout)}


def sequence_of(contiguous: "int | str | None", offset: int) -> "range | None":
    """The positions 0 … N − 1 for N, or A:B as a range. Raises InputError."""
    if contiguous is None:
        if offset:
            raise InputError("offset: is the first position of a sequence; pass contiguous=N with it")
        return None
    first, colon, end = str(contiguous).rpartition(":")
    try:
        start = int(first) if colon else offset
        sequence = range(start, int(end) if colon else start + int(end))
    except ValueError:
        sequence = range(0)
    if not sequence or sequence.start < 0:
        raise InputError(f"contiguous: {contiguous!r} is not N, the length of its sequences, or "
                         "'A:B', their positions A to B - 1")
    return sequence
