#!/usr/bin/env python3
"""Runs clang-tidy on every source that changed, or includes a header that changed, since it last passed.

usage: tidy.py ROOT BUILD [FILE…]    BUILD holds compile_commands.json; exit 1 on any finding
"""
import concurrent.futures
import hashlib
import os
import re
import subprocess
import sys

TIDY = "clang-tidy-19"
PLUGIN = "tests/lint/own_declarations.cpp"
# a fault for a check of declarations, one for a check of paths, and one in a header's macro
PLANTED = """#include <cassert>
#include <string>
#include <utility>
namespace {
int length(std::string text) {
    const std::string other = std::move(text);
    return static_cast<int>(text.size() + other.size());
}
}  // namespace
int main(int count, char**) {
    assert(count++ > 0);
    return length("text");
}
"""
FOUND = ("bugprone-use-after-move", "clang-analyzer-cplusplus.Move", "bugprone-assert-side-effect")
INCLUDE = re.compile(r'^\s*#\s*include\s*"([^"]+)"', re.MULTILINE)


def read(path):
    with open(path, encoding="utf-8") as file:
        return file.read()


class Sources:
    """The project's files, and all files that each one includes, directly or indirectly."""

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


def output(*command):
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


def include_folders(path):
    """Flags for files that the preset does not compile."""
    folders = []
    if path.startswith("src/mpi/"):
        folders = output("mpicxx", "--showme:incdirs").split()
    elif path == PLUGIN:
        folders = output("llvm-config-19", "--includedir").split()
    return [f"--extra-arg=-isystem{folder}" for folder in folders]


def build_plugin(root, folder):
    """Builds the plugin if its source has changed."""
    source, library = os.path.join(root, PLUGIN), os.path.join(folder, "own_declarations.so")
    if not os.path.exists(library) or os.path.getmtime(library) < os.path.getmtime(source):
        subprocess.run(["clang++-19", "-shared", "-fPIC", *output("llvm-config-19", "--cxxflags").split(),
                        source, "-o", library], check=True)
    return library


def find_planted(tidy, folder):
    """Fails if the checks do not find the faults in PLANTED."""
    path = os.path.join(folder, "planted.cpp")
    with open(path, "w", encoding="utf-8") as file:
        file.write(PLANTED)
    run = subprocess.run([*tidy, path, "--", "-std=c++20"], check=False, capture_output=True, text=True)
    missed = [name for name in FOUND if f"[{name}," not in run.stdout]
    if missed:
        sys.exit(f"clang-tidy does not find {', '.join(missed)} in {path}:\n{run.stdout}{run.stderr}")


def check(tidy, root, build, path, stamp):
    run = subprocess.run([*tidy, "-p", build, *include_folders(path), path], cwd=root, check=False,
                         capture_output=True, text=True)
    if run.returncode == 0:
        with open(stamp, "w", encoding="utf-8"):
            pass
    return run.returncode, run.stdout


def main(root, build, *asked):
    listed = output("git", "-C", root, "ls-files", "--cached", "--others", "--exclude-standard",
                    "*.cpp").split()
    paths = [p for p in (asked or listed) if os.path.exists(os.path.join(root, p))]
    common = output(TIDY, "--version") + "".join(
        read(os.path.join(root, name)) for name in (".clang-tidy", PLUGIN))
    tests = read(os.path.join(root, "tests", ".clang-tidy"))
    stamps = os.path.join(root, "build", "lint")
    os.makedirs(stamps, exist_ok=True)
    sources, changed = Sources(root), []
    for path in paths:
        config = tests if path.startswith("tests/") else ""
        stamp = os.path.join(stamps, sources.key(path, common + config))
        if not os.path.exists(stamp):
            changed.append((path, stamp))
    tidy = [TIDY, "--quiet", f"--load={build_plugin(root, stamps)}"]
    if changed:
        find_planted([*tidy, f"--config-file={root}/.clang-tidy"], stamps)
    failed = 0
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        for status, findings in pool.map(lambda one: check(tidy, root, build, *one), changed):
            failed += status != 0
            print(findings, end="", flush=True)
    print(f"clang-tidy: {len(paths) - len(changed)} of {len(paths)} unchanged, {failed} with findings")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
