#!/usr/bin/env python3
"""A signal at any moment ends every command, and leaves the old output or a complete new one, no
temporary file, and no process that the command started.

usage: signals.py ROPE_CHECK
"""
import os
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

from commands import COMMANDS, OLD, TOOL, chosen, folder_of_inputs, is_whole, report, words

DELAYS = [0, 0.01, 0.05, 0.2]
SIGNALS = [signal.SIGINT, signal.SIGTERM]
# they end a process by default, and a program may get them while it runs another one
OTHERS = [signal.SIGHUP, signal.SIGQUIT, signal.SIGUSR1, signal.SIGUSR2, signal.SIGALRM,
          signal.SIGVTALRM, signal.SIGPROF, signal.SIGXCPU, signal.SIGABRT, signal.SIGPIPE,
          signal.SIGIO, signal.SIGRTMIN]
PATIENCE = 30  # seconds, also on a busy machine


def living(mark):
    """The processes whose environment has the mark. Those that were killed have a second to end."""
    def has_mark(entry):
        try:
            return mark in (entry / "environ").read_bytes()
        except OSError:
            return False

    found = [entry for entry in Path("/proc").iterdir() if entry.name.isdigit() and has_mark(entry)]
    end = time.monotonic() + 1
    while found and time.monotonic() < end:
        time.sleep(0.01)
        found = [entry for entry in found if has_mark(entry)]
    return [entry.name for entry in found]


def faults_of(command, number, delay, folder):
    """Faults after the signal, and the seconds until the command ended."""
    mark = f"ROPE_CHECK_FAULTS={os.getpid()}-{time.monotonic_ns()}"
    outputs, temporary = Path(folder, "outputs"), Path(folder, "temporary")
    for path in (outputs, temporary):
        shutil.rmtree(path, ignore_errors=True)
        path.mkdir()
    out = outputs / "out"
    if command.format == "baseline":
        shutil.copy("long.json", out)
    elif command.output:
        out.write_bytes(OLD)
    environment = {**os.environ, "TMPDIR": str(temporary), mark.split("=")[0]: mark.split("=")[1]}
    process = subprocess.Popen([TOOL, *words(command, command.long, str(out))], env=environment,
                               stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                               stderr=subprocess.PIPE)
    time.sleep(delay)
    begin = time.monotonic()
    process.send_signal(number)
    try:
        errors = process.communicate(timeout=PATIENCE)[1].decode()
    except subprocess.TimeoutExpired:
        process.kill()
        process.communicate()
        return [f"goes on for {PATIENCE} s"], PATIENCE
    seconds = time.monotonic() - begin
    faults = []
    if process.returncode not in (-number, 0, 1):
        faults.append(f"exit {process.returncode}: {errors}")
    if left := living(mark.encode()):
        faults.append(f"leaves processes {left}")
    if left := [path.name for path in temporary.iterdir()]:
        faults.append(f"leaves {left} in TMPDIR")
    files = [path for path in outputs.rglob("*") if path.is_file()]
    for path in files:
        if path.name.startswith("."):
            faults.append(f"leaves {path.name}")
        elif path == out and not is_whole(path, command.format):
            faults.append(f"leaves a part of {path.name}: {path.stat().st_size} bytes")
    return faults, seconds


def main():
    failures, slowest = [], 0
    verbose = len(sys.argv) > 2
    with folder_of_inputs() as folder:
        cases = chosen((command, number, delay) for command in COMMANDS
                       for number in SIGNALS + (OTHERS if command.name == "audit" else [])
                       for delay in DELAYS)
        for command, number, delay in cases:
            faults, seconds = faults_of(command, number, delay, folder)
            slowest = max(slowest, seconds)
            if verbose and seconds > 0.1:
                print(f"{command.name} {number.name} after {delay}: {seconds:.2f} s")
            failures += [f"{command.name}, {number.name} after {delay} s: {fault}" for fault in faults]
    report(failures, f"{len(cases)} signals, the slowest to end {slowest:.2f} s")


main()
