"""audit() of right and broken functions in this process."""
import pathlib
import subprocess
import tempfile
import traceback
import unittest
import unittest.mock

import numpy
import rope_check
from numpy_rope import rotate


def named(report):
    return [one.mistake for one in report.diagnosis]


class Audit(unittest.TestCase):
    def test_a_right_function_is_ok_in_every_arrangement(self):
        for how in ({}, {"batch": 3, "heads": 5}, {"batch": 2, "position_axes": "s"},
                    {"heads": 67}, {"dtype": "float64"}, {"dtype": "float16", "seed": 3}):
            report = rope_check.audit(rotate, head_dim=64, **how)
            self.assertTrue(report.ok, f"{how}: {report}")

    def test_the_function_gets_the_documented_shapes(self):
        seen = []

        def fn(x, positions):
            seen.append((x.shape, positions.shape, x.dtype, positions.dtype))
            return numpy.zeros_like(x)

        rope_check.audit(fn, head_dim=8, positions=[0, 1, 2], axes="bshd", batch=2, heads=4)
        # few positions, all in several orders, and these again; in between, 11 vectors for each position in a
        # call of whole tiles
        few = (2, 2, 1, 2, 1, 2)
        self.assertEqual(seen, [((2, length, 4, 8), (2, length), "float32", "int64")
                                for length in (*few, 3, 3, 3, 3, 128, 3, *few)])
        rope_check.audit(fn, head_dim=8, positions=[0, 0.5], axes="thd", heads=3, dtype="float16")
        self.assertIn(((128, 3, 8), (128,), "float16", "float64"), seen)
        rope_check.audit(fn, head_dim=12, positions=[0, 1], layout="sd", rope={"axes": "sectioned"},
                         mrope_section=[2, 2, 2])
        self.assertIn(((128, 12), (3, 128), "float32", "int64"), seen)

    def test_the_largest_position_chooses_between_two_tables(self):
        def by_list(is_long):
            def fn(x, positions):
                factor = 1 + numpy.arange(4) * (3 if is_long(positions) else 1)
                return rotate(x, positions, factor=factor) * numpy.float32(1.5)
            return fn

        config = dict(head_dim=8, rope_type="longrope", short_factor=[1, 2, 3, 4],
                      long_factor=[1, 4, 7, 10], attention_factor=1.5,
                      original_max_position_embeddings=2048, max_position_embeddings=8192)
        right, always_short = by_list(lambda m: abs(m).max() >= 2048), by_list(lambda m: False)
        for how, short_is_right in (({}, False), ({"context": 2048}, True), ({"positions": [-9, 7]}, True),
                                    ({"positions": [-4000, 7]}, False)):
            self.assertTrue(rope_check.audit(right, **config, **how).ok, how)
            self.assertEqual(rope_check.audit(always_short, **config, **how).ok, short_is_right)
        config = dict(head_dim=64, rope_type="dynamic", factor=4, max_position_embeddings=2048,
                      context=8192)
        self.assertTrue(rope_check.audit(
            lambda x, m: rotate(x, m, 1e4 * (4 * (m.max() + 1) / 2048 - 3) ** (64 / 62)), **config).ok)
        self.assertFalse(rope_check.audit(rotate, **config).ok)

    def test_a_nonlinear_function_fails(self):
        report = rope_check.audit(lambda x, m: rotate(numpy.clip(x, -8, 8), m), head_dim=64)
        self.assertEqual(report["linearity"].verdict, "violated")

    def test_sequences_after_a_cache(self):
        """As a decoder calls a kernel that counts positions itself."""
        def fn(x):
            return rotate(x, numpy.arange(4096, 4096 + x.shape[-2]))

        def gradient(dy):
            return rotate(dy, numpy.arange(4096, 4096 + dy.shape[-2]), sign=-1)

        how = dict(head_dim=64, contiguous=50, offset=4096)
        report = rope_check.audit(fn, backward=gradient, **how)
        self.assertTrue(report.ok, report)
        self.assertFalse(rope_check.audit(lambda x: rotate(x, numpy.arange(50)), **how).ok)
        with self.assertRaisesRegex(rope_check.InputError, "position 50 is none of 4096 to 4145"):
            rope_check.audit(fn, positions=[4096, 50], **how)

    def test_gradients(self):
        def gradient(dy, *positions):
            return rotate(dy, *(positions or [numpy.arange(dy.shape[-2])]), sign=-1)

        report = rope_check.audit(rotate, head_dim=64, backward=gradient)
        self.assertTrue(report.ok, report)
        self.assertEqual(len(report.reports), 2)
        # forgets the transpose
        report = rope_check.audit(rotate, head_dim=64, backward=rotate)
        self.assertEqual([one.ok for one in report.reports], [True, False])
        self.assertEqual(named(report), ["direction"])
        self.assertIn("gradient (the rotation to -m):", str(report))
        self.assertEqual(report.headline, "gradient (the rotation to -m): every pair rotates in the "
                         "opposite direction: sin is negated")
        report = rope_check.audit(lambda x: rotate(x, numpy.arange(99)), head_dim=64, contiguous=99,
                                  backward=gradient)
        self.assertTrue(report.ok, report)

    def test_the_attention_factor_is_in_the_gradient_too(self):
        yarn = dict(head_dim=64, rope_type="yarn", factor=1, attention_factor=1.25,
                    original_max_position_embeddings=2048)
        report = rope_check.audit(lambda x, m: rotate(x, m) * numpy.float32(1.25),
                                  backward=lambda g, m: rotate(g, m, sign=-1), **yarn)
        self.assertEqual([one.ok for one in report.reports], [True, False])
        report = rope_check.audit(lambda x, m: rotate(x, m) * numpy.float32(1.25),
                                  backward=lambda g, m: rotate(g, m, sign=-1) * numpy.float32(1.25),
                                  **yarn)
        self.assertTrue(report.ok, report)

    def test_assert_rope_raises_the_failure_block(self):
        self.assertTrue(rope_check.assert_rope(rotate, head_dim=64).ok)
        with self.assertRaises(AssertionError) as caught:
            rope_check.assert_rope(rotate, head_dim=64, rope_theta=5e5)
        lines = str(caught.exception).split("\n")
        self.assertLessEqual(len(lines), 12)
        self.assertEqual(lines[:2], ["rope_theta is 10000 instead of 500000",
                                     "rotate: failed table-accuracy, score-accuracy"])
        self.assertIn('usual cause: getattr(config, "rope_theta", 10000)', lines[3])
        self.assertNotIn("reproduce: ", str(caught.exception))
        with tempfile.TemporaryDirectory() as folder:
            self.repeat(f"{folder}/kept")

    def repeat(self, folder):
        with self.assertRaises(AssertionError) as caught:
            rope_check.assert_rope(rotate, head_dim=64, rope_theta=5e5, keep=folder)
        lines = str(caught.exception).split("\n")
        command = next(one for one in lines if one.startswith("reproduce: ")).partition(": ")[2]
        done = subprocess.run(["bash", "-c", command + " --format text"], capture_output=True,
                              encoding="utf-8")
        self.assertEqual(done.returncode, 1, done.stderr)
        self.assertIn("rope_theta is 10000 instead of 500000", done.stdout)
        with self.assertRaisesRegex(AssertionError, "(?m)^FAIL table-accuracy"), \
                tempfile.TemporaryDirectory() as kept:
            rope_check.assert_rope(rotate, head_dim=64, rope_theta=5e5, verbose=True, keep=f"{kept}/x")

    def test_no_folder_stays(self):
        with tempfile.TemporaryDirectory() as folder, \
                unittest.mock.patch.object(tempfile, "tempdir", folder):
            rope_check.assert_rope(rotate, head_dim=8)
            with self.assertRaises(rope_check.InputError):
                rope_check.assert_rope(lambda x, m: None, head_dim=8)
            with self.assertRaises(AssertionError):
                rope_check.assert_rope(rotate, head_dim=8, rope_theta=5e5)
            self.assertEqual(list(pathlib.Path(folder).iterdir()), [])

    def test_a_traceback_has_only_the_caller_and_the_function(self):
        def broken(x, m):
            raise ZeroDivisionError("mine")

        for fn, how, error, names in (
                (broken, {}, ZeroDivisionError, ["called", "called", "broken"]),
                (lambda x, m: None, {}, rope_check.InputError, ["called"]),
                (rotate, {"rope_theta": -1.0}, rope_check.InputError, ["called"])):
            with self.assertRaises(error) as caught:
                rope_check.audit(fn, head_dim=8, **how)
            frames = traceback.extract_tb(caught.exception.__traceback__)
            own = [one.name for one in frames if "/rope_check/" in one.filename]
            self.assertLessEqual(len(own), 1, frames)
            self.assertTrue(caught.exception.__suppress_context__ or error is ZeroDivisionError)

    def test_q_and_k_are_checked_separately(self):
        def both(query, key, position_ids):
            return rotate(query, position_ids), rotate(key, position_ids + 1)

        def swapped(positions, q, k):
            return rotate(k, positions), rotate(q, positions)

        report = rope_check.audit(both, head_dim=16)
        self.assertEqual([(one.label, one.ok) for one in report.reports], [("q", True), ("k", False)])
        self.assertEqual(named(report), ["position-offset"])
        self.assertTrue(rope_check.audit(lambda q, k, m: (rotate(q, m), rotate(k, m)), head_dim=16).ok)
        self.assertEqual([one.ok for one in rope_check.audit(swapped, head_dim=16).reports], 2 * [False])
        at = numpy.arange(40)
        self.assertTrue(rope_check.audit(lambda q, k: (rotate(q, at), rotate(k, at)), head_dim=16,
                                         contiguous=40).ok)
        report = rope_check.audit(
            lambda q, k, m: (rotate(q, m), rotate(k, m)), head_dim=16,
            backward=lambda dq, dk, m: (rotate(dq, m, sign=-1), rotate(dk, m)))
        self.assertEqual([one.ok for one in report.reports], [True, True, True, False])

    def test_unusable_answers_and_arguments_are_refused(self):
        async def later(x, m):
            return x

        for fn, how, words in (
                (lambda x, m: x[0], {}, "returned F32 [3, 4, 8]; it must return"),
                (lambda x, m: None, {}, "returned None and left x as it was"),
                (lambda x, m: (x, x), {}, "returned 2 arrays"),
                (lambda x, m: x.tolist(), {}, "returned lists of numbers; return an array"),
                (later, {}, "is asynchronous and returned a coroutine"),
                (lambda q, k, m: q, {}, "of q and k returned one ndarray; return (q, k)"),
                (lambda x, m: x.view("u4"), {}, "returned U32; it must return floats"),
                (rotate, {"backward": lambda g, m: None}, "the gradient returned None"),
                (lambda x, m: "no", {}, "a str is no array"),
                (rotate, {"layout": "bhd"}, "axes: 'bhd'"),
                (rotate, {"axes": "thd", "position_axes": "bs"}, "position_axes: 'bs'"),
                (rotate, {"layout": "interleaved-to-half", "backward": rotate}, "backward: with layout"),
                (rotate, {"heads": 0}, "heads must be at least 1"),
                (rotate, {"dtype": "float33"}, "float33"),
                (rotate, {"contexts": 9}, "unknown option 'contexts'; did you mean 'context'?"),
                (type, {}, "type is a class: pass a function or an object of it"),
                (rotate, {"axis": "bshd"}, "unknown option 'axis'; did you mean 'axes'?"),
                (rotate, {"zzz": 1}, "unknown option 'zzz'; help(rope_check) lists them")):
            with self.assertRaises(rope_check.InputError) as caught:
                rope_check.audit(fn, **{"head_dim": 8, "positions": [0, 1, 2, 9, 300, 2047, 5, 6], **how})
            self.assertIn(words, str(caught.exception))

    def test_the_request_and_the_answer_are_kept(self):
        with tempfile.TemporaryDirectory() as folder:
            rope_check.audit(rotate, head_dim=8, keep=f"{folder}/kept")
            names = sorted(one.name for one in pathlib.Path(folder, "kept/request").iterdir())
        self.assertEqual(names, ["README.txt", "calls.txt", "positions.npy", "spec.json", "x.npy", "y.safetensors"])


if __name__ == "__main__":
    unittest.main()
