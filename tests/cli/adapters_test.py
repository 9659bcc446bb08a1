"""The program that `audit init` prints answers an audit without changes, in every installed language; and
`audit --python` calls functions as documented.

usage: adapters_test.py ROPE_CHECK
"""
import importlib.util
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

TOOL = pathlib.Path(sys.argv[1]).resolve()
PYTHON = sys.executable

# the file, its compiler's command, the arguments after --, and --raw
LANGUAGES = {
    "numpy": ("adapter.py", None, [PYTHON, "adapter.py"], []),
    "torch": ("adapter.py", None, [PYTHON, "adapter.py"], []),
    "c": ("adapter.c", ["cc", "-O2", "-Wall", "-Wextra", "-Werror", "adapter.c", "-lm", "-o",
                        "adapter"], ["./adapter"], ["--raw"]),
    "cpp": ("adapter.cc", ["c++", "-std=c++17", "-O2", "-Wall", "-Wextra", "-Werror", "adapter.cc",
                           "-o", "adapter"], ["./adapter"], ["--raw"]),
    "cuda": ("adapter.cu", ["nvcc", "-O2", "adapter.cu", "-o", "adapter"], ["./adapter"], ["--raw"]),
    "node": ("adapter.js", None, ["node", "adapter.js"], ["--raw"]),
    "rust": ("adapter.rs", ["rustc", "-O", "adapter.rs"], ["./adapter"], ["--raw"]),
    "swift": ("adapter.swift", ["swiftc", "-O", "-warnings-as-errors", "adapter.swift"], ["./adapter"], ["--raw"]),
}

MODULE = """
import numpy

def rotate(x, positions, sign=1):
    dim = x.shape[-1]
    inv_freq = 10000.0 ** (-numpy.arange(0, dim, 2, dtype=numpy.float32) / dim)
    angle = positions[..., None].astype(numpy.float32) * inv_freq
    cos, sin = numpy.cos(angle), sign * numpy.sin(angle)
    if x.ndim == 4:
        cos, sin = cos[:, None], sin[:, None]
    first, second = numpy.split(x, 2, -1)
    return numpy.concatenate([first * cos - second * sin, second * cos + first * sin], -1)

def tokens(x, positions):  # [tokens, heads, head_dim]
    return rotate(x.transpose(1, 0, 2), positions).transpose(1, 0, 2)

def sequence(x):  # [batch, heads, length, head_dim], from position 0
    return rotate(x, numpy.arange(x.shape[2])[None])

def decoded(x):  # after a cache of 4096 tokens
    return rotate(x, numpy.arange(4096, 4096 + x.shape[2])[None])

def gradient(dy, positions):
    return rotate(dy, positions, -1)

def shared(x, positions):  # [sequence], whatever the batch
    return rotate(x.reshape(-1, 1, *x.shape[2:]), positions[None]).reshape(x.shape)

def head(x, *positions):  # 2 is one position ahead
    y = (rotate if positions else sequence)(x, *positions)
    ids = positions[0] + 1 if positions else numpy.arange(1, 1 + x.shape[2])[None]
    y[:, 2] = rotate(x, ids)[:, 2]
    return y

class Model:
    rotate = staticmethod(rotate)

def both(q, k, positions):
    return rotate(q, positions), rotate(k, positions)

def both_in_place(positions, q, k):
    q[:], k[:] = both(q, k, positions)

def stale(x, positions, kept={}):
    return rotate(x, kept.setdefault(positions.shape, positions))

def raises(x, positions):
    raise RuntimeError("no kernel image")

number = 3

def ends(x, positions):
    raise SystemExit(0)
"""

TORCH = """
import torch

def rotate(x, positions):
    dim = x.shape[-1]
    angle = positions[:, None, :, None].float() / 10000 ** (torch.arange(0, dim, 2).float() / dim)
    cos, sin = angle.cos().to(x.dtype), angle.sin().to(x.dtype)
    first, second = x.chunk(2, -1)
    return torch.cat([first * cos - second * sin, second * cos + first * sin], -1)
"""


def run(folder, *words):
    path = f"{pathlib.Path(PYTHON).parent}:/usr/bin:/bin"  # the python3 that has NumPy
    return subprocess.run([TOOL, *words], cwd=folder, capture_output=True, encoding="utf-8",
                          env={"PATH": path, "PYTHONDONTWRITEBYTECODE": "1"})


def has(language):
    _, compiler, words, _ = LANGUAGES[language]
    if language == "torch":
        return importlib.util.find_spec("torch") is not None
    return shutil.which((compiler or words)[0]) is not None


class Adapters(unittest.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(self.enterContext(tempfile.TemporaryDirectory()))

    def answer(self, language, was="", now=""):
        name, compiler, words, options = LANGUAGES[language]
        printed = run(self.folder, "audit", "init", language)
        self.assertEqual(printed.returncode, 0, printed.stderr)
        self.assertIn(was, printed.stdout)
        (self.folder / name).write_text(printed.stdout.replace(was, now) if was else printed.stdout)
        if compiler:
            done = subprocess.run(compiler, cwd=self.folder, capture_output=True, encoding="utf-8")
            self.assertEqual((done.returncode, done.stderr), (0, ""), language)
        if language == "cuda" and not shutil.which("nvidia-smi"):
            self.skipTest("no GPU")
        words = [shutil.which(words[0]) or words[0], *words[1:]]
        return run(self.folder, "audit", *options, "--dim", "64", "--format", "text", "-q", "--", *words)

    def test_the_table_above_has_every_language(self):
        known = run(self.folder, "audit", "--help").stdout.split("Languages of audit init:\n")[1]
        self.assertEqual(known.split("\n")[0].split(), list(LANGUAGES))

    def test_a_wrong_adapter_is_found(self):
        done = self.answer("c", "pow(10000", "pow(20000")
        self.assertEqual(done.returncode, 1)
        self.assertIn("rope_theta is 20000 instead of 10000", done.stdout)

    def python(self, function, *words):
        (self.folder / "my_rope.py").write_text(MODULE)
        (self.folder / "my_torch.py").write_text(TORCH)
        return run(self.folder, "audit", "--python", function, "--dim", "64", "--format", "text", "-q",
                   *words)

    def test_functions_are_called_in_the_order_of_axes(self):
        for words in (["my_rope:rotate"], ["my_rope.py:rotate"], ["./my_rope.py::Model.rotate"],
                      ["my_rope:rotate", "--axes", "sd"], [f"{self.folder}/my_rope.py:rotate"],
                      ["my_rope:both"], ["my_rope:both_in_place"],
                      ["my_rope:Model.rotate", "--axes", "sd"], ["my_rope:tokens", "--axes", "thd"],
                      ["my_rope:sequence", "--axes", "bhsd", "--contiguous", "50"],
                      ["my_rope:decoded", "--axes", "bhsd", "--contiguous",
                       "4096:4146"],
                      ["my_rope:gradient", "--backward"]):
            done = self.python(*words)
            self.assertEqual(done.returncode, 0, f"{words}: {done.stdout}{done.stderr}")
            # the positions after a cache do not include 0
            self.assertEqual(done.stdout.count(" checks passed"), 2 if "both" in words[0] else 1)
            self.assertIn("9 checks passed" if "decoded" in words[0] else "11 checks passed", done.stdout)

    def test_functions_are_called_with_a_batch_and_heads(self):
        for words in (["my_rope:rotate", "--axes", "bhsd", "--batch", "3", "--heads", "5"],
                      ["my_rope:tokens", "--axes", "thd", "--heads", "70"],
                      ["my_rope:shared", "--axes", "bhsd", "--batch", "2", "--heads", "3",
                       "--position-axes", "s"],
                      ["my_rope:shared", "--axes", "bhsd", "--position-axes", "s"],
                      ["my_rope:sequence", "--axes", "bhsd", "--batch", "3", "--heads", "2",
                       "--contiguous", "50"],
                      ["my_rope:gradient", "--axes", "bhsd", "--batch", "2", "--heads", "3",
                       "--backward"]):
            done = self.python(*words)
            self.assertEqual(done.returncode, 0, f"{words}: {done.stdout}{done.stderr}")
            self.assertIn("11 checks passed", done.stdout)

    def test_the_wrong_head_is_named(self):
        groups = ["--axes", "bhsd", "--batch", "2", "--heads", "3"]
        for words in (groups, [*groups, "--contiguous", "50"], []):
            done = self.python("my_rope:head", *words)
            self.assertEqual(done.returncode, 1, f"{words}: {done.stderr}")
            self.assertIn("head 2 of 3: every row is for position m + 1, not m", done.stdout)
            self.assertIn(" ".join(words[2:6]), done.stdout.split("reproduce: ")[1])

    def test_faults_of_calls(self):
        done = self.python("my_rope:stale")
        self.assertEqual(done.returncode, 1, done.stderr)
        self.assertIn("a row has other values in another call", " ".join(done.stdout.split()))
        self.assertIn("FAIL calls", done.stdout)

    def test_a_wrong_function_fails_and_its_request_is_repeatable(self):
        done = self.python("my_rope:rotate", "--backward")
        self.assertEqual(done.returncode, 1)
        self.assertIn("every pair rotates in the opposite direction", done.stdout)
        self.assertIn("reproduce: rope-check audit --python my_rope:rotate --backward --dim 64\n",
                      done.stdout)

    def test_an_uncallable_function_is_one_line(self):
        for words, message in (
                (["my_rope"], "'my_rope' is not MODULE:FUNCTION"),
                (["my_rope:raises"], "RuntimeError: no kernel image"),
                (["my_rope:number"], "is a int, not a function"),
                (["my_rope:sequence"], "takes no positions: pass --contiguous N"),
                (["my_rope:no"], "my_rope has no 'no'"),
                (["no_such_module:f"], "No module named 'no_such_module'"),
                (["my_rope:ends"], "--python: my_rope:ends called sys.exit(0) before it returned"),
                (["my_rope:rotate", "--raw"], "--raw: a function"),
                (["my_rope:rotate", "--axes", "sd", "--batch", "2"], "--batch: x has no axis b; give "
                 "--axes with it, not sd"),
                (["my_rope:rotate", "--axes", "bsd", "--heads", "2"], "--heads: x has no axis h"),
                (["my_rope:rotate", "--axes", "bhsd", "--batch", "0"], "--batch"),
                (["my_rope:rotate", "--axes", "sd", "--position-axes", "bs"],
                 "--position-axes: x has no axis b"),
                (["my_rope:rotate", "--position-axes", "sb"], "--position-axes: 'sb' is neither"),
                (["my_rope:sequence", "--position-axes", "s", "--contiguous", "9"],
                 "--position-axes: under --contiguous"),
                (["my_rope:rotate", "--", "true"], "give one of them")):
            done = self.python(*words)
            self.assertEqual(done.returncode, 3 if "No module" in message else 2, words)
            self.assertIn(message, done.stderr)
            self.assertEqual(done.stderr.count("\n"), 1, done.stderr)
            self.assertTrue(done.stderr.startswith("error: "), done.stderr)

    @unittest.skipUnless(has("torch"), "no PyTorch")
    def test_functions_of_pytorch(self):
        for kind in ("float32", "bfloat16", "float16"):
            for words in ([], ["--backward"]):
                done = self.python("my_torch:rotate", "--torch", kind, "--axes", "bhsd", *words)
                self.assertEqual(done.returncode, 0, f"{kind}: {done.stdout}{done.stderr}")
        done = self.python("my_torch:rotate", "--torch", "float7")
        self.assertIn("PyTorch has no 'float7'", done.stderr)


def add_language(language):
    @unittest.skipUnless(has(language), f"no {language}")
    def test(self):
        done = self.answer(language)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        self.assertIn("10 checks passed", done.stdout)

    setattr(Adapters, f"test_{language}_adapter_holds", test)


for one in LANGUAGES:
    add_language(one)

if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
