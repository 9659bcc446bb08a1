"""Replaces the tool in every script: runs the earlier tool, then the present one, with the same arguments, folder and
input, passes on the present tool's output, and records differences. earlier.py starts it."""
import json
import os
import re
import stat
import subprocess
import sys

KEPT = 3  # the number of differences for which inputs and outputs are kept, for each command of a script


def standard_input():
    """The complete standard input; None without a file or pipe."""
    try:
        mode = os.fstat(0).st_mode
    except OSError:
        return None
    return sys.stdin.buffer.read() if stat.S_ISREG(mode) or stat.S_ISFIFO(mode) or stat.S_ISSOCK(mode) else None


def files_in(folder):
    return {os.path.join(parent, name) for parent, _, names in os.walk(folder) for name in names}


def read(path):
    with open(path, "rb") as file:
        return file.read()


def snapshot(paths):
    """The bytes of each of these files, and of each file in these folders."""
    found = set().union(*map(files_in, paths), paths)
    return {path: read(path) for path in found if os.path.isfile(path) and not os.path.islink(path)}


def restore(before, after):
    for path in after.keys() - before.keys():
        os.unlink(path)
    for path, data in before.items():
        if after.get(path) != data:
            os.makedirs(os.path.dirname(path), exist_ok=True)
            with open(path, "wb") as file:
                file.write(data)


def places(words, scratch):
    """The places that a command may change: the current folder and paths in its arguments, if in the scratch folder."""
    named = {part for word in words for part in (word, word.partition(":")[2], word.partition("=")[2]) if part}
    paths = {os.path.normpath(os.path.join(os.getcwd(), part)) for part in named} | {os.getcwd()}
    return {path for path in paths if path.startswith(scratch + "/")}


def normalised(data):
    """The data without the version and commit of the build, and without names of temporary folders."""
    data = re.sub(rb'"(commit|version|digest)": ?"[^"]*"', rb'"\1":""', data)
    data = re.sub(rb"(?m)^commit \w+$", b"commit", data)
    return re.sub(rb"(rope-check-[a-z]+)-\w{6}\b", rb"\1", data)


class Outcome:
    """The result of one tool: the exit code, both streams, and the files that it changed."""
    def __init__(self, tool, words, data, watched):
        before = snapshot(watched)
        done = subprocess.run([tool, *words], input=data, stdin=subprocess.DEVNULL if data is None else None,
                              capture_output=True, check=False)
        after = snapshot(watched)
        self.before, self.after, self.code = before, after, done.returncode
        self.out, self.err = done.stdout, done.stderr
        self.made = {path: after.get(path, b"(removed)") for path in before.keys() | after.keys()
                     if after.get(path) != before.get(path)}

    def parts(self):
        return {"exit code": b"%d" % self.code, "stdout": normalised(self.out), "stderr": normalised(self.err),
                **{path: normalised(data) for path, data in self.made.items()}}


def differences(one, other):
    """The first different line of each part that differs."""
    one, other = one.parts(), other.parts()
    for name in sorted(one.keys() | other.keys()):
        lines = [side.get(name, b"(missing)").decode("utf-8", "replace").splitlines() for side in (one, other)]
        if lines[0] != lines[1]:
            at = next((k for k, (a, b) in enumerate(zip(*lines)) if a != b), min(map(len, lines)))
            yield os.path.basename(name), *("".join(side[at:at + 1])[:200] for side in lines)


def keep(folder, scratch, words, one, other):
    case = f"{folder}/examples/{words[0]}-{os.getpid()}"
    for side, files in (("inputs", one.before), ("earlier", one.made), ("present", other.made)):
        for path, data in files.items():
            to = path.replace(scratch, f"{case}/{side}")
            os.makedirs(os.path.dirname(to), exist_ok=True)
            with open(to, "wb") as file:
                file.write(data)
    return case


def main(earlier, present, folder, scratch):
    words, data = sys.argv[1:], standard_input()
    watched = places(words, scratch)
    one = Outcome(earlier, words, data, watched)
    restore(one.before, one.after)
    other = Outcome(present, words, data, watched)
    found = list(differences(one, other))
    is_kept = found and len(os.listdir(f"{folder}/examples")) < KEPT
    with open(f"{folder}/runs", "a") as file:
        file.write(json.dumps({"words": words, "found": found, "case": keep(folder, scratch, words, one, other)
                               if is_kept else ""}) + "\n")
    try:
        os.write(2, other.err)
        sys.stdout.buffer.write(other.out)
        sys.stdout.flush()
    except OSError:
        pass  # no reader
    os._exit(other.code if other.code >= 0 else 128 - other.code)
