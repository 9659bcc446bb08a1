#!/usr/bin/env python3
"""Checks the layering of the source tree: the modules that each module may include, and text that no file may contain.

usage: layering.py ROOT    prints FILE:LINE: TEXT [reason] for each violation; exit 1 if any
"""
import os
import re
import sys

# every module, lower ones first; a file includes headers of its module and of lower ones
MODULES = """
src/base
src/rope/exact src/rope/kernels src/rope/spec
src/rope/rows src/rope/suite src/rope/base_bound
src/rope/checks
src/rope/claims
src/rope/evidence
src/rope/changes src/rope/diagnose
src/rope/session
src/io/system src/io/text
src/io/tensor
src/io/dump src/io/config src/io/model
src/io/render src/io/subject src/io/explain src/io/export src/io/audit
plots/parts plots/svg plots/terminal plots/figures plots/page
src/mpi
cli/shell cli/command cli/packaging cli
""".split()
UNSEEN = {"plots": "src/io", "src/io": "plots"}  # these two do not include each other

STANDARD = r"<[a-z_0-9]+>"
POSIX = r"<(unistd|fcntl|poll|signal|spawn|malloc|termios|sys/[a-z]+)\.h>"
# the headers that each layer may include in addition to the standard library and modules
LIBRARIES = {
    "src/base": [],
    "src/rope": [r"<mpfr\.h>", r"<pthread\.h>", r"<[ei]mmintrin\.h>", r"<sys/mman\.h>"],
    "src/io": [POSIX, r"<zlib\.h>", "<nlohmann/", "<fmt/"],
    "plots": [r"<zlib\.h>", "<fmt/"],
    "src/mpi": [POSIX, r"<mpi\.h>"],
    "cli": [POSIX, "<fmt/", "<CLI/"],
}
CLI11 = "cli/shell/options.cpp"  # compiles CLI11, once

# forbidden text: a reason, a pattern, and the places
UNSAID = [
    ("name what you use", r"using namespace std", ["src", "plots", "cli", "tests"]),
    # libm's sin and cos differ with the processor's features
    ("libm is not the truth",
     r"std::(sin|cos|tan)[fl]?[^a-z_]|(^|[^\w.>:])(::)?(sinf|cosf|sinl|cosl|sincosf?)\("
     r"|(return|[-=+*/(?])\s*(::)?(sin|cos)\(", ["src", "plots"]),
    ("depends on the locale",
     r"(^|\W)(strto(d|f|ld)|sto(d|f|ld)|ato(f|i|l)|setlocale|v?[fs]?n?printf)\s*\(",
     ["src", "plots"]),
    ("opens a network connection", r"(^|[^\w.>])(::)?(socket|connect|getaddrinfo)\s*\(",
     ["src", "plots", "cli"]),
    # SECURITY.md lists the processes that are started, and the files that start them
    ("starts a program or a process", r"(^|\W)(posix_spawnp?|exec[lv][pe]*|v?fork|popen|system)\s*\(",
     ["src", "plots", "cli"]),
    ("JSON is written by io/text/json_text, which escapes it", r"(\.|->)dump\(",
     ["src", "plots", "cli"]),
    ("terminals belong to cli", r"#\s*include\s*<iostream>", ["src", "plots"]),
]
# the exceptions
SAID = {
    "starts a program or a process": ("src/io/system/child.cpp",),
    "JSON is written by io/text/json_text, which escapes it": ("src/io/text/json_text.cpp",),
}
UNSAFE_MATH = re.compile(r"-(ffast-math|Ofast|funsafe-math-optimizations|fassociative-math)")
BUILD_FILES = ("CMakeLists.txt", "CMakePresets.json", "dev", "build.sh")
OUTSIDE = re.compile(r"\.\./share" + "d")
INCLUDE = re.compile(r'^\s*#\s*include\s*(<[^>]+>|"[^"]+")')


def under(path, folder):
    return path.startswith(folder + "/")


def module_of(path):
    folder = os.path.dirname(path)
    return folder if folder in MODULES else None


def layer_of(path):
    return next((layer for layer in LIBRARIES if under(path, layer)), None)


def lines_of(root, path):
    with open(os.path.join(root, path), encoding="utf-8", errors="replace") as file:
        return list(enumerate(file.read().split("\n"), 1))


def files_of(root):
    for folder, folders, files in os.walk(root):
        folders[:] = [one for one in folders if one not in ("build", ".git", "__pycache__")]
        for file in files:
            yield os.path.relpath(os.path.join(folder, file), root)


def header_path(name):
    """The path of "rope/spec/spec.hpp" or "cli/shell/output.hpp"; None outside the modules."""
    return next((path for path in ("src/" + name, name) if module_of(path)), None)


def include_fault(path, included):
    """The reason that `path` may not include `included`, or None."""
    layer = layer_of(path)
    if included.startswith("<"):
        if included.startswith("<CLI/") and path != CLI11:
            return f"CLI11 is compiled once, in {CLI11}"
        allowed = [STANDARD, *LIBRARIES[layer]]
        return None if any(re.match(one, included) for one in allowed) else f"not for {layer}"
    header = header_path(included[1:-1])
    if header is None:
        return "no header of a module"
    own, other = module_of(path), module_of(header)
    if any(under(path, layer) and under(header, unseen) for layer, unseen in UNSEEN.items()):
        return f"{own} does not know {other}"
    return f"{other} is above {own}" if MODULES.index(other) > MODULES.index(own) else None


def cycles(includes):
    """Cycles of files that include each other, as a -> b -> a."""
    done, found = set(), []

    def visit(path, trail):
        if path in trail:
            found.append(" -> ".join(trail[trail.index(path):] + [path]))
        elif path not in done:
            for other in includes.get(path, ()):
                visit(other, trail + [path])
            done.add(path)

    for path in sorted(includes):
        visit(path, [])
    return found


def module_faults(sources):
    for path in sources:
        if module_of(path) is None:
            yield f"{path}:1: [in no module of the layering]"


def include_faults(root, sources):
    includes = {}
    for path in filter(module_of, sources):
        for number, line in lines_of(root, path):
            found = INCLUDE.match(line)
            if not found:
                continue
            fault = include_fault(path, found[1])
            if fault:
                yield f"{path}:{number}: {line} [{fault}]"
            elif found[1].startswith('"'):
                includes.setdefault(path, []).append(header_path(found[1][1:-1]))
    for cycle in cycles(includes):
        yield f"{cycle.split(' ')[0]}:1: {cycle} [a cycle]"


def forbidden_text_faults(root, paths):
    for reason, pattern, folders in UNSAID:
        forbidden = re.compile(pattern)
        for path in paths:
            if not path.endswith((".cpp", ".hpp")) or not any(under(path, f) for f in folders):
                continue
            if path in SAID.get(reason, ()):
                continue
            for number, line in lines_of(root, path):
                if forbidden.search(re.sub(r"//.*", "", re.sub(r'"(?:[^"\\]|\\.)*"', "", line))):
                    yield f"{path}:{number}: {line} [{reason}]"


def text_faults(root, paths):
    for path in paths:
        is_build = os.path.basename(path) in BUILD_FILES or path.endswith(".cmake")
        for number, line in lines_of(root, path):
            if is_build and UNSAFE_MATH.search(line):
                yield f"{path}:{number}: {line} [arithmetic must stay IEEE 754]"
            if OUTSIDE.search(line):
                yield f"{path}:{number}: {line} [the project stands alone]"


def map_faults(root):
    """Modules that have no row in CONTRIBUTING.md's map."""
    if os.path.exists(os.path.join(root, "CONTRIBUTING.md")):
        text = "\n".join(line for _, line in lines_of(root, "CONTRIBUTING.md"))
        for module in MODULES:
            if f"| `{module}` |" not in text:
                yield f"CONTRIBUTING.md:1: {module} [the map lacks this module]"


def violations(root):
    paths = sorted(files_of(root))
    sources = [p for p in paths if p.endswith((".cpp", ".hpp")) and layer_of(p)]
    yield from module_faults(sources)
    yield from include_faults(root, sources)
    yield from forbidden_text_faults(root, paths)
    yield from text_faults(root, paths)
    yield from map_faults(root)


if __name__ == "__main__":
    faults = list(violations(sys.argv[1]))
    print(*faults, sep="\n", end="\n" if faults else "")
    sys.exit(1 if faults else 0)
