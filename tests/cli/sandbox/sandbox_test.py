#!/usr/bin/env python3
"""Code that takes over a command can do anything without the sandbox, and nothing harmful to files or programs with
it; and a command has the same result with and without it.

usage: sandbox_test.py ROPE_CHECK INTRUDER
"""
import ctypes
import os
import shutil
import struct
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

TOOL, INTRUDER = (os.path.abspath(word) for word in sys.argv[1:3])
CREATE_RULESET = 444  # landlock_create_ruleset on every processor
LIBC = ctypes.CDLL(None, use_errno=True)
# the actions of intruder.c, and the version of Landlock that first refuses each
SINCE = {**dict.fromkeys("RFWCNUMLHX", 1), "T": 3, "I": 4, "K": 6}
# commands that read nothing, files, pipes or a folder, and that write nothing, files or both
COMMANDS = """
verify --dim 16 --context 64
verify --config a.json --context 64
verify --config folder --context 64 -o out.json -o text:-
verify --config llama.gguf --context 64 --format text
verify --dim 16 --context 64 --baseline base.json
verify --dim 16 --rope rope_type=given,given_inv_freq=rates.npy --context 64
compare dump.npz --dim 16
compare cos=dump.npz:cos sin=dump.npz:sin --dim 16 -o out.md
compare dump.safetensors --dim 16 q_rot=dump.safetensors:q_rot q=dump.safetensors:q
audit check request
verify --config a.json --dim 16 --context 64 --context 65 -o out.json
baseline check base.json
baseline update base.json --reason r
baseline record new.json --reason r -- compare dump.npz --dim 16
explain --config a.json
diff a.json llama.gguf
export --config a.json --positions 0:8 -o out.npz -o out.json
export --dim 16 q=dump.npz:cos -o out.npz
base-bound --dim 16 --context 64 --resume log
claims 001-c3-R3 -o out.md
plot-decay --distance 64 -o out.svg
plot-decay --config a.json --distance 64 -o text:-
compare dump.npz --dim 16 -o out.svg -o out.csv -o out.html
explain --config a.json -o out.html -o out.svg
list models
""".strip().split("\n")


def version():
    return max(LIBC.syscall(CREATE_RULESET, None, 0, 1), 0)


def expected(landlock):
    return "".join(letter.lower() if landlock >= since else letter for letter, since in SINCE.items())


def without_landlock(error):
    """A filter of system calls, as in containers: landlock_create_ruleset fails with this error."""
    def filtered():
        code = b"".join(struct.pack("HBBI", *step) for step in (
            (0x20, 0, 0, 0), (0x15, 0, 1, CREATE_RULESET), (0x06, 0, 0, 0x50000 | error),
            (0x06, 0, 0, 0x7FFF0000)))
        steps = ctypes.create_string_buffer(code)
        program = struct.pack("HxxxxxxP", 4, ctypes.addressof(steps))
        if LIBC.prctl(38, 1, 0, 0, 0) or LIBC.prctl(22, 2, program, 0, 0):
            os._exit(99)
    return filtered


def tool(*words, **kwargs):
    return subprocess.run([TOOL, *words], capture_output=True, timeout=120,
                          stdin=subprocess.DEVNULL, **kwargs)


def prepare(golden):
    Path("a.json").write_text('{"head_dim": 16}')
    os.mkdir("folder")
    shutil.copy("a.json", "folder/config.json")
    shutil.copy(golden.parent / "cli/files/llama.gguf", ".")
    for words in ("export --dim 16 --positions 0:8 -o dump.npz -o dump.safetensors",
                  "audit new request --dim 16",
                  "baseline record base.json --dim 16 --context 64 --reason r"):
        done = tool(*words.split())
        if done.returncode:
            raise AssertionError(done.stderr)
    header = b"{'descr': '<f8', 'fortran_order': False, 'shape': (8,), }".ljust(117) + b"\n"
    Path("rates.npy").write_bytes(b"\x93NUMPY\x01\x00" + struct.pack("<H", len(header)) + header +
                                  struct.pack("<8d", *(10000.0 ** (-i / 8) for i in range(8))))
    shutil.copy("request/x.npy", "request/y.npy")


class Sandbox(unittest.TestCase):
    def setUp(self):
        self.scratch = Path(tempfile.mkdtemp())
        self.addCleanup(shutil.rmtree, self.scratch)
        self.work, self.intruded = self.scratch / "work", self.scratch / "intruded"
        self.pristine = self.scratch / "pristine"
        self.pristine.mkdir()
        os.chdir(self.pristine)
        prepare(Path(__file__).resolve().parents[2] / "golden")

    def run_intruded(self, command, *more, landlock=99):
        """The letters of the actions that succeeded, the exit code, and all files."""
        for folder in (self.work, self.intruded):
            shutil.rmtree(folder, ignore_errors=True)
        shutil.copytree(self.pristine, self.work)
        self.intruded.mkdir()
        for name in ("secret", "victim", "unlinked"):
            (self.intruded / name).write_text("precious")
        report = self.scratch / "report"
        report.unlink(missing_ok=True)
        words = command.split()
        at = words.index("--") if "--" in words else len(words)
        # in CI, no baseline is updated, and reports have other formats
        own = {name: value for name, value in os.environ.items() if name not in ("CI", "GITHUB_ACTIONS")}
        done = tool(*words[:at], *more, *words[at:], cwd=self.work, env={
            **own, "LD_PRELOAD": INTRUDER, "INTRUDED": str(self.intruded),
            "INTRUDED_TO": str(report), "LANDLOCK": str(landlock)})
        files = {str(path.relative_to(self.work)): path.read_bytes()
                 for path in sorted(self.work.rglob("*")) if path.is_file()}
        return report.read_text(), (done.returncode, done.stdout, done.stderr, files)

    def test_holds_every_command_that_starts_no_program(self):
        for command in COMMANDS:
            with self.subTest(command):
                tried, jailed = self.run_intruded(command)
                self.assertEqual(tried, expected(version()))
                tried, free = self.run_intruded(command, "--sandbox", "off")
                self.assertEqual(tried, expected(0), "the intruder itself must be able to")
                self.assertLessEqual(jailed[0], 1, jailed[2])
                self.assertEqual(jailed, free)

    def test_an_unwritable_output_has_the_same_error_without_it(self):
        for output in ("missing/x.json", "folder", "a.json/x.npz"):
            words = ["export", "--dim", "16", "--positions", "0:8", "-o", f"json:{output}"]
            on, off = (tool(*words, "--sandbox", mode) for mode in ("on", "off"))
            self.assertEqual((on.returncode, on.stdout, on.stderr), (off.returncode, off.stdout, off.stderr))
            self.assertEqual((on.returncode, on.stderr.count(b"\n")), (3, 1), on.stderr)

    def test_refuses_what_each_version_of_landlock_can_refuse(self):
        for landlock in range(version() + 1):
            tried, _ = self.run_intruded("verify --config a.json --context 64 -o out.json",
                                         landlock=landlock)
            self.assertEqual(tried, expected(landlock), f"version {landlock}")

    def test_is_silent_if_automatic_and_unavailable_and_one_line_if_on(self):
        want = tool("explain", "--dim", "16")
        for error in (1, 38, 95):  # EPERM, ENOSYS, EOPNOTSUPP
            for mode, code in (("auto", 0), ("off", 0), ("on", 3)):
                done = tool("explain", "--dim", "16", "--sandbox", mode,
                            preexec_fn=without_landlock(error))
                self.assertEqual(done.returncode, code)
                if code == 0:
                    self.assertEqual((done.stdout, done.stderr), (want.stdout, want.stderr))
                else:
                    self.assertTrue(done.stderr.startswith(b"error: --sandbox on: there is no Land"))
                    self.assertEqual(done.stderr.count(b"\n"), 1)

    def test_commands_that_start_a_program_or_make_a_folder_refuse_it(self):
        for words, reason in (
                ("audit --sandbox on --dim 16 -- true", b"runs your program"),
                ("audit new d --sandbox on --dim 16", b"makes a folder"),
                ("export --suite d --sandbox on", b"makes a folder"),
                ("audit --suite d --sandbox on -- true", b"runs your program"),
                ("plot-decay --dim 16 -o png:- --sandbox on", b"runs rsvg-convert"),
                ("baseline check base.json --allow audit --sandbox on", b"runs audited programs"),
                ("baseline record b --sandbox on --reason r -- audit --dim 16 -- true",
                 b"runs audited programs")):
            done = tool(*words.split())
            self.assertEqual((done.returncode, reason in done.stderr), (2, True), done.stderr)
            self.assertEqual(done.stderr.count(b"\n"), 1)
        done = tool("verify", "--sandbox", "onn")
        self.assertEqual(b"error: unknown mode of --sandbox 'onn'; known: auto, on, off\n", done.stderr)

    def test_writes_the_target_of_a_link(self):
        Path("link.npz").symlink_to("target.npz")
        self.assertEqual(tool("export", "--dim", "16", "--positions", "0:8", "-o", "link.npz").returncode, 0)
        self.assertTrue(Path("target.npz").is_file() and Path("link.npz").is_symlink())


if version() == 0:
    print("no Landlock here: only what is done without it is tested")
unittest.main(argv=sys.argv[:1], verbosity=2)
