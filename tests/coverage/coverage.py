#!/usr/bin/env python3
"""How much of src the tests execute, by Clang's counters of lines and branches.

coverage.py ROOT BUILD ARGS...: runs CTest in BUILD with ARGS, prints a table by module and what
least of a file is executed, and fails below 95 % of lines or 85 % of branches.
"""

import json
import os
import pathlib
import shutil
import subprocess
import sys

LEAST = {"lines": 95.0, "branches": 85.0}  # percent
FILES_SHOWN = 20


def run_tests(root, build, arguments):
    """Processes of a program share its counters' file, whose name the preset compiles in: tests clear
    the environment. A test that fails counts as well."""
    profiles = build / "profiles"
    shutil.rmtree(profiles, ignore_errors=True)
    profiles.mkdir()
    subprocess.run(["ctest", "--test-dir", str(build), "-j", str(os.cpu_count()), *arguments],
                   cwd=root, check=False)
    return profiles


def is_program(path):
    if not (path.is_file() and os.access(path, os.X_OK)):
        return False
    with path.open("rb") as file:
        return file.read(4) == b"\x7fELF"


def programs(build):
    found = [path for folder in ("cli", "tests") for path in (build / folder).rglob("*")
             if path.suffix != ".so" and is_program(path)]
    return sorted(found, key=lambda path: path.name != "rope-check")


def summaries(root, build, profiles):
    data = build / "coverage.profdata"
    raw = sorted(str(path) for path in profiles.glob("*.profraw"))
    (build / "profiles.txt").write_text("\n".join(raw))
    subprocess.run(["llvm-profdata-19", "merge", "--failure-mode=all", "-f", build / "profiles.txt", "-o", data],
                   check=True)
    first, *others = programs(build)
    exported = subprocess.run(
        ["llvm-cov-19", "export", "--summary-only", f"--instr-profile={data}", first,
         *(f"--object={path}" for path in others), "--sources", root / "src"],
        check=True, stdout=subprocess.PIPE)
    return [(pathlib.Path(file["filename"]).relative_to(root / "src"), file["summary"])
            for file in json.loads(exported.stdout)["data"][0]["files"]]


def percent(files, what):
    count = sum(summary[what]["count"] for _, summary in files)
    return 100.0 * sum(summary[what]["covered"] for _, summary in files) / count if count else 100.0


def print_table(files):
    modules = {}
    for path, summary in files:
        modules.setdefault(str(path.parent), []).append((path, summary))
    print(f"{'module':<24}{'lines %':>10}{'branches %':>12}")
    for module in sorted(modules):
        one = modules[module]
        print(f"{module:<24}{percent(one, 'lines'):>10.1f}{percent(one, 'branches'):>12.1f}")
    print("\nbranches that no test takes, and lines")
    missed = {path: [summary[what]["count"] - summary[what]["covered"] for what in ("branches", "lines")]
              for path, summary in files}
    for path in sorted(missed, key=missed.get, reverse=True)[:FILES_SHOWN]:
        print(f"{missed[path][0]:>6}{missed[path][1]:>6}  {path}")


def main():
    root, build = (pathlib.Path(argument).resolve() for argument in sys.argv[1:3])
    files = summaries(root, build, run_tests(root, build, sys.argv[3:]))
    print_table(files)
    too_few = False
    for what, least in LEAST.items():
        share = percent(files, what)
        print(f"{what}: {share:.1f} % of src, at least {least:g}")
        too_few |= share < least
    return 1 if too_few else 0


if __name__ == "__main__":
    sys.exit(main())
