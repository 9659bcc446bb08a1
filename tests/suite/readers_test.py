"""Each reader in docs/suite accepts right answers and rejects wrong ones, in every language that is
installed; and `audit --suite` checks the answers of one of them.

usage: readers_test.py ROPE_CHECK SOURCE_FOLDER
"""
import hashlib
import json
import os
import pathlib
import shutil
import struct
import subprocess
import sys
import tempfile
import unittest

TOOL, ROOT = (pathlib.Path(word).resolve() for word in sys.argv[1:3])
READERS = ROOT / "docs" / "suite"
WARNINGS = ["-O2", "-Wall", "-Wextra", "-Wpedantic", "-Werror"]

# its compiler's command, its command, the file that it reads, and a possible fault of its rotate()
LANGUAGES = {
    "py": (None, [sys.executable, "-B", "suite.py", "DIR"], ("x[a] * cos - x[b] * sin", "x[a] * cos + x[b] * sin")),
    "c": (["cc", *WARNINGS, "suite.c", "-o", "suite", "-lm"], ["./suite", "DIR/vectors.safetensors"],
          ("* cs - (float)", "* cs + (float)")),
    "js": (None, ["node", "suite.js", "DIR"], ("x[a] * cos - x[b] * sin", "x[a] * cos + x[b] * sin")),
    "go": (["go", "build", "-o", "suite", "suite.go"], ["./suite", "DIR/vectors.safetensors"],
           ("x1*cs-x2*sn", "x1*cs+x2*sn")),
    "rs": (["rustc", "-O", "-D", "warnings", "suite.rs"], ["./suite", "DIR/vectors.safetensors"],
           ("cos - x[b]", "cos + x[b]")),
    "swift": (["swiftc", "-O", "-warnings-as-errors", "suite.swift"], ["./suite", "DIR/vectors.safetensors"],
              ("x1 * cs - x2 * sn", "x1 * cs + x2 * sn")),
}


def tool(*words, **environment):
    return subprocess.run([TOOL, *words], capture_output=True, encoding="utf-8",
                          env={"PATH": os.environ["PATH"], **environment})


def export(folder, **environment):
    done = tool("export", "--suite", folder, "-q", **environment)
    assert (done.returncode, done.stdout, done.stderr) == (0, "", ""), done.stderr
    return folder


def digest(folder):
    names = sorted(os.listdir(folder))
    return {name: hashlib.sha256((folder / name).read_bytes()).hexdigest() for name in names}


class Folder:
    """A suite in which one array can be replaced by another, in both files."""

    def __init__(self, path):
        self.path = path
        self.manifest = json.loads((path / "manifest.json").read_text())
        self.hex = json.loads((path / "vectors.json").read_text())
        self.tensors = (path / "vectors.safetensors").read_bytes()
        self.start = 8 + struct.unpack("<Q", self.tensors[:8])[0]
        self.header = json.loads(self.tensors[8:self.start])

    def bytes_of(self, name):
        first, last = (self.start + at for at in self.header[name]["data_offsets"])
        return self.tensors[first:last]

    def with_array(self, folder, name, data):
        """One case only, with these bytes as the array of that name."""
        case = name.split("/")[0]
        folder.mkdir()
        arrays = {key: value for key, value in self.hex["arrays"].items() if key.startswith(case + "/")}
        arrays[name] = {**arrays[name], "hex": data.hex()}
        (folder / "vectors.json").write_text(json.dumps({**self.hex, "arrays": arrays}))
        (folder / "manifest.json").write_text(json.dumps({
            **self.manifest, "cases": [one for one in self.manifest["cases"] if one["id"] == case],
            "wrong": [one for one in self.manifest["wrong"] if one["case"] == case]}))
        first, last = (self.start + at for at in self.header[name]["data_offsets"])
        assert len(data) == last - first
        header = json.dumps({key: value for key, value in self.header.items() if key in arrays or key[0] == "_"},
                            separators=(",", ":")).encode()
        (folder / "vectors.safetensors").write_bytes(
            struct.pack("<Q", len(header)) + header + self.tensors[self.start:first] + data + self.tensors[last:])
        return folder


class Suite(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = pathlib.Path(cls.enterClassContext(tempfile.TemporaryDirectory()))
        cls.suite = Folder(export(cls.folder / "suite"))

    def test_it_is_small_and_the_same_bytes_for_any_threads_and_instruction_set(self):
        self.assertLessEqual(sum(path.stat().st_size for path in self.suite.path.iterdir()), 4_000_000)
        for name, environment in {"taskset": {}, "baseline": {"ROPE_CHECK_ISA": "baseline"},
                                  "avx2": {"ROPE_CHECK_ISA": "avx2"}}.items():
            words = ["taskset", "-c", "0"] if name == "taskset" and shutil.which("taskset") else []
            done = subprocess.run([*words, TOOL, "export", "--suite", self.folder / name, "-q"],
                                  env={"PATH": os.environ["PATH"], **environment}, capture_output=True)
            if b"must be one that this processor runs" in done.stderr:
                continue
            self.assertEqual(digest(self.folder / name), digest(self.suite.path), name)

    def test_version_1_has_the_bytes_that_it_was_published_with(self):
        lines = (ROOT / "tests" / "suite" / "version-1.sha256").read_text().splitlines()
        self.assertEqual(dict(line.split()[::-1] for line in lines), digest(self.suite.path))

    def test_both_files_hold_the_same_arrays_and_the_manifest_agrees(self):
        names = set(self.suite.header) - {"__metadata__"}
        self.assertEqual(names, set(self.suite.hex["arrays"]))
        codes = {"F64": "float64", "F32": "float32", "BF16": "bfloat16", "F16": "float16", "I32": "int32"}
        for name in names:
            one, other = self.suite.header[name], self.suite.hex["arrays"][name]
            self.assertEqual((codes[one["dtype"]], one["shape"]), (other["dtype"], other["shape"]), name)
            self.assertEqual(self.suite.bytes_of(name).hex(), other["hex"], name)
        for case in self.suite.manifest["cases"]:
            numbers = [struct.unpack("<d", self.suite.bytes_of(case["id"] + "/attention_factor"))[0],
                       *struct.unpack("<4d", self.suite.bytes_of(case["id"] + "/rounding"))]
            self.assertEqual(numbers, [case["attention_factor"], *case["rounding"].values()])
            rows, width, pairs = struct.unpack("<3i", self.suite.bytes_of(case["id"] + "/shape"))
            self.assertEqual((rows, width, 2 * pairs),
                             (case["rows"], case["head_dim"], case["spec"]["rotary_dim"]))
        for wrong in self.suite.manifest["wrong"]:
            self.assertTrue(wrong["name"].startswith(f"{wrong['case']}/{wrong['dtype']}/{wrong['output']}/wrong/"))

    def test_every_mistake_has_a_wrong_answer(self):
        known = json.loads(tool("list", "mistakes", "--format", "json").stdout)
        of_calls = {"state", "input"}  # these need a function that is called
        self.assertEqual({one["id"] for one in known["mistakes"]} - of_calls,
                         {one["mistake"] for one in self.suite.manifest["wrong"]})

    def build(self, language, fault=None):
        compiler, _, (was, now) = LANGUAGES[language]
        folder = pathlib.Path(tempfile.mkdtemp(dir=self.folder))
        text = (READERS / f"suite.{language}").read_text()
        self.assertLessEqual(text.count("\n"), 130 if language == "go" else 60)  # gofmt breaks lines
        self.assertIn(was, text)
        (folder / f"suite.{language}").write_text(text.replace(was, now, 1) if fault else text)
        if compiler:
            done = subprocess.run(compiler, cwd=folder, capture_output=True, encoding="utf-8")
            self.assertEqual((done.returncode, done.stderr), (0, ""))
        return folder

    def read(self, language, reader, suite):
        words = [word.replace("DIR", str(suite)) for word in LANGUAGES[language][1]]
        done = subprocess.run(words, cwd=reader, capture_output=True, encoding="utf-8")
        self.assertEqual(done.stderr, "")
        return done.returncode, done.stdout.splitlines()

    def accepts_and_rejects(self, language):
        manifest = self.suite.manifest
        reader = self.build(language)
        count = 9 * len(manifest["cases"]) + len(manifest["wrong"])
        self.assertEqual(self.read(language, reader, self.suite.path), (0, [f"{count} tests, 0 failed"]))
        self.assertGreaterEqual(len(manifest["wrong"]), 37)
        # a wrong answer that equals the right one
        right = "default-half/float32/q_rot"
        mended = self.suite.with_array(reader / "mended", right + "/wrong/base", self.suite.bytes_of(right))
        count = 9 + sum(one["case"] == "default-half" for one in manifest["wrong"])
        self.assertEqual(self.read(language, reader, mended),
                         (1, [f"ACCEPTED {right}/wrong/base", f"{count} tests, 1 failed"]))
        # each wrong answer replaces the right one: then its rotate() and all right ones are wrong
        every = int(os.environ.get("CASES_EVERY", "1"))
        for k, wrong in enumerate(manifest["wrong"][::every]):
            name = f"{wrong['case']}/{wrong['dtype']}/{wrong['output']}"
            swapped = self.suite.with_array(reader / str(k), name, self.suite.bytes_of(wrong["name"]))
            code, lines = self.read(language, reader, swapped)
            self.assertEqual(code, 1, wrong["name"])
            self.assertIn(f"FAIL {name}", lines, wrong["name"])
            shutil.rmtree(swapped)
        code, lines = self.read(language, self.build(language, "fault"), self.suite.path)
        self.assertEqual(code, 1)
        self.assertIn(f"FAIL {right}", lines)
        self.assertIn("FAIL default-half/float16/dx", lines)

    def test_the_program_of_the_page_passes_audit_suite_and_a_faulty_one_does_not(self):
        for fault, code, verdict in ((None, 0, "answers passed"), ("fault", 1, "answers failed")):
            reader = self.build("py", fault)
            done = tool("audit", "--suite", self.suite.path, "--format", "text", "--", sys.executable, "-B",
                        reader / "suite.py")
            self.assertEqual((done.returncode, done.stderr), (code, ""))
            self.assertIn(verdict, done.stdout)
            self.assertLessEqual(max(map(len, done.stdout.splitlines())), 80)


for one, (build, run, _) in LANGUAGES.items():
    def test(self, language=one):
        self.accepts_and_rejects(language)

    missing = not shutil.which((build or run)[0])
    setattr(Suite, f"test_{one}_reader_accepts_the_right_and_rejects_each_wrong_answer",
            unittest.skipIf(missing, f"no compiler or interpreter for {one}")(test))

if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
