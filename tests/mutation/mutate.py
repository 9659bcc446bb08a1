#!/usr/bin/env python3
"""Changes sources a little, one change at a time, and prints the changes that no test notices.

usage: mutate.py ROOT BUILD [--seed N] [--each N] [--tests REGEX] [--jobs N] [--seconds N]
                 [FILES OR FOLDERS…] [N]

Draws N mutants (300) from the sources, by default from every module, in proportion to the root of
its size, or with --each N from each.
A mutant is compiled and linked outside BUILD, and run with the tests whose name matches REGEX, the
quickest first, for N seconds (300) by their measured times. A mutant fails if it survives, is not listed
in tests/mutants.md and compiles to other code than the source.
"""
import argparse
import os
import random
import shutil
import sys
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from math import sqrt
from pathlib import Path
from threading import local

from build import Build
from mutants import mutants_of
from tests import Times, batches_of, tests_of

SOURCES = ["src/base", "src/rope", "src/io", "plots", "cli"]


def module_of(file):
    """src/rope/diagnose for all files below it, plots/svg, cli."""
    folder = file.parent.parts
    return "/".join(folder[:3 if folder[0] == "src" else 2])


@dataclass(frozen=True)
class Drawn:
    module: str
    file: Path  # relative to the root
    mutant: object


def drawn_of(root, files, count, each, seed):
    """The mutants of each module in random order, and the number wanted: `each`, or a number by the
    module's size if `each` is 0."""
    modules = {}
    for file in files:
        of_file = [Drawn(module_of(file), file, one) for one in mutants_of((root / file).read_text())]
        modules.setdefault(module_of(file), []).extend(of_file)
    whole = sum(sqrt(len(drawn)) for drawn in modules.values())
    for module, drawn in sorted(modules.items()):
        random.Random(f"{seed} {module}").shuffle(drawn)
        yield module, drawn, each or max(1, round(count * sqrt(len(drawn)) / whole))


class Judge:
    def __init__(self, root, build, asked):
        self.root, self.known = root, (root / "tests/mutants.md").read_text()
        self.build, self.seconds = Build(build), asked.seconds
        tests = tests_of(build, asked.tests)
        self.batches = batches_of(tests, Times(build, tests).seconds)
        self.trusted = {}  # whether a program's cases pass together without a change
        self.folders, self.here = iter(range(10 ** 6)), local()

    def folder(self):
        """The folder of this thread."""
        if not hasattr(self.here, "folder"):
            self.here.folder = self.build.build / f"mutation/{os.getpid()}-{next(self.folders)}"
            shutil.rmtree(self.here.folder, ignore_errors=True)
            self.here.folder.mkdir()
        return self.here.folder

    def noticed(self, batch, folder):
        name = batch.run({"LD_LIBRARY_PATH": folder})
        if name and len(batch.tests) > 1:
            program = batch.tests[0].command[0]
            if program not in self.trusted:
                self.trusted[program] = not batch.run({})
            if not self.trusted[program]:
                return ""
        return name

    def verdict(self, drawn):
        """The outcome of a mutant as text; "" if it does not compile."""
        file, folder = self.root / drawn.file, self.folder()
        source = file.read_text()
        changed = drawn.mutant.applied(source)
        if not self.build.changed(file, changed, folder):
            return ""
        if self.build.is_same_code(file, folder):
            return "same code"
        spent = ran = 0
        for batch in self.batches:
            if spent and spent + batch.seconds > self.seconds:
                break
            if name := self.noticed(batch, folder):
                return f"killed by {name}"
            spent, ran = spent + batch.seconds, ran + len(batch.tests)
        shown = drawn.mutant.shown(drawn.file, source).split(": ", 1)[1]
        if shown in self.known:
            return "known"
        return f"SURVIVES {ran} of {sum(len(one.tests) for one in self.batches)} tests"

    def module(self, drawn, wanted):
        """The outcomes of so many of a module's mutants that compile."""
        found = []
        for one in drawn:
            if len(found) == wanted:
                break
            if verdict := self.verdict(one):
                source = (self.root / one.file).read_text()
                print(f"{verdict}: {one.mutant.shown(one.file, source)}", flush=True)
                found.append(verdict.split()[0])
        return Counter(found)


def print_table(counts):
    """Prints the counts, and the share of killed mutants without the known and equal ones."""
    print(f"\n{'module':28} drawn killed known same survive  killed")
    for module, count in [*counts.items(), ("all", sum(counts.values(), Counter()))]:
        tested = count["killed"] + count["SURVIVES"]
        print(f"{module:28} {sum(count.values()):5} {count['killed']:6} {count['known']:5} "
              f"{count['same']:4} {count['SURVIVES']:7} {100 * count['killed'] // max(tested, 1):5} %")


def main():
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument("root", type=Path)
    parser.add_argument("build", type=Path)
    parser.add_argument("--each", type=int, default=0)
    parser.add_argument("--tests", default="")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--seconds", type=float, default=300)
    parser.add_argument("what", nargs="*")
    asked = parser.parse_intermixed_args()
    root, build = asked.root.resolve(), asked.build.resolve()
    count = int(asked.what.pop()) if asked.what and asked.what[-1].isdigit() else 300
    judge = Judge(root, build, asked)
    files = sorted({path.relative_to(root) for name in asked.what or SOURCES
                    for path in ([root / name] if name.endswith(".cpp") else (root / name).rglob("*.cpp"))
                    if judge.build.library_of(path)})
    modules = list(drawn_of(root, files, count, asked.each, asked.seed))
    with ThreadPoolExecutor(asked.jobs) as pool:
        found = pool.map(lambda one: judge.module(*one[1:]), modules)
        counts = {module: count for (module, *_), count in zip(modules, found)}
    print_table(counts)
    sys.exit(any(count["SURVIVES"] for count in counts.values()))


if __name__ == "__main__":
    main()
