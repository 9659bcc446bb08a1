#!/usr/bin/env python3
"""Runs the table of cases in FILE with the tool. A case is a line

    exit | stdout | stderr | command

stdout and stderr are glob patterns that the text must contain; `-` means empty. An error is one line on stderr. The
command runs in a copy of files/. $GOLDEN is tests/golden; $ROPE_PY and $ROPE_C answer audits (audit/rope.py,
audit/rope.c); $B records a baseline; $SUITE is what `export --suite` writes.

usage: run_cases.py ROPE_CHECK FILE    prints each case that differs; exit 1 if any
"""
import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).resolve().parent


def as_regex(pattern):
    """A glob pattern as a regular expression: *, ?, [set], and \\ before a character that stands for itself."""
    parts = re.findall(r"\\.|\[!?\]?[^]]*\]|.", pattern, re.DOTALL)
    special = {"*": ".*", "?": "."}
    return "".join(special.get(part) or (part.replace("[!", "[^", 1) if len(part) > 2 else re.escape(part[-1]))
                   for part in parts)


def contains(pattern, text):
    """Whether text contains the pattern; a space in the pattern matches a line end as well."""
    if pattern == "-":
        return not text
    return any(re.search(as_regex(pattern), one, re.DOTALL) for one in (text, re.sub(r"[ \n]+", " ", text)))


def untried(tool):
    """The commands that a build with a sanitizer cannot run: it limits no memory, and its threads ignore SIGXFSZ."""
    program = Path(tool).read_bytes()
    if b"__tsan_init" in program:
        return re.compile("ulimit -[vf]")
    return re.compile("ulimit -v" if b"__asan_init" in program else "(?!)")


def environment(tool):
    kept = {name: value for name, value in os.environ.items()
            if name not in ("LC_ALL", "LANG", "CI") and not name.startswith("ROPE_CHECK_")}
    return kept | {"PATH": f"{Path(tool).resolve().parent}:{os.environ['PATH']}", "GOLDEN": str(HERE.parent / "golden"),
                   "B": "rope-check baseline record base.json --dim 64 --context 64 --reason first"}


def fault_of(case, variables, scratch):
    """The difference from the case, or None."""
    code, out, err, command = (part.strip() for part in case.split("|", 3))
    shutil.rmtree(scratch, ignore_errors=True)
    shutil.copytree(HERE / "files", scratch)
    ran = subprocess.run(["bash", "-o", "pipefail", "-c", command], cwd=scratch, env=variables,
                         stdin=subprocess.DEVNULL, capture_output=True)
    output, error = (text.decode(errors="surrogateescape").replace("\0", "").rstrip("\n")
                  for text in (ran.stdout, ran.stderr))
    exit_code = ran.returncode if ran.returncode >= 0 else 128 - ran.returncode
    is_short = exit_code < 2 or ran.stderr.count(b"\n") <= 1
    if exit_code == int(code) and is_short and contains(out, output) and contains(err, error):
        return None
    return (f"FAIL {command}\n  expected exit {code}, stdout {out}, stderr {err}\n  got exit {exit_code}\n"
            f"  stdout: {output[:300]}\n  stderr: {error}")


def main():
    if len(sys.argv) != 3 or not os.access(sys.argv[1], os.X_OK):
        sys.exit(__doc__)
    tool, table = sys.argv[1:]
    skipped, variables = untried(tool), environment(tool)
    cases = [line for line in Path(table).read_text().splitlines()
             if line and not line.startswith("#") and not skipped.search(line)]
    with tempfile.TemporaryDirectory() as folder:
        if any("$SUITE" in case for case in cases):
            variables["SUITE"] = str(Path(folder, "suite"))
            subprocess.run([tool, "export", "--suite", variables["SUITE"], "-q"], check=True)
        faults = [fault for case in cases if (fault := fault_of(case, variables, Path(folder, "case")))]
    print("\n".join(faults + [f"{len(cases) - len(faults)} of {len(cases)} cases pass"])
          .encode(errors="backslashreplace").decode())
    sys.exit(bool(faults) or not cases)


if __name__ == "__main__":
    main()
