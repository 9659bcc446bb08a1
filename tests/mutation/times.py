"""Which lines of the sources each test executes: measured once by lines.c, and kept in the build."""
import array
import os
import pickle
import re
import struct
import subprocess
import time
from dataclasses import dataclass, field, replace
from pathlib import Path

from jail import ended
from tests import program_of

ROW = re.compile(r"^(\S+) +(\d+) +0x([0-9a-f]+) .*x$")
UNIT = re.compile(r"DW_AT_name .*?(\S+)$", re.M)
SLOW = 5  # seconds of a processor: a case of more is left out
QUICK = 2  # a program of more is measured case by case


@dataclass
class Run:
    at: float  # when it was measured
    seconds: float = 0
    sound: bool = False
    lines: dict = field(default_factory=dict)  # of each file, as bits of one integer


def rows_of(library, folder, root):
    """(file below root, line, offset) of a library's line table, its own sources alone."""
    def objdump(*options):
        return subprocess.run(["objdump", *options, library], capture_output=True, text=True,
                              check=True).stdout
    units = iter(UNIT.findall(objdump("--dwarf=info", "--dwarf-depth=1")))
    rows, unit, named = [], "", ""
    for row in objdump("-WL").splitlines():
        if found := ROW.match(row):
            # what is named above the first rows may be another file, and without its folder
            file = next((one for one in (named, unit) if "/" in one
                         and os.path.basename(one) == found[1]), "")
            rows.append((file, int(found[2]), int(found[3], 16)))
        elif row.startswith("File name "):
            unit = next(units)
        elif row.endswith(":"):
            named = row.removeprefix("CU: ")[:-1]
    below = {file: os.path.relpath(os.path.join(folder, file), root) for file, *_ in rows if file}
    return [(below[file], *place) for file, *place in rows
            if file.endswith(".cpp") and not below[file].startswith("..")]


def bits(places):
    lines = {}
    for file, line in places:
        lines[file] = lines.get(file, 0) | 1 << line
    return lines


class Lines:
    """Of tests by name. A test is measured again where its program is newer."""

    def __init__(self, build, root):
        self.build, self.root = build, root
        self.folder = build / "mutation"
        self.folder.mkdir(exist_ok=True)
        self.kept = self.folder / "lines.pickle"
        self.table, self.executed = (self.folder / f"{name}-{os.getpid()}"
                                     for name in ("table", "executed"))
        self.runs, self.code = {}, {}  # of tests, and the lines of each file that have code
        if self.kept.exists():
            self.runs, self.code = pickle.loads(self.kept.read_bytes())

    def keep(self):
        new = self.kept.with_suffix(".new")
        new.write_bytes(pickle.dumps((self.runs, self.code)))
        new.replace(self.kept)

    def write_table(self, libraries):
        """For lines.c; self.places has what its numbers mean."""
        self.places, self.code, table = [], {}, b""
        for library in libraries:
            at = {}
            for file, line, offset in rows_of(library, self.build, self.root):
                at.setdefault(offset, set()).add((file, line))
            table += struct.pack(f"64sQ{len(at)}Q", library.name.encode(), len(at), *sorted(at))
            self.places += [at[offset] for offset in sorted(at)]
        self.table.write_bytes(table)
        self.code = bits(place for places in self.places for place in places)

    def measure(self, tests, libraries):
        """Those of the tests that are new or whose program is: all cases of a program that is quick
        at once, else each for itself."""
        new = [one for one in tests if one.name not in self.runs
               or self.runs[one.name].at < os.path.getmtime(one.command[0])]
        if not new:
            return
        self.write_table(libraries)
        programs = {}
        for one in new:
            programs.setdefault(program_of(one) or one.name, []).append(one)
        for number, (program, cases) in enumerate(programs.items()):
            print(f"measuring {number + 1} of {len(programs)}: {os.path.basename(program)}", flush=True)
            whole = self.measured(replace(cases[0], command=(program,)), QUICK) if cases[1:] else None
            for one in cases:
                self.runs[one.name] = replace(whole, seconds=whole.seconds / len(cases)) \
                    if whole and whole.sound else self.measured(one, SLOW)
            self.keep()
        self.table.unlink()
        self.executed.unlink()
        failed = [one.name for one in new if not self.runs[one.name].sound]
        print(f"{len(failed)} tests fail or are slow when measured: {', '.join(failed[:10])}")

    def measured(self, test, seconds):
        begin = time.time()
        self.executed.write_bytes(b"")
        environment = {**test.environment, "LD_PRELOAD": self.build / "tests/libmutation_lines.so",
                       "LINES_AT": self.table, "LINES_TO": self.executed}
        end = ended(test.command, seconds, test.folder, environment, [self.folder])
        run = Run(begin, end.seconds, end.code in test.sound_codes)
        numbers = array.array("I")
        numbers.frombytes(self.executed.read_bytes())
        run.lines = bits(place for number in set(numbers) for place in self.places[number])
        return run

    def of(self, tests, file, line):
        """Those that execute a line; where it is new or has no code, those that execute its file."""
        changed = os.path.getmtime(self.root / file)
        has_code = self.code.get(file, 0) >> line & 1
        found = []
        for one in tests:
            run = self.runs[one.name]
            lines = run.lines.get(file, 0) if run.sound else 0
            if lines >> line & 1 or lines and (not has_code or run.at < changed):
                found.append(one)
        return found
