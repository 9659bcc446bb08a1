"""A request laid out as a function takes it, and what the function returns laid back."""
from __future__ import annotations

from collections.abc import Callable
from typing import Any

from .calling import Caller
from .errors import InputError
from .layout import Layout
from .request import Answer, Request


def ask_with_positions(request: Request, layout: Layout, fn: Callable[..., Any], caller: Caller,
                       sign: int) -> None:
    """One call for the groups' own sequences, and one whose sequence holds every place as often as
    it takes. fn gets x, and sign times the position of each entry of the sequence (of each batch
    entry, if these differ)."""
    answer = Answer(request)
    entries = layout.batch if layout.has_position_per_batch else 1

    def ask(length: int, row_of: Callable[[int, int, int], int]) -> None:
        rows = [row_of(*slot) for slot in layout.slots(length)]
        sizes = layout.sizes(length, request.head_dim)
        places = [request.positions[row_of(b, 0, s)] for b in range(entries) for s in range(length)]
        ids = [sign * one for axis in zip(*places) for one in axis]
        axes = [len(places[0])] if len(places[0]) > 1 else []
        shape = [*axes, *([layout.batch] if layout.has_position_per_batch else []), length]
        answer.add(caller(fn, request.vectors_of(rows), sizes, ids, shape), sizes, rows)

    if request.has_groups:
        ask(request.places, request.row_of_group)
    inner = layout.heads * layout.batch // entries
    per_place = -(-request.vectors // inner)
    cells = request.places * per_place
    length = -(-cells // entries)

    def row_at_place(b: int, h: int, s: int) -> int:
        cell = min(s + (b * length if entries > 1 else 0), cells - 1)
        first = cell % per_place * inner + h + (b * layout.heads if entries == 1 else 0)
        return request.row(cell // per_place, min(first, request.vectors - 1))

    ask(length, row_at_place)
    answer.write()


def ask_contiguous(request: Request, layout: Layout, sequence: range, fn: Callable[..., Any],
                   caller: Caller) -> None:
    """As many calls as it takes for each vector to stand at every position of the sequence, the
    first for the groups' own sequences. Raises InputError when one of the request's positions is
    not among them."""
    if len(request.positions[0]) > 1:
        raise InputError("contiguous: positions have several axes; let the function take them")
    length = len(sequence)
    sizes = layout.sizes(length, request.head_dim)

    def ask(row_of: Callable[[int, int, int], int]) -> None:
        """row_of(b, h, k): the row at the k-th place."""
        at = {abs(request.positions[row_of(0, 0, k)][0]) - sequence.start: k
              for k in range(request.places)}
        for index in at:
            if index not in range(length):
                raise InputError(f"contiguous: position {index + sequence.start} is none of "
                                 f"{sequence.start} to {sequence.stop - 1}")
        slots = list(layout.slots(length))
        asked = [row_of(b, h, at.get(s, 0)) for b, h, s in slots]
        rows = [row if s in at else None for row, (_, _, s) in zip(asked, slots)]
        answer.add(caller(fn, request.vectors_of(asked), sizes), sizes, rows)

    answer = Answer(request)
    if request.has_groups:
        ask(request.row_of_group)
    for first in range(0, request.vectors, layout.batch * layout.heads):
        ask(lambda b, h, place: request.row(
            place, min(first + b * layout.heads + h, request.vectors - 1)))
    answer.write()
