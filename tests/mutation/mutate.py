#!/usr/bin/env python3
"""Changes sources a little, one change at a time, and says which changes no test notices.

usage: mutate.py ROOT BUILD [--tests REGEX] [--seed N] [FILES…] [N]

Draws N mutants (30) of FILES, by default of src/rope/diagnose and src/io/table_layout. Each is built
in BUILD and given to those tests that link the file, and whose name matches REGEX. What survives
and is not listed in tests/mutants.md fails.
"""
import argparse
import random
import re
import signal
import subprocess
import sys
import time
from pathlib import Path

from mutants import mutants_of

FOLDERS = ["src/rope/diagnose", "src/io/table_layout"]


def run(words, timeout=None):
    """The exit code, None where time is up."""
    try:
        return subprocess.run(words, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                              stderr=subprocess.DEVNULL, timeout=timeout).returncode
    except subprocess.TimeoutExpired:
        return None


def symbols(path, *options):
    text = subprocess.run(["nm", *options, path], capture_output=True, text=True).stdout
    return {line.split()[-1] for line in text.splitlines() if " T " in line}


class Tests:
    """Those that link a file, the quickest first."""

    def __init__(self, build, pattern):
        self.build, self.seconds, self.symbols = build, {}, {}
        self.names = sorted(path.stem for path in (build / "tests").glob("*_test")
                            if re.search(pattern, path.stem))

    def of(self, file):
        objects = list(self.build.glob(f"**/*.dir/**/{file.stem}.cpp.o"))
        own = [one for one in objects if str(one).endswith("/".join(file.parts[-2:]) + ".o")]
        if not own:
            sys.exit(f"mutate: {file}: no object of it is in {self.build}")
        defined = symbols(own[0], "-g", "--defined-only")
        for name in self.names:
            if name not in self.symbols:
                self.symbols[name] = symbols(self.build / "tests" / name)
        found = [name for name in self.names if self.symbols[name] & defined]
        for name in found:
            if name not in self.seconds:
                begin = time.monotonic()
                if run([self.build / "tests" / name]) != 0:
                    sys.exit(f"mutate: {name} fails before anything is changed")
                self.seconds[name] = time.monotonic() - begin
        return sorted(found, key=self.seconds.get)

    def fails(self, name):
        return run([self.build / "tests" / name], 30 + 5 * self.seconds[name]) != 0

    def builds(self, names):
        return run(["ninja", "-C", self.build, *names]) == 0


def verdict(tests, names):
    """Which test notices, "" if none does, None where it does not compile."""
    if not tests.builds(names):
        return None
    return next((name for name in names if tests.fails(name)), "")


def try_one(tests, file, mutant, source):
    names = tests.of(file)
    try:
        file.write_text(mutant.applied(source))
        return verdict(tests, names)
    finally:
        file.write_text(source)


def main():
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument("root", type=Path)
    parser.add_argument("build", type=Path)
    parser.add_argument("--tests", default="")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("what", nargs="*")
    asked = parser.parse_intermixed_args()
    asked.root = asked.root.resolve()
    count = int(asked.what.pop()) if asked.what and asked.what[-1].isdigit() else 30
    files = [Path(name).resolve() for name in asked.what] or [
        path for folder in FOLDERS for path in sorted((asked.root / folder).rglob("*.cpp"))]
    known = (asked.root / "tests/mutants.md").read_text()
    tests = Tests(asked.build.resolve(), asked.tests)
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))  # so that the file is restored
    drawn = [(file, one) for file in files for one in mutants_of(file.read_text())]
    random.Random(asked.seed).shuffle(drawn)
    noticed, survived = 0, []
    for file, mutant in drawn:
        if noticed + len(survived) == count:
            break
        source = file.read_text()
        shown = mutant.shown(file.relative_to(asked.root), source)
        name = try_one(tests, file, mutant, source)
        if name is None:
            continue
        noticed += name != ""
        excused = shown.split(": ", 1)[1] in known
        if name == "" and not excused:
            survived.append(shown)
        print(f"{name or ('survives, as known' if excused else 'SURVIVES')}: {shown}", flush=True)
        noticed += name == "" and excused
    tests.builds(tests.names)  # of what is there again
    print(f"{noticed} noticed or known, {len(survived)} survive")
    sys.exit(bool(survived))


main()
