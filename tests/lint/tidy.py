#!/usr/bin/env python3
"""Runs clang-tidy over every source whose content, or that of a header it includes, has changed
since it was last found clean.

usage: tidy.py ROOT BUILD [FILE…]    BUILD holds compile_commands.json; exit 1 on any finding
"""
import concurrent.futures
import hashlib
import os
import re
import subprocess
import sys

TIDY = "clang-tidy-19"
INCLUDE = re.compile(r'^\s*#\s*include\s*"([^"]+)"', re.MULTILINE)


def read(path):
    with open(path, encoding="utf-8") as file:
        return file.read()


class Sources:
    """The project's files, and which of them each one includes, directly or not."""

    def __init__(self, root):
        self.root, self.texts = root, {}

    def text(self, path):
        if path not in self.texts:
            self.texts[path] = read(os.path.join(self.root, path))
        return self.texts[path]

    def closure(self, path, seen):
        if path in seen:
            return seen
        seen.add(path)
        for name in INCLUDE.findall(self.text(path)):
            for folder in ("", "src", "tests", os.path.dirname(path)):
                header = os.path.normpath(os.path.join(folder, name))
                if os.path.exists(os.path.join(self.root, header)):
                    self.closure(header, seen)
                    break
        return seen

    def key(self, path, common):
        digest = hashlib.sha256(common.encode())
        for one in sorted(self.closure(path, set())):
            digest.update(one.encode() + b"\0" + self.text(one).encode() + b"\0")
        return digest.hexdigest()


def include_folders(path):
    """Of files that only another preset compiles."""
    if not path.startswith("src/mpi/"):
        return []
    folders = subprocess.run(["mpicxx", "--showme:incdirs"], check=True, capture_output=True, text=True)
    return [f"--extra-arg=-isystem{folder}" for folder in folders.stdout.split()]


def check(root, build, path, stamp):
    run = subprocess.run([TIDY, "-p", build, "--quiet", *include_folders(path), path], cwd=root, check=False,
                         capture_output=True, text=True)
    if run.returncode == 0:
        with open(stamp, "w", encoding="utf-8"):
            pass
    return run.returncode, run.stdout


def main(root, build, *asked):
    listed = subprocess.run(
        ["git", "ls-files", "--cached", "--others", "--exclude-standard", "*.cpp"],
        cwd=root, check=True, capture_output=True, text=True).stdout.split()
    paths = [p for p in (asked or listed) if os.path.exists(os.path.join(root, p))]
    version = subprocess.run([TIDY, "--version"], check=True, capture_output=True, text=True).stdout
    common = version + read(os.path.join(root, ".clang-tidy"))
    tests = read(os.path.join(root, "tests", ".clang-tidy"))
    stamps = os.path.join(root, "build", "lint")
    os.makedirs(stamps, exist_ok=True)
    sources, changed = Sources(root), []
    for path in paths:
        config = tests if path.startswith("tests/") else ""
        stamp = os.path.join(stamps, sources.key(path, common + config))
        if not os.path.exists(stamp):
            changed.append((path, stamp))
    failed = 0
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        for status, output in pool.map(lambda one: check(root, build, *one), changed):
            failed += status != 0
            print(output, end="", flush=True)
    print(f"clang-tidy: {len(paths) - len(changed)} of {len(paths)} unchanged, {failed} with findings")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
