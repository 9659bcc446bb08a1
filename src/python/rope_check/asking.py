"""Arranges a request for a function, and its results as an answer."""
from __future__ import annotations

import contextlib
import random
from collections.abc import Callable, Container
from math import prod
from typing import Any

from .calling import Caller
from .errors import InputError
from .layout import Layout
from .request import Answer, Values

Slot = tuple[int, int, int]  # batch entry, head, index in the sequence
RowOf = Callable[[int, int, int], "int | None"]  # the row of the request in a slot, if any


class _Asking:
    """Calls one function for the rows of a request, with the rows' positions or with a sequence
    that contains them."""

    def __init__(self, layout: Layout, other: Layout, sequence: "range | None",
                 fn: Callable[..., Any], caller: Caller, sign: int, answer: Answer) -> None:
        request = answer.request
        self.request, self.layout, self.other, self.answer = request, layout, other, answer
        self.fn, self.caller, self.sign = fn, caller, sign
        self.name = getattr(fn, "name", "x")
        self.entries = layout.batch if layout.has_position_per_batch else 1
        self.sequence = sequence
        self.length = request.places if sequence is None else len(sequence)
        if sequence is not None and len(request.positions[0]) > 1:
            raise InputError("contiguous: positions have several axes; let the function take them, or "
                             "check q and q_rot by compare, with grid_sizes for images")

    def in_sequence(self, row_of: Callable[[int, int, int], int]) -> RowOf:
        """row_of(b, h, place) in the order of the places or, in a sequence of given positions, at
        the row's position."""
        if self.sequence is None:
            return row_of
        start = self.sequence.start
        place_at = {abs(int(self.request.positions[row_of(0, 0, place)][0])) - start: place
                    for place in range(self.request.places)}
        for index in place_at:
            if index not in range(self.length):
                raise InputError(f"contiguous: position {index + start} is none of {start} to "
                                 f"{self.sequence.stop - 1}")
        return lambda b, h, s: row_of(b, h, place_at[s]) if s in place_at else None

    def _ids(self, length: int, row_of: RowOf) -> "tuple[list[float], list[int]]":
        """The positions and their shape, for each entry of the sequence (for each batch entry, if these
        differ), on each axis."""
        places = [self.request.positions[row_of(b, 0, s) or 0] for b in range(self.entries)
                  for s in range(length)]
        axes = [len(places[0])] if len(places[0]) > 1 else []
        batch = [self.layout.batch] if self.layout.has_position_per_batch else []
        return [self.sign * one for axis in zip(*places) for one in axis], [*axes, *batch, length]

    def call(self, length: int, row_of: RowOf, negated: Container[Slot] = ()) -> Values:
        """Calls the function with x negated in these slots; it also gets other vectors, such as k if x is q."""
        slots = list(self.layout.slots(length))
        rows = [row_of(*slot) for slot in slots]
        asked = [row or 0 for row in rows]
        sizes, other_sizes = (one.sizes(length, self.request.head_dim)
                              for one in (self.layout, self.other))
        ids = self._ids(length, row_of) if self.sequence is None else ()
        x = self.request.vectors_of(asked, [slot in negated for slot in slots])
        others = self.request.vectors_of([asked[-1 - k % len(asked)]
                                          for k in range(prod(other_sizes[:-1]))])
        try:
            y = self.caller(self.fn, ((x, sizes), (others, other_sizes)), *ids)
            return self.answer.values_of(y, sizes, rows)
        except Exception as error:
            if hasattr(error, "add_note") and not isinstance(error, NameError):  # from Python 3.11 on
                at = f" and positions {ids[1]}, the largest {max(map(abs, ids[0])):g}" if ids else ""
                error.add_note(f"called with x {sizes}{at}: axes is {self.layout.axes}; choose "
                               "axes=sd or axes=bshd, batch=N, heads=N, context=N or position_axes=s")
            raise

    def changed(self, before: Values, row_of: RowOf, negated: "set[Slot]") -> "tuple[bool, bool]":
        """Whether the rows of x that are negated change, and whether the other rows do."""
        after, rows = self.call(self.length, row_of, negated), {row_of(*slot) for slot in negated}
        return after.differ(before, rows), after.differ(before, set(after.of_row) - rows)

    def mixed(self, before: Values, row_of: RowOf, slots: "list[Slot]") -> "list[str]":
        """The faults by which rows change where others are negated."""
        faults = []
        for axis, name in enumerate(("entries", "heads", "rows")):
            halves = [{slot for slot in slots if slot[axis] >> bit & 1 == half}  # of any two indices, one
                      for bit in range(max(slots)[axis].bit_length()) for half in (0, 1)]
            if any(self.changed(before, row_of, half)[1] for half in halves):
                faults.append(f"mixed {name}")
        # it may return something else in every second call, or in every third
        is_steady = not any(self.call(self.length, row_of).differ(before) for _ in range(4))
        return faults if is_steady else ["state"]

    def group_calls(self) -> "tuple[Values, Callable[[], None]]":
        """Calls with a sequence of each group. Returns its values, and the call to make last."""
        request, layout, length = self.request, self.layout, self.length
        first = in_reverse = self.in_sequence(request.row_of_group)
        half = -(-length // 2)
        shorter: "list[tuple[int, RowOf, Values]]" = []
        if self.sequence is None:
            nearest = [sorted(range(length), key=lambda k: abs(
                request.positions[request.row_of_group(b, 0, k)][0])) for b in range(layout.batch)]
            rows_from = lambda start: lambda b, h, s: first(b, h, nearest[b][start + s])
            in_reverse = lambda b, h, s: first(b, h, length - 1 - s)
            shorter.append((half, rows_from(0), self.call(half, rows_from(0))))
            later = [(rows, rows_from(length - rows)) for rows in {1, min(16, half)}]  # a step, a chunk
            for rows, row_of in (*((rows, rows_from(0)) for rows in (2, 1, 3 * length // 4)), *later):
                with contextlib.suppress(Exception):  # some functions take no single rows
                    shorter.append((rows, row_of, self.call(rows, row_of)))
        else:
            with contextlib.suppress(Exception):  # some functions take one length only
                self.call(half, first)
            shorter.append((length, first, self.call(length, first)))
        self.answer.keep(every := self.call(length, first))
        again = [reverse := self.call(length, in_reverse)]
        if self.sequence is None:  # entry 0, or else the first and the last position, is as before
            again.append(self.call(length, lambda b, h, s: first(
                b, h, s if s in (0, length - 1) or (b == 0 and self.entries > 1) else length - 1 - s)))
        are_equal = all([self.answer.are_equal(one, every) for one in again])
        fewer_are_equal = [request.has_two_tables or self.answer.are_equal(one, every)
                           for *_, one in shorter]
        if not (are_equal and all(fewer_are_equal)):
            have_first = [row_of(0, 0, 0) == shorter[0][1](0, 0, 0) for _, row_of, _ in shorter]
            fewer = "reused offset" if fewer_are_equal == have_first else "reused rows"
            self.answer.fault("reused" if not are_equal else fewer)
        slots = list(layout.slots(length))
        negated = {slots[0], *random.Random(0).sample(slots, len(slots) // 2)}
        negated_change, others_change = self.changed(reverse, in_reverse, negated)
        if not (negated_change or reverse.are_zero()):
            self.answer.fault(f"ignored {self.name}")
        for name in self.mixed(reverse, in_reverse, slots) if others_change else ():
            self.answer.fault(name)

        def call_last() -> None:
            repeated = [(length, first, every), *(() if request.has_two_tables else shorter)]
            if not all(self.answer.are_equal(self.call(rows, row_of), before)
                       for rows, row_of, before in repeated):
                self.answer.fault("state")

        return every, call_last

    def matrix_calls(self, every: Values) -> None:
        """Calls with the vectors of all matrices: each at every position of a sequence, or, in one
        call, the rows of the groups, which were `every`, and each place as often as it takes."""
        request, layout = self.request, self.layout
        per_call = layout.batch * layout.heads
        if self.sequence is not None:
            for first in range(0, request.vectors, per_call):
                self.answer.keep(self.call(self.length, self.in_sequence(lambda b, h, k: request.row(
                    k, min(first + b * layout.heads + h, request.vectors - 1)))))
            return
        inner = per_call // self.entries
        per_place = -(-request.vectors // inner)
        cells = request.places * per_place
        length = -(-cells // self.entries)

        def row_at_place(b: int, h: int, s: int) -> int:
            if s < request.places:
                return request.row_of_group(b, h, s)
            cell = min(s - request.places + (b * length if self.entries > 1 else 0), cells - 1)
            first = cell % per_place * inner + h + (b * layout.heads if self.entries == 1 else 0)
            return request.row(cell // per_place, min(first, request.vectors - 1))

        rows = -(-(length + request.places) // 128) * 128  # kernels may have another branch for whole tiles
        values = self.call(rows, row_at_place)
        if not self.answer.are_equal(values, every) and not any(
                one.startswith("reused") for one in self.answer.faults):
            self.answer.fault("reused rows")
        self.answer.keep(values)
        self.answer.keep(every)


def ask(layout: Layout, other: Layout, sequence: "range | None", fn: Callable[..., Any],
        caller: Caller, sign: int, answer: Answer) -> None:
    """Answers every row of the request. `other` is the layout of k where x is q, and of q where x is k.
    The function is called with few positions, with all of them, and at last again: equal rows must get
    equal values. Raises what the function raises."""
    asking = _Asking(layout, other, sequence, fn, caller, sign, answer)
    every, call_last = asking.group_calls()
    asking.matrix_calls(every)
    call_last()
    for name in sorted(getattr(fn, "modified", ())):
        answer.fault(f"modified {name}")
