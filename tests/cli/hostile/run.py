"""Runs rope-check once, and checks its outputs for control characters."""
import json
import os
import re
import subprocess
import sys
from xml.etree import ElementTree

SHOWN = "u202e"  # part of every escaped spelling of the hostile character

# C0 except the line end, DEL, C1, bidirectional controls, line separators, byte order mark
RAW = re.compile("[\x00-\x09\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff]")
INJECTED = re.compile(r"^(##\[|FAIL injected)", re.M)

rope_check = os.path.abspath(sys.argv[1])
failures = []
runs = 0
tried = set()  # the first words of all runs


def fault_of(data, kind):
    """The fault of an output, or None."""
    try:
        text = data.decode()
    except UnicodeDecodeError as error:
        return f"is not UTF-8: {error}"
    if kind == "csv":
        text = text.replace("\r\n", "\n")  # RFC 4180
    if found := RAW.search(text):
        return f"holds U+{ord(found[0]):04X} raw: {text[max(0, found.start() - 60):found.end()]!a}"
    if found := INJECTED.search(text):
        return f"holds a line of the name's: {found[0]}"
    try:
        if kind == "json":
            json.loads(text)
        if kind in ("junit", "svg"):
            ElementTree.fromstring(text)
    except (ValueError, ElementTree.ParseError) as error:
        return f"is no {kind}: {error}"
    return None


def run(words, codes, kind="text", shows=True, files=(), environment=None, is_table=False):
    """Runs the words; `files` are its outputs, as (kind, path). A table contains the errors of its rows."""
    global runs
    runs += 1
    words = [word.encode() if isinstance(word, str) else word for word in words]
    tried.add(words[0])
    done = subprocess.run([rope_check, *words], stdin=subprocess.DEVNULL, capture_output=True,
                          env={**os.environb, **(environment or {})})
    outputs = [("stdout", kind if done.stdout else "text", done.stdout),
               ("stderr", "text", done.stderr)]
    for file_kind, path in files:
        with open(path, "rb") as file:
            outputs.append(("its file", file_kind, file.read()))
        os.remove(path)
    faults = [f"{name} {fault}" for name, kind_of_it, data in outputs
              if (fault := fault_of(data, kind_of_it))]
    if done.returncode not in codes:
        faults.append(f"exit {done.returncode}, want {codes}: {done.stderr[:300]!a}")
    if done.returncode > 1 and not is_table and b"| " not in done.stderr and done.stderr.count(b"\n") != 1:
        faults.append(f"stderr is not one line: {done.stderr[:300]!a}")
    if shows and SHOWN.encode() not in b"".join(data for _, _, data in outputs):
        faults.append("nowhere shows the name")
    for fault in faults:
        failures.append(f"rope-check {b' '.join(words)!a}\n    {fault}")
    return done


def commands():
    """The commands that --help lists."""
    text = subprocess.run([rope_check, "--help"], capture_output=True, check=True).stdout
    listed = text.split(b"Commands:\n")[1].split(b"\n\n")[0]
    return {line.split()[0] for line in listed.splitlines() if re.match(rb"  [a-z]", line)}
