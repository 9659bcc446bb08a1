"""Functions that are wrong in one batch entry or one head, or use the positions of others,
and their diagnosis by audit."""
import itertools
import unittest

import numpy
import rope_check
from numpy_rope import rotate


def by_layout(axes):
    """rotate() for x with another order of axes."""
    def fn(x, *positions):
        order = [axes.replace("t", "s").index(axis) for axis in "bhsd" if axis in axes.replace("t", "s")]
        x = x.transpose(order)
        y = rotate(x, *(positions or [numpy.arange(x.shape[-2])]))
        return y.transpose(numpy.argsort(order))
    return fn


def in_groups(change):
    """rotate() with the positions change(positions [batch, heads, sequence], x)."""
    def fn(x, positions):
        every = numpy.broadcast_to(positions[:, None], x.shape[:3]).copy()
        flat = change(every, x).reshape(-1, 1)
        return rotate(x.reshape(-1, 1, 1, x.shape[-1]), flat).reshape(x.shape)
    return fn


def entry_is_still(x, positions):
    y = rotate(x, positions)
    y[1] = x[1]
    return y


def head_off_by_one(positions, x):
    positions[:, 2] += 1
    return positions


FAULTS = [
    (entry_is_still, "batch entry 1 of 2: no row is rotated"),
    (in_groups(head_off_by_one), "head 2 of 3: every row is for position m + 1, not m"),
    (in_groups(lambda m, x: numpy.broadcast_to(m[:1], m.shape)),
     "every batch entry has the position_ids of sequence 0, not its own"),
    (in_groups(lambda m, x: numpy.broadcast_to(numpy.arange(m.shape[2]), m.shape)),
     "rows are rotated by their row numbers in the sequence, not by their positions"),
    (in_groups(lambda m, x: numpy.broadcast_to(numpy.arange(m.size // m.shape[1]).reshape(
        len(m), 1, -1), m.shape)), "positions are row numbers of the whole batch"),
    (in_groups(lambda m, x: numpy.broadcast_to(numpy.arange(m.shape[1])[:, None], m.shape)),
     "positions are head numbers: the rotation runs along the heads axis"),
    (in_groups(lambda m, x: numpy.broadcast_to(numpy.arange(m.shape[0])[:, None, None], m.shape)),
     "positions are numbers of batch entries"),
    (lambda x, m: rotate(x, m)[:, [1, 2, 0]], "heads are in another order after the rotation"),
]


def unrotated(rows):
    """rotate() that does not rotate these rows of each sequence."""
    def fn(x, positions):
        y = rotate(x, positions)
        y[:, :, rows] = x[:, :, rows]
        return y
    return fn


class Groups(unittest.TestCase):
    def assert_causes(self, report, *causes):
        self.assertFalse(report.ok)
        self.assertEqual(len(report.diagnosis), len(causes), report)
        for found, cause in zip(report.diagnosis, causes):
            self.assertIn(cause, found.what)

    def test_the_right_cause_is_named(self):
        for fn, cause in FAULTS:
            with self.subTest(cause):
                # the first positions equal the row numbers if they are in order
                for how in ({}, {"dtype": "float16"}, {"positions": list(range(8))}):
                    report = rope_check.audit(fn, head_dim=64, batch=2, heads=3, **how)
                    self.assert_causes(report, cause)

    def test_rows_that_a_kernel_does_not_rotate(self):
        last, first = slice(-3, None), slice(0, 1)
        self.assert_causes(rope_check.audit(unrotated(last), head_dim=64),
                           "rows 56–58 of each sequence are not rotated")
        self.assert_causes(rope_check.audit(unrotated(first), head_dim=64),
                           "row 0 of each sequence is not rotated")

        def not_finite(x, positions):
            y = numpy.concatenate([rotate(x[..., :32], positions), x[..., 32:]], -1)
            y[:, :, last] = numpy.nan
            return y

        self.assertIn("rows 56–58 are not finite", str(rope_check.audit(
            not_finite, head_dim=64, rotary_dim=32)))

    def test_batch_entries_leak_on_several_axes(self):
        of_axes = dict(head_dim=12, rope={"axes": "sectioned"}, mrope_section=[2, 2, 2])

        def by_axes(positions):
            pair_axis = numpy.repeat([0, 1, 2], 2)
            inv_freq = 1 / 10000.0 ** (numpy.arange(6) / 6)
            angle = positions[pair_axis].transpose(1, 2, 0) * inv_freq
            return numpy.cos(angle)[:, None], numpy.sin(angle)[:, None]

        def on_axes(x, positions):
            cos, sin = by_axes(positions)
            one, other = x[..., :6], x[..., 6:]
            y = numpy.concatenate([one * cos - other * sin, other * cos + one * sin], -1)
            return y.astype(x.dtype)

        self.assertTrue(rope_check.audit(on_axes, **of_axes).ok)
        report = rope_check.audit(lambda x, m: on_axes(x, numpy.repeat(m[:, :1], 2, 1)), **of_axes)
        self.assertIn("every batch entry has the position_ids of sequence 0", report.headline)

    def test_batch_entries_that_share_their_positions(self):
        def head_is_still(x, positions):
            y = rotate(x, positions)
            y[:, 1] = x[:, 1]
            return y

        how = dict(head_dim=64, batch=2, heads=3, position_axes="s")
        self.assert_causes(rope_check.audit(head_is_still, **how), "head 1 of 3: ")
        self.assert_causes(rope_check.audit(lambda x, m: rotate(x, numpy.arange(len(m))), **how),
                           "rows are rotated by their row numbers in the sequence")

    def test_contiguous_sequences(self):
        def entry_counts_on(x):
            length = x.shape[2]
            return rotate(x, numpy.arange(len(x) * length).reshape(-1, length))

        def along_heads(x):
            return rotate(x.transpose(0, 2, 1, 3), numpy.arange(x.shape[1])).transpose(0, 2, 1, 3)

        how = dict(head_dim=64, contiguous=300, batch=2, heads=3)
        self.assert_causes(rope_check.audit(entry_counts_on, **how),
                           "batch entry 1 of 2: every row is for position m + 300, not m")
        self.assert_causes(rope_check.audit(along_heads, **how), "positions are head numbers")
        self.assert_causes(rope_check.audit(lambda x: entry_is_still(x, numpy.arange(300)), **how),
                           "batch entry 1 of 2: no row is rotated")

    def test_the_gradient_of_one_head(self):
        def gradient(dy, positions):
            dx = rotate(dy, positions, sign=-1)
            dx[:, 2] = rotate(dy, positions)[:, 2]
            return dx

        report = rope_check.audit(rotate, head_dim=64, batch=2, heads=3, backward=gradient)
        self.assertEqual([one.ok for one in report.reports], [True, False])
        self.assert_causes(report, "head 2 of 3: every pair rotates in the opposite direction")

    def test_a_right_function_is_ok_in_every_shape(self):
        for axes in ("bhsd", "bshd", "thd", "hbsd", "sbhd"):
            for batch in (1, 2, 3) if "b" in axes else (1,):
                for heads in (1, 2, 3, 5):
                    for how in ({}, {"contiguous": 60}, {"position_axes": "s"}):
                        gradient = lambda dy, *m, fn=by_layout(axes): fn(dy, *(
                            [-one for one in m] or [-numpy.arange(60)]))
                        report = rope_check.audit(
                            by_layout(axes), head_dim=16, axes=axes, batch=batch, heads=heads,
                            backward=gradient, context=2048 if not how else 60, **how)
                        self.assertTrue(report.ok, f"{axes} {batch} {heads} {how}: {report}")

    def test_a_type_that_changes_from_call_to_call_is_refused(self):
        types = itertools.cycle(("float32", "float64"))
        with self.assertRaisesRegex(rope_check.InputError, "returned F32, and then F64"):
            rope_check.audit(lambda x, m: rotate(x, m).astype(next(types)), head_dim=8)

    def test_too_many_groups_are_refused(self):
        with self.assertRaisesRegex(rope_check.InputError, "65 batch entries of 64 heads"):
            rope_check.audit(rotate, head_dim=8, batch=65, heads=64)


if __name__ == "__main__":
    unittest.main()
