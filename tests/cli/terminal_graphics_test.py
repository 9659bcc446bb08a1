"""Figures as pictures: terminals that have Kitty's graphics, sixel or neither, played behind a
pseudo-terminal. usage: terminal_graphics_test.py ROPE_CHECK"""
import base64
import fcntl
import os
import pty
import re
import select
import shutil
import signal
import struct
import subprocess
import sys
import tempfile
import termios
import unittest
import zlib
from pathlib import Path

from pseudo_terminal import END, all_shown, environment, write_end

QUERY = b"\x1b[c"
HAS_SIXEL, HAS_NONE = b"\x1b[?62;1;4;22c", b"\x1b[?64;1;2;6c"
WORDS = ["plot-spectrum", "--dim", "64"]
HEATMAP = ["plot-precision", "--dim", "16", "--context", "64", "--pipeline", "bf16-angles"]
CHARACTERS = re.compile("[\u2801-\u28ff\u2502\u2580]")
needs_librsvg = unittest.skipUnless(shutil.which("rsvg-convert"), "there is no rsvg-convert")


class FakeTerminal:
    """Behind the standard streams of one command, which it controls as a shell's terminal would."""

    def __init__(self, columns=80, pixels=0, typed=b""):
        self.master, self.slave = pty.openpty()
        self.resize(columns, pixels)
        if typed:
            os.write(self.master, typed)
        self.shown = b""

    def resize(self, columns, pixels):
        size = struct.pack("HHHH", 50, columns, pixels, 50 * 16 if pixels else 0)
        fcntl.ioctl(self.slave, termios.TIOCSWINSZ, size)

    def modes(self):
        return termios.tcgetattr(self.slave)

    def start(self, words, more):
        self.child = subprocess.Popen(
            [ROPE_CHECK, *words], stdin=self.slave, stdout=self.slave, stderr=subprocess.PIPE,
            start_new_session=True, env=environment(**more),
            preexec_fn=lambda: fcntl.ioctl(0, termios.TIOCSCTTY, 0))

    def read(self):
        """What there is to show, within 10 ms."""
        if select.select([self.master], [], [], 0.01)[0]:
            self.shown += os.read(self.master, 1 << 16)

    def play(self, words, reply=None, **more):
        """Replies to the query, as bytes or by a call, until the command ends: its exit code."""
        self.start(words, more)
        write_end(self.child, self.slave)
        replied = False
        while not self.shown.endswith(END):
            self.read()
            if QUERY in self.shown and not replied:
                replied = True
                reply() if callable(reply) else os.write(self.master, reply or b"")
        self.shown = self.shown.removesuffix(END)
        self.errors = self.child.stderr.read().decode()
        self.child.stderr.close()
        return self.child.returncode

    def close(self):
        os.close(self.master)
        os.close(self.slave)


def sixel_pixels(text):
    """Width, height and the colour of each pixel, of one sixel picture."""
    raster = re.match(r'\x1bPq"1;1;(\d+);(\d+)', text)
    width, height = map(int, raster.groups())
    colors, pixels = {}, {}
    x = top = 0
    color = None
    for number, rgb, repeats, again, one, newline in re.findall(
            r"#(\d+)((?:;\d+){4})?|!(\d+)(.)|([?-~])|([$-])", text[raster.end():-2]):
        if newline:
            x, top = 0, top + 6 * (newline == "-")
        elif number:
            color = int(number)
            if rgb:
                colors[color] = rgb
        else:
            for _ in range(int(repeats or 1)):
                for row in range(6):
                    if (ord(again or one) - 63) >> row & 1:
                        pixels[x, top + row] = colors[color]
                x += 1
    return width, height, pixels


def png_size(png):
    assert png.startswith(b"\x89PNG\r\n\x1a\n")
    data = b""
    at = 8
    while at < len(png):
        size, kind = struct.unpack(">I4s", png[at:at + 8])
        body = png[at + 8:at + 8 + size]
        assert struct.unpack(">I", png[at + 8 + size:at + 12 + size])[0] == zlib.crc32(kind + body)
        if kind == b"IHDR":
            header = struct.unpack(">IIBBBBB", body)
        if kind == b"IDAT":
            data += body
        at += 12 + size
    width, height, depth, color = header[:4]
    channels = {2: 3, 6: 4}[color]
    assert depth == 8 and len(zlib.decompress(data)) == height * (1 + channels * width)
    return width, height


class Graphics(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.addCleanup(os.chdir, os.getcwd())
        os.chdir(folder.name)

    def played(self, words=WORDS, reply=None, columns=80, pixels=0, typed=b"", **more):
        """What the terminal shows, whose modes are as they were."""
        terminal = FakeTerminal(columns, pixels, typed)
        self.addCleanup(terminal.close)
        before = terminal.modes()
        code = terminal.play(words, reply, **more)
        self.assertEqual(code, 0, terminal.errors)
        self.assertEqual(terminal.modes(), before)
        self.assertEqual(os.listdir(), [], "a file was written")
        return terminal.shown.decode().replace("\r\n", "\n")

    def assert_characters(self, shown):
        self.assertRegex(shown, CHARACTERS)
        self.assertNotIn("\x1bP", shown)
        self.assertNotIn("\x1b_G", shown)

    def size_of_figure(self, words=WORDS):
        subprocess.run([ROPE_CHECK, *words, "-q", "-o", "figure.svg"], check=True)
        svg = Path("figure.svg").read_text()
        os.remove("figure.svg")
        return tuple(map(int, re.search(r'width="(\d+)" height="(\d+)"', svg).groups()))

    @needs_librsvg
    def test_a_terminal_that_says_it_has_sixel_gets_the_whole_figure_in_it(self):
        for words in (WORDS, HEATMAP):
            for columns, across, want in ((80, 0, 640), (80, 800, 800), (300, 2700, 1080)):
                with self.subTest(words=words, columns=columns, across=across):
                    shown = self.played(words, HAS_SIXEL, columns, across)
                    query, picture = shown.split("\x1bP")
                    self.assertEqual(query, "\x1b[c")
                    self.assertTrue(picture.endswith("\x1b\\\n"))
                    width, height, pixels = sixel_pixels("\x1bP" + picture[:-1])
                    own = self.size_of_figure(words)
                    self.assertEqual(width, want)
                    self.assertAlmostEqual(height, want * own[1] / own[0], delta=1)
                    self.assertEqual(len(pixels), width * height)
                    self.assertEqual(max(pixels), (width - 1, height - 1))
                    self.assertIn(len(set(pixels.values())), range(10, 257))
                    self.assertEqual(pixels[0, 0], ";2;100;100;100")

    def test_a_terminal_without_sixel_or_without_an_answer_gets_characters(self):
        for reply in (HAS_NONE, b"\x1b[?4c", b"\x1b[?1;2", b"c", None):
            with self.subTest(reply=reply):
                shown = self.played(reply=reply)
                self.assertTrue(shown.startswith("\x1b[c"), "it was asked")
                self.assert_characters(shown)

    @needs_librsvg
    def test_terminals_with_kittys_graphics_get_a_png_and_are_not_asked(self):
        own = self.size_of_figure()
        for kitty in ({"TERM": "xterm-kitty"}, {"KITTY_WINDOW_ID": "1"}, {"TERM": "xterm-ghostty"},
                      {"TERM_PROGRAM": "ghostty"}, {"TERM_PROGRAM": "WezTerm"}):
            with self.subTest(kitty=kitty):
                shown = self.played(**kitty)
                parts = re.findall(r"\x1b_G([^;]*);([^\x1b]*)\x1b\\", shown)
                self.assertEqual(parts[0][0], "a=T,f=100,q=2,c=80,m=1")
                self.assertEqual({head for head, _ in parts[1:-1]}, {"m=1"})
                self.assertEqual(parts[-1][0], "m=0")
                self.assertEqual({len(data) for _, data in parts[:-1]}, {4096})
                png = base64.b64decode("".join(data for _, data in parts), validate=True)
                self.assertEqual(png_size(png), (2 * own[0], 2 * own[1]))
                self.assertEqual(re.sub(r"\x1b_G[^\x1b]*\x1b\\", "", shown), "\n")
        self.assertIn(",c=120,", self.played(columns=400, TERM="xterm-kitty"))

    def test_pictures_are_left_out_where_they_are_not_wanted(self):
        for unwanted in ({"NO_COLOR": "1"}, {"TERM": "dumb"}, {"TMUX": "x"}, {"TERM": "screen"},
                         {"TERM": "tmux-256color", "KITTY_WINDOW_ID": "1"}):
            with self.subTest(unwanted=unwanted):
                shown = self.played(**unwanted)
                self.assertNotIn("\x1b[c", shown)
                self.assert_characters(shown)
        for words in ([*WORDS, "--graphics", "text"], [*WORDS, "--color", "never"]):
            shown = self.played(words, TERM="xterm-kitty")
            self.assertNotIn("\x1b[c", shown)
            self.assert_characters(shown)
        shown = self.played([*WORDS, "--ascii", "--graphics", "kitty"])
        self.assertTrue(shown.isascii())
        self.assertNotIn("\x1b_G", shown)
        self.assert_characters(self.played(ROPE_CHECK_GRAPHICS="text", TERM="xterm-kitty"))

    def test_ci_and_whoever_has_typed_ahead_are_not_asked(self):
        self.assertNotIn("\x1b[c", self.played(CI="true"))
        self.assertNotIn("\x1b[c", self.played(typed=b"ls\n"))
        terminal = FakeTerminal(typed=b"ls\n")
        self.addCleanup(terminal.close)
        self.assertEqual(terminal.play(WORDS), 0)
        os.set_blocking(terminal.slave, False)
        self.assertEqual(os.read(terminal.slave, 100), b"ls\n")

    def test_a_terminal_of_another_process_group_is_not_asked(self):
        master, slave = pty.openpty()
        background = ["sh", "-mc", '"$@" & wait $!', "sh", ROPE_CHECK, *WORDS]
        child = subprocess.Popen(
            background, stdin=slave, stdout=slave, stderr=subprocess.DEVNULL,
            start_new_session=True, preexec_fn=lambda: fcntl.ioctl(0, termios.TIOCSCTTY, 0),
            env=os.environ | {"TERM": "xterm-256color", "LANG": "en_US.UTF-8", "CI": ""})
        shown = all_shown(child, master, slave)
        self.assertNotIn(QUERY, shown)
        self.assert_characters(shown.decode())

    @needs_librsvg
    def test_what_is_asked_for_by_name_is_drawn_and_nobody_asked(self):
        unlikely = {"NO_COLOR": "1", "TMUX": "x"}
        shown = self.played([*WORDS, "--graphics", "sixel"], **unlikely)
        self.assertTrue(shown.startswith('\x1bPq"1;1;640;'), shown[:40])
        shown = self.played([*WORDS, "--graphics=kitty"], **unlikely)
        self.assertTrue(shown.startswith("\x1b_Ga=T,f=100"), shown[:40])
        shown = self.played(ROPE_CHECK_GRAPHICS="sixel")
        self.assertTrue(shown.startswith("\x1bPq"), shown[:40])

    def test_without_a_converter_that_works_characters_are_drawn(self):
        for converter in (None, "exit 1", "echo no picture", "printf '\\211PNG\\r\\n\\032\\n'"):
            with self.subTest(converter=converter), tempfile.TemporaryDirectory() as folder:
                if converter:
                    program = Path(folder, "rsvg-convert")
                    program.write_text("#!/bin/sh\n" + converter + "\n")
                    program.chmod(0o755)
                self.assert_characters(self.played(reply=HAS_SIXEL, PATH=folder))
                terminal = FakeTerminal()
                self.addCleanup(terminal.close)
                code = terminal.play([*WORDS, "--graphics", "sixel"], PATH=folder)
                self.assertEqual((code, terminal.shown), (3, b""))
                self.assertRegex(terminal.errors, "^error: --graphics sixel: .*rsvg-convert")

    def test_files_and_pipes_get_no_picture(self):
        for extra in ([], ["--graphics", "kitty"], ["--graphics", "sixel"]):
            with self.subTest(extra=extra):
                kitty = os.environ | {"TERM": "xterm-kitty", "KITTY_WINDOW_ID": "1"}
                for words in ([], ["-o", "-"], ["--ascii"], ["-o", "csv:-"], ["-o", "x.svg"]):
                    done = subprocess.run([ROPE_CHECK, *WORDS, *extra, *words],
                                          capture_output=True, env=kitty)
                    self.assertEqual(done.returncode, 0, done.stderr)
                    files = [Path(name).read_bytes() for name in os.listdir()]
                    self.assertNotIn(b"\x1b", b"".join([done.stdout, done.stderr, *files]), words)
                    self.assertEqual(os.listdir() != [], words in ([], ["-o", "x.svg"]))
                    for name in os.listdir():
                        os.remove(name)

    def test_a_figure_does_not_say_how_a_terminal_showed_it(self):
        svg = subprocess.run([ROPE_CHECK, *WORDS, "--graphics", "kitty", "-o", "-"],
                             capture_output=True, text=True).stdout
        self.assertIn("command: rope-check plot-spectrum --dim 64\n", svg)

    def test_the_modes_are_as_before_after_an_interrupt(self):
        for _ in range(10):
            terminal = FakeTerminal()
            self.addCleanup(terminal.close)
            before, during = terminal.modes(), []

            def interrupt():
                during.append(terminal.modes())
                os.write(terminal.master, b"\x03")

            code = terminal.play(WORDS, interrupt)
            self.assertEqual(terminal.modes(), before)
            # unless this process was kept from replying until the tool had given up
            if code == -signal.SIGINT:
                self.assertFalse(during[0][3] & termios.ECHO)
                self.assertEqual(terminal.shown, QUERY + (b"^C" if terminal.shown[3:] else b""))
                return
        self.fail("never interrupted while it waited")

    def test_another_word_is_refused_wherever_the_figure_goes(self):
        for words in ([], ["-o", "x.svg"], ["--ascii"]):
            done = subprocess.run([ROPE_CHECK, *WORDS, "--graphics", "sixels", *words],
                                  capture_output=True, text=True)
            self.assertEqual(done.returncode, 2)
            self.assertIn("unknown graphics 'sixels'; did you mean 'sixel'?", done.stderr)
            self.assertEqual(os.listdir(), [])


if __name__ == "__main__":
    ROPE_CHECK = str(Path(sys.argv[1]).resolve())
    unittest.main(argv=sys.argv[:1] + sys.argv[2:])
