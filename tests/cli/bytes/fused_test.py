#!/usr/bin/env python3
"""No product and sum are fused into one rounding, which other builds round twice: every source is
compiled without contraction, and the compiler complies, also if a user's flags allow it.

usage: fused_test.py SOURCES BUILD ROPE_CHECK COMPILER OBJDUMP
"""
import json
import re
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

SOURCES, BUILD, TOOL = map(Path, sys.argv[1:4])
COMPILER, OBJDUMP = sys.argv[4:6]
# GCC makes vfmaddsub from spec/spec.cpp at -O3 if it may fuse; kernels/table.cpp explains its exception.
ROTATE = "src/rope/CMakeFiles/rope_check_core.dir/spec/spec.cpp.o"
MAY_FUSE = "src/rope/kernels/table.cpp"


def fused_functions(program):
    """The functions with vfmaddsub or vfmsubadd, which the vectoriser makes of complex products."""
    found, function = set(), None
    listing = subprocess.run([OBJDUMP, "-d", "-C", "--no-show-raw-insn", program], capture_output=True,
                             text=True, check=True).stdout
    for line in listing.splitlines():
        if line.endswith(">:"):
            function = line
        elif re.search(r"\tvfm(addsub|subadd)", line):
            found.add(function)
    assert function, "nothing was disassembled"
    return found


class Fused(unittest.TestCase):
    maxDiff = None

    def test_every_source_is_compiled_without_contraction(self):
        own = re.compile(r"/(rope_check_(core|io|plots|cli|kernels_\w+)|rope-check)[.]dir/")
        commands = [one for one in json.loads((BUILD / "compile_commands.json").read_text())
                    if own.search(one["command"]) and not one["file"].endswith(MAY_FUSE)]
        self.assertGreater(len(commands), 30)
        contraction = {one["file"]: re.findall(r" -ffp-contract=(\w+)", one["command"])[-1:] for one in commands}
        self.assertEqual({file: last for file, last in contraction.items() if last != ["off"]}, {})

    def test_the_tool_has_no_fused_products(self):
        self.assertEqual(fused_functions(TOOL), set())

    def test_a_build_for_haswell_has_no_fused_products(self):
        with tempfile.TemporaryDirectory() as folder:
            for step in (["cmake", "-S", SOURCES, "-B", folder, "-G", "Ninja", f"-DCMAKE_CXX_COMPILER={COMPILER}",
                          "-DCMAKE_CXX_FLAGS=-march=haswell", "-DCMAKE_BUILD_TYPE=Release"],
                         ["ninja", "-C", folder, ROTATE]):
                done = subprocess.run(step, capture_output=True, text=True)
                self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
            self.assertEqual(fused_functions(Path(folder, ROTATE)), set())


unittest.main(argv=sys.argv[:1])
