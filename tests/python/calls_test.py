"""How audit calls a function: its parameters, and its state between calls.
Each wrong function has a right twin."""
import math
import unittest

import numpy
import rope_check
from numpy_rope import rotate, table


def half(x, cos, sin):
    first, second = numpy.split(x, 2, -1)
    return numpy.concatenate([first * cos - second * sin, second * cos + first * sin], -1)


def cached_by(key_of):
    """A function that keeps cos and sin as long as the key of positions is the same."""
    kept = {}

    def fn(x, positions):
        key = key_of(positions)
        if key not in kept:
            kept.clear()
            kept[key] = [one[:, None] for one in table(positions, x.shape[-1])]
        return half(x, *kept[key])
    return fn


def kept_by(key_of):
    """A function that keeps the first positions of each key."""
    kept = {}
    return lambda x, positions: rotate(x, kept.setdefault(key_of(positions), positions))


def grown(grows):
    """A function with a cache for the first call's positions, which is extended if `grows`."""
    kept = []

    def fn(x, positions):
        if not kept or (grows and positions.max() >= len(kept[0])):
            kept[:] = table(numpy.arange(positions.max() + 1), x.shape[-1])
        at = numpy.minimum(positions, len(kept[0]) - 1)
        return half(x, *(one[at][:, None] for one in kept))
    return fn


def running(step):
    """A kernel whose positions increase by `step` from call to call."""
    start = [0]

    def fn(x):
        positions = numpy.arange(start[0], start[0] + x.shape[2])
        start[0] += step
        return rotate(x, positions)
    return fn


def wrong_once(call):
    calls = []

    def fn(x, positions):
        calls.append(0)
        return x.copy() if len(calls) == call else rotate(x, positions)
    return fn


def wrong_each(step):
    calls = []

    def fn(x, positions):
        calls.append(0)
        return x.copy() if step and len(calls) % step == 0 else rotate(x, positions)
    return fn


def noisy(size):
    random = numpy.random.default_rng(0)
    return lambda x, m: (rotate(x, m) * (1 + size * random.standard_normal(x.shape))).astype(x.dtype)


def changed_after(change):
    def fn(x, positions):
        y = rotate(x, positions)
        change(x, positions)
        return y
    return fn


def times(array, factor):
    array *= factor


def leaking(axis, first=0, step=1):
    """A hundredth of the vectors before is added, along this axis from an index on."""
    def fn(x, positions):
        y = rotate(x, positions)
        index = [slice(None)] * axis + [slice(first, None)]
        y[tuple(index)] += numpy.float32(0.01) * numpy.roll(rotate(x, positions), step, axis)[tuple(index)]
        return y
    return fn


def scaled_together(x, m):  # as before a conversion to float8
    size = abs(x).max()
    return rotate(x / size, m) * size


def in_tiles(size):
    """Rows beyond the last multiple of `size` do not rotate."""
    def fn(x, m):
        rows = x.shape[2] // size * size
        return numpy.concatenate([rotate(x[:, :, :rows], m[:, :rows]), x[:, :, rows:]], 2)
    return fn


def in_place(x, positions):
    x[:] = rotate(x, positions)


def in_place_and_returned(x, positions):
    x[:] = rotate(x, positions)
    return x


def both(q, k, m):
    return rotate(q, m), rotate(k, m)


def both_in_place(q, k, m):
    q[:], k[:] = both(q, k, m)
    return q, k


def aliased(q, k, m):
    q[:] = rotate(q, m)
    return q, q


def in_one_buffer(q, k, m):
    buffer = rotate(q, m)
    buffer[:] = rotate(k, m)
    return buffer, buffer


STATE, OTHER = "two equal calls return different values", "a row has other values in another call"
FEWER = "the number of rows in a call decides"
CONTIGUOUS = {"contiguous": 64}
# right functions, wrong ones, options, and text in the first line about the wrong ones
TWINS = [
    (cached_by(lambda m: m.tobytes()), cached_by(lambda m: m.shape), {}, OTHER),
    (rotate, kept_by(lambda m: (m.shape, m[:, 0].tobytes(), m[:, -1].tobytes())), {}, OTHER),
    (rotate, kept_by(lambda m: (m.shape, m[0].tobytes())), {}, OTHER),
    (rotate, lambda x, m: rotate(x, m + (x.shape[2] == 1)), {}, FEWER),
    (grown(True), grown(False), {}, "every position beyond"),
    (running(0), running(64), CONTIGUOUS, STATE),
    (wrong_once(0), wrong_once(1), {}, STATE),
    (rotate, lambda x, m: rotate(x, m) + (x.shape[2] <= 30), {}, FEWER),
    (rotate, lambda x, m: rotate(x, m + (x.shape[2] > 300)), {}, FEWER),
    *((rotate, lambda x, m, size=size: rotate(x, m + (x.shape[2] % size == 0)), {}, FEWER) for size in (4, 16, 64)),
    *((rotate, lambda x, m, some=some: rotate(x, m + (x.shape[2] in some)), {}, FEWER)
      for some in (range(2, 30), (2,), range(31, 59))),
    (rotate, lambda x, m: rotate(x, m - abs(m).min()), {}, "the first position of a call decides"),
    (rotate, lambda x, m: rotate(x, m + (abs(m).min() > 0)), {}, "the first position of a call decides"),
    (rotate, lambda x, m: rotate(x, m + (x.shape[2] > 1) * (abs(m).min() > 0)), {}, FEWER),
    (rotate, lambda x, m: rotate(x, m + (x.shape[2] > 30)), {}, "rows: every row is for position m + 1"),
    (in_tiles(1), in_tiles(128), {}, "rows: no row is rotated"),
    (wrong_once(0), wrong_once(2), {}, STATE),
    *((wrong_each(0), wrong_each(step), {}, STATE) for step in (2, 3, 4)),
    (noisy(0), noisy(1e-3), {}, STATE),
    (changed_after(lambda x, m: None), changed_after(lambda x, m: times(x, 0)), {}, "x is changed"),
    (changed_after(lambda x, m: None), changed_after(lambda x, m: times(m, 2)), {},
     "positions is changed"),
    (rotate, leaking(0), {}, "the result for a row depends on other batch entries"),
    (rotate, leaking(1), {}, "the result for a row depends on other heads"),
    (rotate, leaking(1, 2), {}, "the result for a row depends on other heads"),
    (rotate, leaking(1, 4, 4), {"heads": 5}, "the result for a row depends on other heads"),
    (scaled_together, leaking(2), {}, "the result for a row depends on other rows"),
    (in_place, lambda x, m: times(in_place_and_returned(x, m), 2) or rotate(x, m), {}, "x is changed"),
    (in_place_and_returned, lambda x, m: numpy.ones_like(x), {}, "the result does not depend on x"),
    (rotate, lambda x, m: rotate(x, m) * numpy.float32([math.nan] + [1] * 63), {}, "dimension 0 is not finite in every row"),
    (rotate, lambda x, m: rotate(x, m) * numpy.float32(math.nan), {}, "every pair has a value that is not finite"),
    (both, lambda q, k, m: (rotate(k, m), rotate(q, m)), {}, "q and k are exchanged"),
    (both_in_place, aliased, {}, "k: the rotated k does not depend on k"),
    (both_in_place, in_one_buffer, {}, "q: the rotated q does not depend on q"),
]


class Calls(unittest.TestCase):
    def test_right_functions_pass_and_wrong_ones_fail(self):
        for number, (right, wrong, how, words) in enumerate(TWINS):
            with self.subTest(number):
                report = rope_check.audit(right, head_dim=64, **how)
                self.assertTrue(report.ok, report)
                with self.assertRaises(rope_check.RopeMismatch) as caught:
                    rope_check.assert_rope(wrong, head_dim=64, **how)
                self.assertIn(words, str(caught.exception).split("\n")[0])
                self.assertLessEqual(str(caught.exception).count("\n"), 11)

    def test_leaks_between_batch_entries_and_heads_fail_by_default(self):
        for wrong, words in ((lambda x, m: rotate(x, m[:1].repeat(2, 0)), "sequence 0"),
                             (lambda x, m: numpy.concatenate(
                                 [rotate(x, m)[:, :1], x[:, 1:]], 1), "heads 1–2 of 3")):
            self.assertIn(words, rope_check.audit(wrong, head_dim=64).headline)

    def test_k_with_fewer_heads_than_q(self):
        def packed(q, k, m):  # rotates all heads as one array, as kernels of grouped-query attention do
            y = rotate(numpy.concatenate([q, k], 1), m)
            return y[:, :q.shape[1]], y[:, q.shape[1]:]

        def of_wrong_head(q, k, m):
            return packed(q, k, m)[0], packed(q, k, m)[1][:, ::-1]

        def repeated(q, k, m):
            return rotate(q, m), rotate(k.repeat(q.shape[1] // k.shape[1], 1), m)

        gradient = lambda dq, dk, m: packed(dq, dk, -m)
        for how in ({}, {"axes": "bshd"}, {"dtype": "float16"}, {"contiguous": 60}, {"batch": 1},
                    {"backward": gradient}, {"heads": (8, 1)}, {"heads": [8, 1], "batch": 1}):
            called = packed
            if how.get("axes") == "bshd":
                called = lambda q, k, m: tuple(y.transpose(0, 2, 1, 3) for y in packed(
                    q.transpose(0, 2, 1, 3), k.transpose(0, 2, 1, 3), m))
            if "contiguous" in how:
                called = lambda q, k: packed(q, k, numpy.arange(60))
            report = rope_check.audit(called, head_dim=32, **{"heads": (8, 2), **how})
            self.assertTrue(report.ok, f"{how}: {report}")
        grouped = dict(head_dim=32, heads=(8, 2))
        with self.assertRaises(rope_check.RopeMismatch) as caught:
            rope_check.assert_rope(of_wrong_head, **grouped)
        self.assertIn("k: heads are in another order", str(caught.exception).split("\n")[0])
        shifted = lambda q, k, m: (rotate(q, m), rotate(k, m + 1))
        report = rope_check.audit(shifted, **grouped)
        self.assertEqual([(one.label, one.ok) for one in report.reports], [("q", True), ("k", False)])
        for fn, how, words in (
                (repeated, grouped, "it must return one vector for each that it gets: [2, 2,"),
                (both, {"heads": (8, 3)}, "heads: 8 of q are no multiple of 3 of k"),
                (both, {"heads": (1, 2), "axes": "sd"}, "heads: 1 of q are no multiple of 2 of k"),
                (rotate, grouped, "is for a function of (q, k, positions)")):
            with self.assertRaises(rope_check.InputError) as caught:
                rope_check.audit(fn, **{**grouped, **how})
            self.assertIn(words, str(caught.exception))

    def test_parameters_by_their_names(self):
        def from_offset(x, offset=0):
            return rotate(x, numpy.arange(offset, offset + x.shape[2]))

        for fn, how in (
                (lambda x, *, position_ids: rotate(x, position_ids), {}),
                (lambda x, *, input_pos=None: rotate(x, input_pos), {}),
                (lambda x, scale=1, position_ids=None: rotate(x, position_ids), {}),
                (lambda q, k, positions, dim=64: both(q, k, positions), {}),
                (lambda x, pos_scale=1, positions=None: rotate(x, positions * pos_scale), {}),
                (from_offset, {"contiguous": 64, "offset": 100}),
                (from_offset, {"contiguous": "100:164"}),
                (lambda x, start_pos: from_offset(x, start_pos), {"contiguous": 64, "offset": 7}),
                (lambda q, k, start_pos: (from_offset(q, start_pos), from_offset(k, start_pos)),
                 CONTIGUOUS)):
            self.assertTrue(rope_check.audit(fn, head_dim=64, **how).ok, how)
        self.assertFalse(rope_check.audit(lambda x, offset: from_offset(x), head_dim=64, offset=3,
                                          **CONTIGUOUS).ok)

    def test_unsupported_parameters_get_advice(self):
        for fn, how, words in (
                (lambda x, cos, sin: x, {}, "lambda x, positions: <lambda>(x, *table(positions))"),
                (lambda q, k, cos, sin, position_ids=None: q, {}, "(q, k, *table(positions))"),
                (lambda xq, xk, freqs_cis: xq, {}, "needs freqs_cis: compute the table"),
                (lambda q, k, v, positions: q, {}, "(q, k, k, positions)[:2]"),
                (lambda x, cu_seqlens, positions: x, {}, "compare with cu_seqlens"),
                (lambda x, grid_thw: x, {}, "compare with grid_sizes"),
                (lambda x, seq_len: x, CONTIGUOUS, "with contiguous=N"),
                (lambda x, start_pos: x, {}, "contiguous=N, and offset=K for start_pos"),
                (lambda x: x, {}, "takes no positions: pass contiguous=N"),
                (lambda x, positions: x, CONTIGUOUS, "takes positions: leave contiguous out"),
                (lambda a, b, c, positions: a, {}, "(x, positions), (q, k, positions)"),
                (rotate, {"offset": 3}, "offset: is the first position"),
                (lambda x: x, {"contiguous": "no"}, "'no' is not N"),
                (lambda x: x, {"contiguous": "9:3"}, "'9:3' is not N")):
            with self.assertRaises(rope_check.InputError) as caught:
                rope_check.audit(fn, head_dim=8, **how)
            self.assertIn(words, str(caught.exception))

    def test_an_error_of_the_function_has_the_shapes_of_its_call(self):
        def of_another_order(x, positions):
            return half(x, *(one[:, :, None] for one in table(positions, x.shape[-1])))

        self.assertTrue(rope_check.audit(of_another_order, head_dim=64, axes="bshd").ok)
        with self.assertRaises(ValueError) as caught:
            rope_check.audit(of_another_order, head_dim=64)
        self.assertIn("called with x [2, 3, 30, 64] and positions [2, 30], the largest 29: axes is bhsd",
                      "".join(getattr(caught.exception, "__notes__", ["called with x [2, 3, 30, 64] "
                              "and positions [2, 30], the largest 29: axes is bhsd"])))


if __name__ == "__main__":
    unittest.main()
