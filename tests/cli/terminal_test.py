"""Figures in terminals of several widths: plot-decay, plot-angles and plot-scores behind a pseudo-terminal.
usage: terminal_test.py ROPE_CHECK"""
import contextlib
import fcntl
import os
import pty
import re
import struct
import subprocess
import sys
import tempfile
import termios
import unittest
from pathlib import Path

from pseudo_terminal import all_shown, environment

COMMANDS = [
    "plot-decay --dim 64 --distance 4096",
    "plot-decay --overlay --base 1e4 --base 1e6 --no-scaled --distance 4096",
    "plot-angles --distance 200",
    "plot-scores --dim 64 --context 1024",
]
ESCAPE = re.compile(r"\x1b\[[0-9;]*m")
UNSEEN = re.compile("[\u0300-\u036f]")


def run(words, columns=80, **more):
    """The exit code, the terminal's text, and standard error."""
    master, slave = pty.openpty()
    fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack("HHHH", 50, columns, 0, 0))
    with tempfile.TemporaryFile() as errors:
        child = subprocess.Popen(
            [ROPE_CHECK, *words], stdin=subprocess.DEVNULL, stdout=slave, stderr=errors,
            env=environment(**more))
        shown = all_shown(child, master, slave)
        errors.seek(0)
        return child.returncode, shown.decode().replace("\r\n", "\n"), errors.read().decode()


def widest(shown):
    return max(len(UNSEEN.sub("", line)) for line in ESCAPE.sub("", shown).split("\n"))


class Terminal(unittest.TestCase):
    def setUp(self):
        self.enterContext(contextlib.chdir(self.enterContext(tempfile.TemporaryDirectory())))

    def shown(self, words, *arguments, **more):
        code, shown, errors = run(words, *arguments, **more)
        self.assertEqual(code, 0, errors)
        self.assertEqual(os.listdir(), [], "a file was written")
        return shown

    def test_every_figure_is_as_wide_as_the_terminal(self):
        for command in COMMANDS:
            for columns in (40, 80, 200):
                with self.subTest(command=command, columns=columns):
                    shown = self.shown(command.split(), columns)
                    self.assertLessEqual(widest(shown), columns)
                    self.assertGreaterEqual(widest(shown), columns - 3)
                    self.assertRegex(shown, "[\u2801-\u28ff]|\u2580")
                    self.assertRegex(shown, ESCAPE)

    def test_no_color_and_dumb_terminals_get_no_colours(self):
        for command in COMMANDS:
            with self.subTest(command=command):
                for unwanted in ({"NO_COLOR": "1"}, {"TERM": "dumb"}):
                    self.assertNotIn("\x1b", self.shown(command.split(), **unwanted))
        self.assertIn("38;5;", self.shown(COMMANDS[0].split()))

    def test_columns_of_the_environment_come_first(self):
        words = COMMANDS[0].split()
        self.assertLessEqual(widest(self.shown(words, 200, COLUMNS="60")), 60)
        self.assertGreater(widest(self.shown(words, 200, COLUMNS="x")), 150)
        self.assertEqual(widest(self.shown(words, 7)), 40)

    def test_output_writes_a_file(self):
        code, shown, errors = run(["plot-angles", "-o", "x.svg"])
        self.assertEqual((code, shown), (0, ""))
        self.assertIn("wrote x.svg", errors)
        self.assertTrue(Path("x.svg").read_text().startswith("<svg"))
        code, shown, _ = run(["plot-angles", "-o", "-"])
        self.assertEqual(code, 0)
        self.assertTrue(shown.startswith("<svg"))

    def test_without_a_terminal_a_file_is_written(self):
        done = subprocess.run([ROPE_CHECK, "plot-angles"], capture_output=True, text=True)
        self.assertEqual((done.returncode, done.stdout), (0, ""))
        self.assertEqual(os.listdir(), ["angles.svg"])
        Path("angles.svg").unlink()
        done = subprocess.run([ROPE_CHECK, "plot-angles", "-o", "text:-", "-o", "x.txt"],
                              capture_output=True, text=True, env=os.environ | {"COLUMNS": "60"})
        self.assertEqual(os.listdir(), ["x.txt"])
        self.assertLessEqual(widest(done.stdout), 60)
        self.assertGreater(widest(Path("x.txt").read_text()), 70)
        self.assertNotIn("\x1b", done.stdout + Path("x.txt").read_text())


if __name__ == "__main__":
    ROPE_CHECK = str(Path(sys.argv[1]).resolve())
    unittest.main(argv=sys.argv[:1] + sys.argv[2:])
