#!/usr/bin/env python3
"""Every command with every kind of output: a complete file, or exit 3, one line and no other file.

usage: outputs.py ROPE_CHECK
"""
import itertools
import os
import shutil
import subprocess
import threading
from pathlib import Path

from commands import COMMANDS, TOOL, chosen, folder_of_inputs, is_whole, report, words

WRITTEN, FAILS = (0, 1), (3,)


def file_at(folder):
    return folder / "out"


def existing(folder):
    (folder / "out").write_text("old")
    return folder / "out"


def link(folder):
    (folder / "target").write_text("old")
    (folder / "out").symlink_to("target")
    return folder / "out"


def dangling(folder):
    (folder / "out").symlink_to("target")
    return folder / "out"


def directory(folder):
    (folder / "out").mkdir()
    (folder / "out" / "kept").write_text("")
    return folder / "out"


def fifo(folder):
    os.mkfifo(folder / "out")
    return folder / "out"


# kinds of output, and the exit codes allowed
KINDS = {
    "a new file": (file_at, WRITTEN),
    "a file": (existing, WRITTEN),
    "a link to a file": (link, WRITTEN),
    "a link to nothing": (dangling, WRITTEN),
    "a folder": (directory, FAILS),
    "in no folder": (lambda folder: folder / "no" / "out", FAILS),
    "in a file": (lambda folder: existing(folder) / "out", FAILS),
    "in /proc": (lambda _: Path("/proc/out"), FAILS),
    "a long name": (lambda folder: folder / ("x" * 300), FAILS),
    "a full disk": (lambda _: Path("/dev/full"), FAILS),
    "nowhere": (lambda _: Path("/dev/null"), WRITTEN),
    "a pipe without a reader": (fifo, FAILS),
    "a pipe": (fifo, WRITTEN),
}
# an output that is also an input, or a folder of files
UNUSABLE = (2, 3)
OTHERWISE = {
    **{(command, kind): FAILS for command in ("audit new", "export --suite") for kind in (
        "a file", "a link to a file", "a link to nothing", "nowhere", "a pipe")},
    ("audit new", "a folder"): (2,), ("export --suite", "a folder"): (2,),
    **{(command, kind): UNUSABLE
       for command in ("baseline record", "baseline update", "base-bound --resume", "verify --resume")
       for kind in KINDS if kind not in ("a new file", "a link to nothing")},
    ("baseline update", "a new file"): FAILS, ("baseline update", "a link to nothing"): FAILS,
}


def reading(path, kind, content):
    """A thread that reads the pipe, or None."""
    if kind != "a pipe":
        return None
    thread = threading.Thread(target=lambda: content.append(path.read_bytes()), daemon=True)
    thread.start()
    return thread


def faults_of(command, kind, folder):
    place, codes = KINDS[kind]
    codes = OTHERWISE.get((command.name, kind), codes)
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir()
    out, content = place(folder), []
    before = {path.name for path in folder.iterdir()}
    thread = reading(out, kind, content)
    done = subprocess.run([TOOL, *words(command, command.short, str(out))], timeout=60,
                          stdin=subprocess.DEVNULL, capture_output=True)
    if thread and done.returncode > 1:
        os.close(os.open(out, os.O_RDWR | os.O_NONBLOCK))  # ends a reader without a writer
    errors = done.stderr.decode()
    faults = []
    if done.returncode not in codes:
        faults.append(f"exit {done.returncode}, want {codes}: {errors}")
    if done.returncode > 1 and (errors.count("\n") != 1 or not errors.startswith("error: ")):
        faults.append(f"does not say why in one line: {errors!r}")
    if done.returncode < 2 and out.is_file() and not is_whole(out, command.format):
        faults.append(f"leaves a part: {out.read_bytes()[:100]}")
    if kind.startswith("a link") and done.returncode < 2 and not out.is_symlink():
        faults.append("replaces the link")
    if thread and done.returncode < 2:
        thread.join(60)
        (folder / "content").write_bytes(b"".join(content))
        if not content or not is_whole(folder / "content", command.format):
            faults.append(f"sends a part: {content}")
    after = {path.name for path in folder.iterdir()} - before - {"out", "target", "content"}
    if after:
        faults.append(f"leaves {after}")
    return faults


def standard_output_faults_of(command):
    """Faults if standard output is full, closed, or a pipe without a reader."""
    faults = []
    asked = [TOOL, *words(command, command.short, "-")]
    for shell, codes in ((">/dev/full", FAILS), (">&-", FAILS), ("2>&- <&-", WRITTEN)):
        done = subprocess.run(["sh", "-c", f'exec "$@" {shell}', "sh", *asked], timeout=60,
                              capture_output=True)
        errors = done.stderr.decode()
        if done.returncode not in codes:
            faults.append(f"{shell}: exit {done.returncode}, want {codes}: {errors}")
        if done.returncode > 1 and errors.count("\n") != 1:
            faults.append(f"{shell}: does not say why in one line: {errors!r}")
        if done.returncode < 2 and not done.stdout:
            faults.append(f"{shell}: prints nothing")
    return faults


def main():
    failures, cases = [], chosen(itertools.product(COMMANDS, KINDS))
    with folder_of_inputs() as scratch:
        for command, kind in cases:
            failures += [f"{command.name}, output {kind}: {fault}"
                         for fault in faults_of(command, kind, Path(scratch, "folder"))]
        for command in chosen(command for command in COMMANDS if command.output):
            failures += [f"{command.name} {fault}" for fault in standard_output_faults_of(command)]
    report(failures, f"{len(cases)} commands with a kind of output")


main()
