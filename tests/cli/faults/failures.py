#!/usr/bin/env python3
"""If any call of the C library fails, a command ends with 3 and one line, or succeeds without
it; its output is complete or absent, and no other file remains.

usage: failures.py ROPE_CHECK FAILING_CALLS
"""
import os
import resource
import shutil
import subprocess
import sys
from pathlib import Path

from commands import COMMANDS, OLD, TOOL, chosen, folder_of_inputs, is_whole, report, words

CALLS = os.path.abspath(sys.argv[2])
NO_MEMORY = b"error: not enough memory\n"
# the number of calls of a command to try, spread over all
TRIED = {"malloc": 6, "read": 3, "write": 4, "fsync": 2, "fchmod": 2, "rename": 2, "open": 4}


class Place:
    """Folders for outputs and temporary files, with the files that a command finds."""

    def __init__(self, scratch):
        self.outputs, self.temporary = Path(scratch, "outputs"), Path(scratch, "temporary")
        self.out = self.outputs / "out"

    def clear(self, command):
        for path in (self.outputs, self.temporary):
            shutil.rmtree(path, ignore_errors=True)
            path.mkdir()
        if command.format == "baseline":
            shutil.copy("base.json", self.out)
        elif command.output:
            self.out.write_bytes(OLD)

    def run(self, command, variables, files=None):
        self.clear(command)

        def limit():
            if files:
                resource.setrlimit(resource.RLIMIT_NOFILE, (files, files))
        return subprocess.run(
            [TOOL, *words(command, command.short, str(self.out))], stdin=subprocess.DEVNULL,
            capture_output=True, timeout=120, preexec_fn=limit,
            env={**os.environ, "TMPDIR": str(self.temporary), **variables})

    def faults_after(self, command, done):
        lines = done.stderr.decode().split("\n")[:-1]
        errors, faults = [line for line in lines if not line.startswith("wrote ")], []
        if done.returncode not in (0, 1, 3):
            faults.append(f"exit {done.returncode}: {lines}")
        if done.returncode == 3 and (len(errors) != 1 or not errors[0].startswith("error: ")):
            faults.append(f"prints {lines}")
        if left := [path.name for path in self.temporary.iterdir()]:
            faults.append(f"leaves {left} in TMPDIR")
        for path in self.outputs.iterdir():
            if path.name != "out":
                faults.append(f"leaves {path.name}")
            elif path.is_file() and not is_whole(path, command.format):
                faults.append(f"leaves a part: {path.read_bytes()[:100]}")
        return faults


def numbers(count, tried):
    """So many numbers from 1 to count, with the first and the last."""
    if count <= tried:
        return range(1, count + 1)
    return sorted({1 + round(k * (count - 1) / (tried - 1)) for k in range(tried)})


def faults_of(command, place):
    faults = []
    place.run(command, {"LD_PRELOAD": CALLS, "COUNT_TO": "count"})
    counted = dict(line.split() for line in Path("count").read_text().splitlines())
    for call, tried in TRIED.items():
        for number in numbers(int(counted[call]), tried):
            done = place.run(command, {"LD_PRELOAD": CALLS, "FAIL": f"{call}:{number}"})
            found = place.faults_after(command, done)
            if call == "malloc" and done.returncode == 3:
                found += [] if done.stderr.endswith(NO_MEMORY[len("error"):]) else [f"says {done.stderr!r}"]
            faults += [f"{call} {number}: {fault}" for fault in found]
    for number in (100, 1500):  # and no fault after it
        done = place.run(command, {"LD_PRELOAD": CALLS, "FAIL": f"malloc:{number}+"})
        if done.returncode != 3 or done.stderr != NO_MEMORY:
            faults.append(f"no memory from {number} on: {done.returncode} {done.stderr!r}")
    for files in (4, 6, 8):
        done = place.run(command, {}, files)
        faults += [f"{files} open files: {fault}" for fault in place.faults_after(command, done)]
    return faults


def main():
    failures = []
    with folder_of_inputs() as scratch:
        place = Place(scratch)
        for command in chosen(COMMANDS):
            failures += [f"{command.name}: {fault}" for fault in faults_of(command, place)]
    report(failures, f"{len(chosen(COMMANDS))} commands")


main()
