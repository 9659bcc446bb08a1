"""verify and compare with tables made with NumPy."""
import inspect
import json
import os
import pathlib
import re
import subprocess
import tempfile
import unittest

import numpy
import rope_check
from numpy_rope import rotate, table

LLAMA = {"model_type": "llama", "hidden_size": 256, "num_attention_heads": 4,
         "max_position_embeddings": 512, "rope_theta": 500000.0}


class Judging(unittest.TestCase):
    def test_a_right_table_passes_with_every_form_of_config(self):
        cos, sin = table(range(64), 64, 500000.0)
        with tempfile.TemporaryDirectory() as folder:
            file = pathlib.Path(folder, "config.json")
            file.write_text(json.dumps(LLAMA))
            for config in (LLAMA, file, str(file), folder):
                report = rope_check.compare(config, cos=cos, sin=sin)
                self.assertTrue(report.ok, report)
                self.assertEqual(report.diagnosis, [])
        self.assertTrue(rope_check.compare(head_dim=64, rope_theta=5e5, cos=cos, sin=sin).ok)
        self.assertTrue(rope_check.compare("llama-3-8b", head_dim=64, cos=cos, sin=sin).ok)

    def test_the_fault_is_named_with_its_numbers(self):
        cos, sin = table(range(64), 64)
        report = rope_check.compare(LLAMA, cos=cos, sin=sin)
        self.assertFalse(report)
        self.assertEqual([one.mistake for one in report.diagnosis], ["base"])
        self.assertIn("rope_theta is 10000", report.diagnosis[0].what)
        finding = report["table-accuracy"]
        self.assertEqual(finding.verdict, "violated")
        self.assertGreater(finding.observed, finding.allowed)
        at, pair = finding.worst["positions"][0], finding.worst["pair"]
        self.assertIn(finding.worst["got"], (float(cos[at, pair]), float(sin[at, pair])))
        self.assertIn("FAIL table-accuracy", str(report))
        self.assertIn("rope_theta is 10000", repr(report))
        page = report._repr_html_()
        self.assertRegex(page, "<summary><b>rope_theta is 10000[^<]*</b>.*<pre style=.white-space:pre-wrap")
        self.assertNotIn("color", page)  # a dark page has other colours

    def test_text_equals_the_command_s_output(self):
        report = rope_check.verify(head_dim=64, context=128, pipeline="bf16-angles")
        words = ["verify", "--dim", "64", "--context", "128", "--pipeline", "bf16-angles"]
        done = subprocess.run([os.environ["ROPE_CHECK_TOOL"], *words, "--format", "text"],
                              capture_output=True, encoding="utf-8")
        self.assertEqual(str(report), done.stdout.rstrip("\n"))
        self.assertEqual((report.ok, report.exit_code, done.returncode), (False, 1, 1))

    def test_q_and_k_are_separate_reports(self):
        random = numpy.random.default_rng(1)
        q = random.standard_normal((1, 4, 33, 64), numpy.float32)
        k = random.standard_normal((1, 2, 33, 64), numpy.float32)
        positions = numpy.arange(33)
        report = rope_check.compare(head_dim=64, q=q, q_rot=rotate(q, positions), k=k,
                                    k_rot=rotate(k, positions, sign=-1), positions=positions)
        self.assertEqual([one.ok for one in report.reports], [True, False])
        self.assertEqual([one.mistake for one in report.reports[1].diagnosis], ["direction"])
        self.assertIn("direction", str(report.reports[1]))
        self.assertNotIn("direction", str(report.reports[0]))
        self.assertFalse(report.ok)

    def test_frequencies_complex_tables_and_files_are_accepted(self):
        cos, sin = table(range(64), 64)
        self.assertTrue(rope_check.compare(head_dim=64, cos_sin=cos + 1j * sin).ok)
        inv_freq = 10000.0 ** (-numpy.arange(0, 64, 2) / 64)
        self.assertTrue(rope_check.compare(head_dim=64, inv_freq=inv_freq).ok)
        with tempfile.TemporaryDirectory() as folder:
            numpy.savez(f"{folder}/x.npz", a=cos)
            self.assertTrue(rope_check.compare(head_dim=64, cos=f"{folder}/x.npz:a", sin=sin).ok)

    def test_options_reach_the_tool(self):
        report = rope_check.verify(head_dim=64, context=64, only=["orthogonality", "pair-norm"])
        self.assertEqual([one.check for one in report.findings], ["orthogonality", "pair-norm"])
        report = rope_check.verify(head_dim=numpy.int64(64), context=numpy.int32(99),
                                   rope_theta=numpy.float32(5e5), only="pair-norm")
        self.assertEqual(report.document["spec"]["rope_parameters"]["rope_theta"], 5e5)
        self.assertEqual(report.document["subject"]["context"], 99)
        report = rope_check.verify(head_dim=64, rope_type="longrope", max_position_embeddings=64,
                                   original_max_position_embeddings=32, seq_len=64,
                                   short_factor=[1] * 32, long_factor=[2.5] * 32, truncate=None)
        self.assertEqual(report.document["spec"]["rope_parameters"]["long_factor"], [2.5] * 32)
        report = rope_check.verify(head_dim=64, rope="rope_type=linear,factor=4")
        self.assertEqual(report.document["spec"]["rope_parameters"]["factor"], 4)
        report = rope_check.audit(lambda x, m: rotate(x, m), head_dim=64, positions=numpy.arange(9))
        self.assertEqual(report.document["subject"]["context"], 9)

    def test_unusable_input_raises_the_tool_s_error(self):
        cos, sin = table(range(8), 64)
        for call, word in (
                (lambda: rope_check.verify("llama-3.1-88b"), "did you mean 'llama-3.1-8b'"),
                (lambda: rope_check.verify(hed_dim=64), "did you mean 'head_dim'"),
                (lambda: rope_check.verify({**LLAMA, "rope_theta": -1}), "config.json: rope_theta is -1"),
                (lambda: rope_check.verify(3), "config is of type int"),
                (lambda: rope_check.verify(dim=64), "did you mean 'head_dim'"),
                (lambda: rope_check.verify(rope_base=1), "did you mean 'rope_theta'"),
                (lambda: rope_check.compare(q=[1], position_ids=[0]), "did you mean 'positions'"),
                (lambda: rope_check.verify({"a": 1}), "add head_dim or pass head_dim"),
                (lambda: rope_check.verify(head_dim=7), "head_dim is 7; it must be an even"),
                (lambda: rope_check.compare(head_dim=64, cos=cos, sin=sin[:5]), "[5, 32]"),
                (lambda: rope_check.compare(head_dim=64, cos=cos), "sin"),
                (lambda: rope_check.compare(head_dim=64), "compare needs arrays")):
            with self.assertRaises(rope_check.InputError) as caught:
                call()
            self.assertIn(word, str(caught.exception))
            self.assertNotIn("--", str(caught.exception))
        with self.assertRaises(rope_check.ToolError) as caught:
            rope_check.verify("/no/such/config.json")
        self.assertEqual(caught.exception.exit_code, 3)

    def test_a_missing_tool_is_an_environment_error(self):
        given = os.environ["ROPE_CHECK_TOOL"]
        self.addCleanup(os.environ.update, ROPE_CHECK_TOOL=given)
        os.environ["ROPE_CHECK_TOOL"] = "/no/such/tool"
        with self.assertRaisesRegex(rope_check.ToolError, "/no/such/tool"):
            rope_check.verify(head_dim=64)
        os.environ["ROPE_CHECK_TOOL"] = "/bin/true"
        with self.assertRaisesRegex(rope_check.ToolError, "/bin/true: wrote no report"):
            rope_check.verify(head_dim=64)

    def test_kept_files_reproduce_the_report(self):
        cos, sin = table(range(64), 64)
        with tempfile.TemporaryDirectory() as folder:
            keep = f"{folder}/kept"
            report = rope_check.compare(LLAMA, cos=cos, sin=sin, keep=keep)
            line = next(one for one in str(report).split("\n") if "reproduce: " in one)
            done = subprocess.run(["bash", "-c", line.split("reproduce: ")[1]], capture_output=True)
            self.assertEqual(done.returncode, 1, done.stderr)
            with self.assertRaisesRegex(rope_check.InputError, "holds files"):
                rope_check.compare(LLAMA, cos=cos, sin=sin, keep=keep)
        report = rope_check.compare(LLAMA, cos=cos, sin=sin)
        self.assertNotIn("reproduce", str(report))

    def test_options_equal_those_of_the_commands(self):
        from rope_check import options
        as_keyword = {"dim": "head_dim", "base": "rope_theta", "max_position": "max_position_embeddings"}
        arguments = {  # of the Python functions, or of reports, which they return
            *inspect.signature(rope_check.audit).parameters, "model", "config", *inspect.signature(
                rope_check.compare).parameters, "format", "output", "color", "sandbox", "head_dim",
            "rope_theta"}
        only = {"verify": {"all_models", "resume"}, "compare": set(),
                "audit": {"suite", "raw", "python", "torch", "timeout"}}  # for programs
        for command, kind in (("verify", options.VerifyOptions), ("compare", options.CompareOptions),
                              ("audit", options.AuditOptions)):
            text = subprocess.run([os.environ["ROPE_CHECK_TOOL"], command, "--help"], check=True,
                                  capture_output=True, encoding="utf-8").stdout
            flags = {one.replace("-", "_") for line in re.findall("(?m)^  (--.*)", text)
                     for one in re.findall("--([a-z-]+)", line.split("  ")[0])}
            flags = {as_keyword.get(one, one) for one in flags} - only[command]
            typed = set(kind.__annotations__) - set(options.RopeOptions.__annotations__)
            self.assertEqual(flags - arguments, typed - arguments, command)
        text = subprocess.run([os.environ["ROPE_CHECK_TOOL"], "list", "rope-types"], check=True,
                              capture_output=True, encoding="utf-8").stdout
        for key in options.RopeOptions.__annotations__:
            self.assertIn(key, text)


if __name__ == "__main__":
    unittest.main()
