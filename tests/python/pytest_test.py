"""The pytest plugin, run by pytest on a user's tests."""
import importlib.util
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

if importlib.util.find_spec("pytest") is None:
    print("pytest is not installed")
    sys.exit(77)

HERE = pathlib.Path(__file__).resolve().parent
README = (HERE.parents[1] / "README.md").read_text(encoding="utf-8")

TESTS = """
from numpy_rope import rotate, table

def test_right(rope_check):
    rope_check.assert_rope({first}, head_dim=64)
    rope_check.assert_rope(rotate, head_dim=32)

def test_table(rope_check):
    cos, sin = table(range(64), 64)
    rope_check.assert_ok(rope_check.compare(head_dim=64, rope_theta={theta}, cos=cos, sin=sin))
"""


def pytest(text, *words, folder, **environment):
    pathlib.Path(folder, "test_rope.py").write_text(text)
    environment = {**os.environ, "PYTHONPATH": f"{os.environ['PYTHONPATH']}:{HERE}", **environment}
    done = subprocess.run([sys.executable, "-B", "-m", "pytest", "-q", "-p", "no:cacheprovider", "-p",
                           "rope_check.pytest_plugin", *words], cwd=folder, env=environment,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT, encoding="utf-8")
    return done.returncode, done.stdout


class Plugin(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name
        os.environ.pop("CI", None)

    def run_tests(self, *words, first="rotate", theta=1e4, **environment):
        return pytest(TESTS.format(first=first, theta=theta), *words, folder=self.folder, **environment)

    def test_example_of_the_readme_fails_as_described(self):
        example = re.search(r"`test_rope.py`:\n\n```python\n(.*?)^```\n\n```\n(.*?)^```", README,
                            re.M | re.S)
        code, output = pytest(example[1], folder=self.folder)
        self.assertEqual(code, 1, output)
        for line in example[2].strip().split("\n")[1:]:
            self.assertTrue(line == "…" or f"\n{line}\n" in output, f"{line} is not in:\n{output}")
        self.assertNotIn("Traceback", output)
        code, output = pytest(example[1].replace("10000.0", "500000.0"), folder=self.folder)
        self.assertEqual(code, 0, output)

    def test_failure_shows_the_diagnosis_and_only_the_test_s_line(self):
        code, output = self.run_tests(theta=5e5)
        self.assertEqual(code, 1)
        self.assertIn("\n>       rope_check.assert_rope(rotate, head_dim=32", output.replace(
            "rope_check.assert_ok(rope_check.compare(", "rope_check.assert_rope(rotate, head_dim=32"))
        self.assertRegex(output, r"\nE +rope_check.errors.RopeMismatch: rope_theta is 10000 instead of 500000\n")
        self.assertRegex(output, r"\nE +usual cause: ")
        self.assertRegex(output, r"\nFAILED \S+ - rope_theta is 10000 instead of 500000\n")
        self.assertNotIn("src/python/rope_check", output)
        self.assertIn("1 failed, 1 passed", output)

    def test_assert_rope_of_the_module_fails_the_same_way(self):
        text = ("import rope_check\nfrom numpy_rope import rotate\n"
                "def test_it():\n    rope_check.assert_rope(rotate, 'llama-3-8b')\n")
        for words in ([], ["--tb=short"], ["--tb=native"], ["--tb=no"]):
            code, output = pytest(text, *words, folder=self.folder)
            self.assertEqual(code, 1)
            self.assertRegex(output, r"\nFAILED \S+ - rope_theta is 10000 instead of 500000\n", words)

    def test_unusable_input_is_one_line(self):
        code, output = self.run_tests(first="lambda x, m: None")
        self.assertEqual(code, 1)
        self.assertRegex(output, r"\nE +rope_check.errors.InputError: the function returned None")
        self.assertNotIn("src/python/rope_check", output)

    def test_a_baseline_is_recorded_once_and_then_passes(self):
        def run(**how):
            return self.run_tests("--rope-baseline", "base.json", **how)

        code, output = run(CI="1")
        self.assertEqual(code, 1)
        self.assertIn("has no run of 'test_rope.py-test_right'", output)
        self.assertEqual(run()[0], 0)
        recorded = pathlib.Path(self.folder, "base.json").read_text()
        self.assertEqual(len(re.findall('"command"', recorded)), 2)
        self.assertEqual(run(CI="1")[0], 0)
        # products rounded once instead of three times give other numbers, which are not worse
        code, output = run(first="lambda x, m: rotate(x.astype('f8'), m).astype('f4')")
        self.assertEqual(code, 0, output)
        code, output = run(first="lambda x, m: rotate(x, m).astype('f2').astype('f4')")
        self.assertEqual(code, 1, output)
        self.assertRegex(output, r"\nE +DRIFT .* was .*, now .*: difference ")
        self.assertRegex(output, "drifted from the baseline: .*subject/rounding")
        self.assertEqual(pathlib.Path(self.folder, "base.json").read_text(), recorded)

    def test_examples_of_the_page_pass(self):
        text = (HERE.parents[1] / "docs/python.md").read_text(encoding="utf-8")
        code, output = pytest("".join(re.findall(r"^```python\n(.*?)^```", text, re.M | re.S)),
                              folder=self.folder)
        self.assertEqual(code, 0, output)
        self.assertIn("2 passed", output)

    def test_a_failing_run_is_not_recorded(self):
        code, _ = self.run_tests("--rope-baseline", "base.json", first="lambda x, m: rotate(x, m + 1)")
        self.assertEqual(code, 1)
        self.assertFalse(pathlib.Path(self.folder, "base.json").exists())


if __name__ == "__main__":
    unittest.main()
