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
from mutate import drawn_of, module_of
from tests import Test, batches_of

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


class Drawn(unittest.TestCase):
    def test_is_a_share_of_every_module_and_the_same_for_a_seed(self):
        with tempfile.TemporaryDirectory() as name:
            root, files = Path(name), [Path("src/rope/a/1.cpp"), Path("src/rope/a/2.cpp"),
                                       Path("src/io/b/1.cpp"), Path("cli/c/1.cpp")]
            for file in files:
                (root / file).parent.mkdir(parents=True, exist_ok=True)
                (root / file).write_text("x = a < b;\n" * 8)
            drawn = {module: (len(all_of_them), wanted)
                     for module, all_of_them, wanted in drawn_of(root, files, 10, 0, 1)}
            self.assertEqual(drawn, {"src/rope/a": (16, 4), "src/io/b": (8, 3), "cli/c": (8, 3)})
            self.assertEqual({wanted for *_, wanted in drawn_of(root, files, 10, 5, 1)}, {5})
            self.assertEqual(*(list(drawn_of(root, files, 10, 0, 1)) for _ in range(2)))
            self.assertNotEqual(*(list(drawn_of(root, files, 10, 0, seed)) for seed in (1, 2)))

    def test_belongs_to_its_folder_below_a_layer(self):
        self.assertEqual(module_of(Path("cli/main.cpp")), "cli")
        self.assertEqual(module_of(Path("plots/svg/x.cpp")), "plots/svg")
        self.assertEqual(module_of(Path("src/rope/diagnose/search/x.cpp")), "src/rope/diagnose")
        self.assertEqual(module_of(Path("src/base/x.cpp")), "src/base")


class Batches(unittest.TestCase):
    def test_are_of_one_program_and_the_quickest_is_first(self):
        seconds = {"a/1": 0.8, "a/2": 0.1, "a/3": 3, "a/4": 4, "b": 2}
        runs = {name: type("Run", (), {"seconds": own}) for name, own in seconds.items()}
        cases = [test(f"a/{n}", "a", f"--gtest_filter={n}") for n in (1, 2, 3, 4)]
        batches = batches_of([*cases, test("b", "sh", "b.sh")], runs)
        self.assertEqual([one.command() for one in batches],
                         [["a", "--gtest_filter=2:1", "--gtest_fail_fast"], ["sh", "b.sh"],
                          ["a", "--gtest_filter=3", "--gtest_fail_fast"],
                          ["a", "--gtest_filter=4", "--gtest_fail_fast"]])


unittest.main()
