#!/usr/bin/env python3
"""What a program executes of a library is measured by line; usage: lines_test.py COMPILER."""
import platform
import shutil
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

from lines import Lines
from tests import Test

COMPILER = sys.argv.pop(1)
LIBRARY = """int even(int x) {
    if (x % 2 == 0)
        return x / 2;
    return __builtin_printf("%d", x);
}
"""
PROGRAM = "int even(int); int main(int count, char**) { return even(count + 7) != 4; }\n"


def compiled(folder, output, *words):
    (folder / output).parent.mkdir(exist_ok=True)
    subprocess.run([COMPILER, "-O1", "-g1", "-o", output, *words], cwd=folder, check=True)


def test(name, *command):
    return Test(name, command, {}, Path("/"), (0,))


class Measured(unittest.TestCase):
    @unittest.skipUnless(shutil.which("bwrap") and platform.machine() == "x86_64", "no jail here")
    def test_are_the_lines_that_a_program_executes(self):
        with tempfile.TemporaryDirectory(dir=Path(__file__).parent) as name:
            folder = Path(name)
            (folder / "even.cpp").write_text(LIBRARY)
            (folder / "main.cpp").write_text(PROGRAM)
            compiled(folder, "libeven.so", "-shared", "-fPIC", str(folder / "even.cpp"))
            compiled(folder, "main", "main.cpp", "-L.", "-leven", f"-Wl,-rpath,{folder}")
            compiled(folder, "tests/libmutation_lines.so", "-xc", Path(__file__).with_name("lines.c"),
                     "-shared", "-fPIC", "-Wl,-z,initfirst")
            lines, one = Lines(folder, folder), test("even", str(folder / "main"))
            lines.measure([one], [folder / "libeven.so"])
            self.assertTrue(lines.runs["even"].sound)
            executed = [bool(lines.of([one], "even.cpp", line)) for line in (2, 3, 4)]
            self.assertEqual(executed, [True, True, False])


unittest.main()
