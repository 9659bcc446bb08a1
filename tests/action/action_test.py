"""Runs the action's steps as a runner does, on every command of the tool.

usage: action_test.py ROPE_CHECK SOURCE_FOLDER
"""
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

TOOL, ROOT = (pathlib.Path(word).resolve() for word in sys.argv[1:3])
ACTION = ROOT / ".github/actions/rope-check"
GOLDEN = ROOT / "tests/golden/hf_half/llama_d64_b5e5_llama3f32.npz"
RIGHT = "--model llama-3.2-1b"

# command line, exit code, text in the log, text in the summary
RUNS = [
    ("verify --dim 64 --context 64", 0, "8 checks passed", "8 checks passed"),
    ("verify --dim 64 --context 512 --pipeline bf16-angles", 1,
     "::error title=rope-check table-accuracy", "table-accuracy"),
    (f"compare {GOLDEN} {RIGHT}", 0, "checks passed", "checks passed"),
    (f"compare {GOLDEN} --dim 64", 1, "::error", "table-accuracy"),
    ("list mistakes", 0, "pair-layout", ""),
    ("audit --dim 8 -- sh -c 'cp $1/x.npy $1/y.npy' sh", 1, "::error", "table-accuracy"),
    ("audit new request --dim 8", 0, "", ""),
    ("audit init c", 0, "int main", ""),
    ("baseline record base.json --dim 64 --context 64 --reason 'first record'", 0, "", ""),
    ("baseline check base.json", 0, "no drift", "no drift"),
    ("explain --dim 64", 0, "32 pairs", "rope_theta"),
    ("claims 001-c3-R3", 0, "c3", "c3"),
    ("diff a.json b.json", 1, "rope_theta", ""),
    ("export --suite suite", 0, "", ""),
    ("audit --suite suite -- true", 2, "::error", "could not judge"),
    ("export --dim 8 --positions 0:4 -o vectors.npz", 0, "", ""),
    ("verify phi-2 llama-2-7b --context 64", 0, "phi-2", "phi-2"),
    ("base-bound --dim 32 --context 64", 0, "smallest base", ""),
    ("list models phi", 0, "phi-2", ""),
    ("plot-decay --dim 32 -o decay.svg", 0, "", ""),
    ("plot-angles --dim 32 -o angles.svg", 0, "", ""),
    ("explain --dim 32 -o wavelengths.svg", 0, "", ""),
    ("base-bound --context 64 --dim 32 -o bound.svg", 0, "", ""),
    ("verify --context 64 --dim 32 -o errors.svg", 0, "", ""),
    (f"compare {GOLDEN} {RIGHT} -o compare.svg", 0, "", ""),
    ("plot-scores --context 64 --dim 32 -o scores.svg", 0, "", ""),
    ("verify --context 64 --dim 32 -o report.html", 0, "", ""),
    ("explain -o index.html", 0, "", ""),
    ("verify two.json --context 64 --baseline two-base.json", 1,
     "::error file=two.json,line=2,title=rope-check drift::spec/rope_theta was 500000", "other metric"),
    ("verify --dim 7", 2, "::error title=rope-check::--dim", "could not judge"),
    ("verify --config '50%.json'", 3, "::error title=rope-check::50%25.json", "exit code 3"),
]


def steps():
    """The shell commands of the steps, in order."""
    return re.findall(r"^      run: (.*)$", (ACTION / "action.yml").read_text(), re.M)


class Action(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = pathlib.Path(cls.enterClassContext(tempfile.TemporaryDirectory()))
        (cls.folder / "prefix/bin").mkdir(parents=True)
        shutil.copy(TOOL, cls.folder / "prefix/bin/rope-check")
        (cls.folder / "work").mkdir()
        for name, theta in (("a", 10000), ("b", 500000)):
            config = f'{{"head_dim": 64, "rope_theta": {theta}}}'
            (cls.folder / f"work/{name}.json").write_text(config)
        two = cls.folder / "work/two.json"
        two.write_text('{"head_dim": 32,\n "rope_theta": 500000}')
        subprocess.run([TOOL, "baseline", "record", "two-base.json", "two.json", "--context", "64",
                        "--reason", "test", "-q"], cwd=cls.folder / "work", check=True)
        two.write_text('{"head_dim": 32,\n "rope_theta": 10000}')
        (cls.folder / "temp").mkdir()

    def step(self, number, **environment):
        """Runs a step as a composite action does: bash with -e and pipefail, without the host's paths."""
        summary = self.folder / "summary"
        summary.write_text("")
        environment = {"PATH": os.environ["PATH"], "GITHUB_ACTION_PATH": str(ACTION),
                       "RUNNER_TEMP": str(self.folder / "temp"),
                       "GITHUB_STEP_SUMMARY": str(summary),
                       "GITHUB_OUTPUT": str(self.folder / "output"),
                       "PREFIX": str(self.folder / "prefix"), "CI": "true", **environment}
        done = subprocess.run(["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c",
                               steps()[number]], cwd=self.folder / "work", env=environment,
                              capture_output=True, encoding="utf-8")
        return done.returncode, done.stdout, done.stderr, summary.read_text()

    def test_steps_contain_no_path_of_the_host(self):
        text = (ACTION / "action.yml").read_text()
        self.assertEqual(len(steps()), 3)
        self.assertNotIn("github.action_path", text)
        self.assertNotIn("runner.temp", text)

    def test_every_command_runs(self):
        words = {run[0].split()[0] for run in RUNS}
        text = subprocess.run([TOOL, "--help"], capture_output=True, encoding="utf-8").stdout
        known = set(re.findall(r"^  ([a-z-]+)  ", text.split("Commands:")[1], re.M))
        self.assertEqual(words, known)
        for arguments, code, log, summary in RUNS:
            with self.subTest(arguments):
                got, stdout, stderr, written = self.step(2, ARGS=arguments)
                self.assertEqual(got, code, stdout + stderr)
                self.assertIn(log, stdout)
                self.assertIn(summary, written)

    def test_words_after_dashes_are_the_program_s(self):
        arguments = ("audit --dim 8 -- sh -c 'printf \"%s \" \"$@\" >words; "
                     "cp \"$3\"/x.npy \"$3\"/y.npy' sh -n 'a b'")
        code, stdout, stderr, _ = self.step(2, ARGS=arguments)
        self.assertEqual(code, 1, stdout + stderr)
        words = (self.folder / "work/words").read_text()
        self.assertRegex(words, "^-n a b /")
        self.assertNotIn("github", words)

    def test_an_annotation_names_the_file_by_its_path_in_the_repository(self):
        work = self.folder / "work"
        for config in ("two.json", "./two.json", f"../{work.name}/two.json", f"{work}/two.json"):
            arguments = f"verify {config} --context 64 --baseline two-base.json"
            _, stdout, _, _ = self.step(2, ARGS=arguments, GITHUB_WORKSPACE=str(self.folder))
            errors = [line for line in stdout.splitlines() if line.startswith("::error")]
            self.assertEqual(len(errors), 1, stdout)  # of one changed key
            self.assertRegex(errors[0], r"^::error file=work/two.json,line=2,.*; \d+ other metrics drifted%0A")

    def test_an_annotation_names_the_config_that_is_read_not_the_recorded_one(self):
        (self.folder / "work/moved").mkdir(exist_ok=True)
        shutil.copy(self.folder / "work/two.json", self.folder / "work/moved/config.json")
        _, stdout, _, _ = self.step(2, ARGS="verify moved --context 64 --baseline two-base.json")
        self.assertIn("::error file=moved/config.json,line=2,", stdout)

    def test_a_passing_run_has_nothing_that_looks_like_a_failure(self):
        code, stdout, _, written = self.step(2, ARGS="verify --dim 64 --context 64")
        self.assertEqual(code, 0)
        self.assertTrue(written.startswith("## rope-check: passed\n"))
        self.assertNotRegex(stdout + written, "violated|❌|fail|error::|c3-R")

    def test_empty_args_are_reported(self):
        for arguments in ("", " \n "):
            code, stdout, _, _ = self.step(2, ARGS=arguments)
            self.assertEqual((code, stdout.split(";")[0]),
                             (2, "::error title=rope-check::args is empty"))

    def test_no_temporary_file_remains(self):
        self.step(2, ARGS="verify --dim 64 --context 64")
        self.assertEqual(list((self.folder / "temp").iterdir()), [])

    def test_the_build_key_depends_on_the_sources(self):
        def name(root):
            done = subprocess.run(["bash", "-c", steps()[0]], check=True, env={
                "PATH": os.environ["PATH"], "RUNNER_TEMP": "/tmp/runner", "GITHUB_OUTPUT": str(out),
                "GITHUB_ACTION_PATH": str(root / ".github/actions/rope-check")})
            self.assertEqual(done.returncode, 0)
            text, _ = out.read_text(), out.unlink()
            return dict(line.split("=", 1) for line in text.splitlines())

        out = self.folder / "output"
        copy = self.folder / "copy"
        for part in ("CMakeLists.txt", "CMakePresets.json", "cli", "data", "src", "plots", "tools", ".github"):
            source = ROOT / part
            (copy / part).parent.mkdir(parents=True, exist_ok=True)
            if source.is_dir():
                shutil.copytree(source, copy / part, ignore=shutil.ignore_patterns("__pycache__"))
            else:
                shutil.copy(source, copy / part)
        first = name(copy)
        self.assertEqual(first["prefix"], "/tmp/runner/rope-check")
        self.assertRegex(first["key"], r"^rope-check-\w+-[0-9a-f]{16}$")
        self.assertEqual(name(copy), first)
        keys = {first["key"]}
        for source in ("src/base/printable.cpp", "plots/page/script/page.js", "plots/page/vendor/uPlot.min.css"):
            with open(copy / source, "a", encoding="utf-8") as file:
                file.write("\n")
            keys.add(name(copy)["key"])
        self.assertEqual(len(keys), 4)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
