"""The progress that each command shows on a terminal, and the terminal's content in the end.
usage: progress_test.py ROPE_CHECK"""
import contextlib
import os
import pty
import re
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

from pseudo_terminal import all_shown, environment

GOLDEN = Path(__file__).resolve().parent.parent / "golden/hf_half"
SUITE = Path(__file__).resolve().parents[2] / "docs/suite/suite.py"
DUMP = str(GOLDEN / "llama_d128_b1e4_default.npz")

# name: (the stages that the terminal must show, with amounts if these are known; the command's arguments)
COMMANDS = {
    "verify": ("checking… 100 %", "--dim 64 --context 128"),
    "compare": ("reading checking… 100 %", f"{DUMP} --base 10000"),
    "compare --output": ("reading checking… 100 % drawing", f"x.svg {DUMP} --base 500000"),
    "audit": ("checking writing… 100 % running reading checking… 100 %",
              "--dim 8 --positions 0,1,2 --only structure -- python3 answers.py"),
    "audit new": ("checking writing… 100 %", "request --dim 8 --positions 0,1"),
    "verify --context": ("checking rows… 100 %", "64 --model llama-3-8b --model llama-2-7b"),
    "verify --output": ("checking… 100 % drawing", "x.svg --dim 64 --context 256"),
    "verify -o": ("checking… 100 % writing", "x.html --dim 64 --context 256"),
    "baseline record": ("checking recording… 100 %", "new.json --dim 64 --context 64 --reason new"),
    "baseline check": ("checking… 100 %", "recorded.json"),
    "explain": ("explaining", "--dim 64"),
    "explain --output": ("explaining drawing", "x.svg --dim 64"),
    "explain -o": ("explaining writing", "x.html"),
    "diff": ("comparing", "a.json b.json"),
    "export": ("writing… 100 %", "--dim 64 --positions 0:100 -o x.npz"),
    "export --only": ("writing… 100 %", "cos --dim 64 --positions 0:100 -o x.npy"),
    "export --suite": ("writing", "s"),
    "audit --suite": ("checking running reading checking… 100 %", f"suite -- python3 {SUITE}"),
    "base-bound": ("searching", "--dim 32 --context 256"),
    "base-bound --output": ("searching drawing", "x.svg --dim 32 --context 256"),
    "claims": ("deriving… 100 %", "001-c1 001-c2"),
    "plot-decay": ("drawing searching… 100 % drawing… 100 %", "--distance 4096"),
    "plot-decay --overlay": ("drawing searching… 100 % drawing… 100 %", "--distance 4096 -o x.csv"),
    "plot-angles": ("drawing… 100 %", "--distance 200"),
    "plot-scores": ("scoring… 100 % drawing… 100 %", "--dim 64 --context 256"),
    "list": ("listing", "models llama"),
}
CONFIG = '{"hidden_size": 4096, "num_attention_heads": 32, "rope_theta": %d}'
ANSWERS = """import os, shutil
os.chdir(os.environ["ROPE_CHECK_DIR"])
shutil.copy("x.npy", "y.npy")
"""
EVERY = int(os.environ.get("CASES_EVERY", "1"))
LINE = re.compile("[a-z]+( [^…]+)?… [0-9]+ (%|s)")


def run(words, streams, **more):
    """The text on a terminal that is connected to these streams of the command."""
    terminal, end = pty.openpty()
    to = {name: end if name in streams else subprocess.DEVNULL for name in ("stdout", "stderr")}
    child = subprocess.Popen([ROPE_CHECK, *words], stdin=subprocess.DEVNULL, **to,
                             env=environment(ROPE_CHECK_PROGRESS="stages", **more))
    shown = all_shown(child, terminal, end)
    return child.returncode, shown.decode().replace("\r\n", "\n")


def left_on_screen(shown):
    """The text that remains: a return and an erasure remove the text of their line."""
    return "\n".join(re.sub(r".*\r(\x1b\[K)?", "", line).replace("\x1b[K", "")
                     for line in shown.split("\n"))


def stages(shown):
    """The last amount of each stage, by the first word of the stage."""
    found = []
    for line in re.findall(r"\r([^\r\n]+?)\x1b\[K", shown):
        word, done = re.fullmatch("([a-z]+)[^…]*(… .*)", line).groups()
        is_same = found and found[-1].split("…")[0] == word
        found[-1 if is_same else len(found):] = [word + re.sub("… 0 (%|s)", "", done)]
    return found


class Progress(unittest.TestCase):
    def setUp(self):
        self.enterContext(contextlib.chdir(self.enterContext(tempfile.TemporaryDirectory())))
        for name, base in (("a.json", 10000), ("b.json", 500000)):
            Path(name).write_text(CONFIG % base)
        Path("answers.py").write_text(ANSWERS)

    def words(self, name):
        if name == "audit --suite":
            run(["export", "--suite", "suite", "-q"], "")
        if name == "baseline check":
            run("baseline record recorded.json --dim 64 --context 64 --reason new".split(), "")
        return [*name.split(), *COMMANDS[name][1].split()]

    def test_has_every_command(self):
        listed = subprocess.run([ROPE_CHECK, "--help"], capture_output=True, text=True, check=True)
        known = set(re.findall(r"^  ([a-z][a-z-]+)  ", listed.stdout, re.MULTILINE))
        self.assertEqual(known - {"completion"}, {name.split()[0] for name in COMMANDS})

    def test_every_command_shows_its_stages_and_amounts(self):
        for name in COMMANDS:
            with self.subTest(command=name):
                _, shown = run(self.words(name), ["stderr"])
                self.assertEqual(" ".join(stages(shown)), COMMANDS[name][0])

    def test_every_command_leaves_no_progress_on_the_terminal(self):
        for name in list(COMMANDS)[::EVERY]:
            for streams in (["stderr"], ["stdout", "stderr"]):
                with self.subTest(command=name, streams=streams):
                    code, shown = run(self.words(name), streams)
                    self.assertLess(code, 2, shown)
                    self.assertRegex(shown, LINE)
                    self.assertNotRegex(left_on_screen(shown), LINE)
                    self.assertTrue(shown.endswith(("\n", "\r\x1b[K")), repr(shown[-60:]))
                    subprocess.run(["rm", "-rf", "new.json", "request", "s"], check=True)

    def test_quiet_and_ci_show_no_progress(self):
        for name in list(COMMANDS)[1::EVERY]:
            words = self.words(name)
            at = words.index("--") if "--" in words else len(words)
            quiet = words[:at] + ["-q"] + words[at:]
            for given, more in ((quiet, {}), (words, {"CI": "true"})):
                with self.subTest(command=name, given=given):
                    _, shown = run(given, ["stderr"], **more)
                    self.assertNotIn("\r", shown)
                    subprocess.run(["rm", "-rf", "new.json", "request", "s"], check=True)

    def test_an_error_starts_on_a_new_line(self):
        _, shown = run(["compare", "a.json", "--dim", "64"], ["stderr"])
        self.assertRegex(left_on_screen(shown), "^error: ")


if __name__ == "__main__":
    ROPE_CHECK = os.path.abspath(sys.argv.pop(1))
    unittest.main()
