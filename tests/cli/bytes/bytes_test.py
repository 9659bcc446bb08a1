#!/usr/bin/env python3
"""Reports, exports and figures have the recorded bytes for any number of threads, any instruction
set, and any state that the process inherits.

usage: bytes_test.py ROPE_CHECK DISTURB            DISTURB is disturb.cpp as a library
       bytes_test.py [EMULATOR] ROPE_CHECK --plain  without it, one of each $CASES_EVERY commands
       bytes_test.py ROPE_CHECK --record           writes recorded.sha256 again
"""
import base64
import hashlib
import os
import re
import shlex
import subprocess
import sys
import tempfile
import zlib
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from inputs import commands, prepare

HERE = Path(__file__).resolve().parent
*TOOL, OTHER = map(os.path.abspath, sys.argv[1:])
ACTION = sys.argv[-1]
EVERY = int(os.environ.get("CASES_EVERY", "1"))
RECORD = HERE / "recorded.sha256"
VERSION = subprocess.run([*TOOL, "--version"], capture_output=True, check=True).stdout.split()[1]
# glibc's LC_NUMERIC with a decimal comma and with points between thousands
GERMAN = bytes.fromhex("14110320 06000000 20000000 22000000 24000000 28000000 2c000000 30000000"
                       "2c002e00 03030000 2c000000 2e000000 5554462d 3800")
THREADED = r"(verify|compare|base-bound) "
# states that a process may inherit, and numbers of threads
SURROUNDINGS = {
    "1 thread, no vectors, rounding upward":
        {"THREADS": "1", "ROPE_CHECK_ISA": "baseline", "DISTURB": "upward"},
    "7 threads, AVX2, rounding downward":
        {"THREADS": "7", "ROPE_CHECK_ISA": "avx2", "DISTURB": "downward"},
    "subnormal numbers as zeros": {"DISTURB": "flush"},
    "another environment, rounding toward zero": {
        "DISTURB": "towardzero", "TZ": "Asia/Kathmandu", "LANG": "de_DE.UTF-8", "LC_ALL": "de_DE.UTF-8", "LANGUAGE": "de",
        "HOME": "/nowhere", "USER": "somebody", "TERM": "xterm-kitty", "COLORTERM": "truecolor",
        "POSIXLY_CORRECT": "1", "MALLOC_PERTURB_": "165", "OMP_NUM_THREADS": "3", "CI": "1"},
    "a decimal comma": {"DISTURB": "locale", "LC_NUMERIC": "comma"},
}
DIVIDES = "print([(x / y).hex() for x, y in ((1, 3), (1, 10), (2.0 ** -1022, 2))])"
NOT_HERE = b"must be one that this processor runs"


def of_any_build(data):
    """Replaces a PNG's compressed pixels by the pixels, and removes the tool's version and commit."""
    def pixels(found):
        png, at, stream = base64.b64decode(found[1]), 8, b""
        while at < len(png):
            size = int.from_bytes(png[at:at + 4], "big")
            if png[at + 4:at + 8] == b"IDAT":
                stream += png[at + 8:at + 8 + size]
            at += 12 + size
        return b"pixels " + hashlib.sha256(zlib.decompress(stream)).hexdigest().encode()
    data = re.sub(rb"data:image/png;base64,([A-Za-z0-9+/=]+)", pixels, data)
    data = re.sub(rb'"commit":"[^"]*"', b'"commit":"COMMIT"', data)
    return re.sub(rb"(?<![\d.])" + re.escape(VERSION) + rb"(?![\d.])", b"VERSION", data)


def digest(command, inputs, environment):
    """The digest of the exit code, both streams and every file that the command makes."""
    with tempfile.TemporaryDirectory() as folder:
        for path in inputs.iterdir():
            os.symlink(path, Path(folder, path.name))
        words = shlex.split(command)
        if "THREADS" in environment and re.match(THREADED, command):
            words += ["--threads", environment["THREADS"]]
        done = subprocess.run([*TOOL, *words], cwd=folder, stdin=subprocess.DEVNULL,
                              capture_output=True, env=environment, timeout=600)
        if NOT_HERE in done.stderr:
            return None
        if done.returncode > 1:
            return f"exit {done.returncode}: {done.stderr}"
        made = [(str(path.relative_to(folder)), path.read_bytes())
                for path in sorted(Path(folder).rglob("*")) if path.is_file() and not path.is_symlink()]
        hashed = hashlib.sha256(b"%d" % done.returncode)
        for name, data in [("stdout", done.stdout), ("stderr", done.stderr), *made]:
            data = of_any_build(data)
            hashed.update(f"\n{name} {len(data)}\n".encode() + data)
        return hashed.hexdigest()


def digests(inputs, environment, which):
    usual = {"PATH": os.environ["PATH"], **environment}
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        return dict(zip(which, pool.map(lambda one: digest(one, inputs, usual), which)))


def recorded():
    return {command: sha for sha, command in
            (line.split("  ", 1) for line in RECORD.read_text().splitlines())}


def differences(inputs, environment, which):
    now, want = digests(inputs, environment, which), recorded()
    if None in now.values():
        return None
    return [command for command in which if want.get(command) != now[command]]


def quotients(environment):
    done = subprocess.run([sys.executable, "-c", DIVIDES], capture_output=True,
                          env={**os.environ, **environment})
    return done.returncode, done.stdout


def check(inputs, locales):
    """The number of surroundings with other bytes than the recorded ones."""
    (locales / "comma").mkdir()
    (locales / "comma/LC_NUMERIC").write_bytes(GERMAN)
    if unknown := recorded().keys() ^ set(commands()):
        sys.exit(f"recorded.sha256 or commands.txt lacks {sorted(unknown)}")
    failures = 0
    for k, (name, environment) in enumerate({"nothing": {}, **SURROUNDINGS}.items()):
        which = list(commands())[k % EVERY::EVERY] if environment else list(commands())
        if "DISTURB" in environment:
            environment = {**environment, "LD_PRELOAD": OTHER,
                           "LOCPATH": str(locales)}
            is_arithmetic = environment["DISTURB"] != "locale"
            if is_arithmetic != (quotients(environment) != quotients({})):
                sys.exit(f"{name}: {Path(OTHER).name} does not do this here")
        found = differences(inputs, environment, which)
        if found is None:
            print(f"{name}: without {environment.pop('ROPE_CHECK_ISA')}, which is not here")
            found = differences(inputs, environment, which)
        print(f"{name}: {len(which)} commands, {len(found)} with other bytes than recorded")
        print(*(f"    rope-check {command}" for command in sorted(found)[:20]), sep="\n",
              end="\n" if found else "")
        failures += bool(found)
    if failures:
        print(f"If the change is meant: {Path(__file__).name} ROPE_CHECK --record")
    return failures


def main():
    with tempfile.TemporaryDirectory() as inputs, tempfile.TemporaryDirectory() as locales:
        os.chdir(inputs)
        prepare(TOOL)
        if ACTION == "--plain":
            sys.exit("\n".join(differences(Path(inputs), {}, list(commands())[::EVERY])) or None)
        if ACTION != "--record":
            sys.exit(check(Path(inputs), Path(locales)))
        now = digests(Path(inputs), {}, list(commands()))
        if unusable := [f"{command}: {sha}" for command, sha in now.items() if " " in sha]:
            sys.exit("\n".join(unusable))
        lines = [f"{sha}  {command}\n" for command, sha in now.items()]
        RECORD.write_text("".join(lines))
        print(f"wrote {RECORD.name}: {len(lines)} commands")


main()
