"""What differs between two runs of one command, by kind: each difference has a signature, in which N stands for
numbers, and a detail with the values."""
import csv
import io
import json
import os
import re
import zipfile
from collections import Counter, namedtuple
from itertools import zip_longest

import translate

KINDS = ("exit code", "verdict", "mistake", "parameter", "number", "sentence", "key", "bytes", "figure", "file",
         "message")
Side = namedtuple("Side", "code stdout stderr made")  # made: bytes by path
FIGURES = (".svg", ".html", ".csv", ".png")
ARRAYS = (".npz", ".npy", ".safetensors")
NUMBER = r"[-−+]?(?:\d[\d,]*\.?\d*|\.\d+)(?:[eE][-+]?\d+)?"


def normalised(data):
    """Without the version and the commit of the build, a table's digest of these, and names of temporary folders."""
    data, commits = re.subn(rb'"commit": ?"[^"]*"', b'"commit":""', data)
    if commits:
        data = re.sub(rb'"digest": "\w+"\n}\n$', b"", data)
    data = re.sub(rb"(?m)^commit \w+$", b"commit", data)
    data = re.sub(rb"(rope-check-[a-z]+)-\w{6}\b", rb"\1", data)
    return re.sub(rb'("name": ?"rope-check",\s*"version": ?)"[^"]*"', rb'\1""', data)


def short(text, most=110):
    text = re.sub(NUMBER, "N", re.sub(r"/\S*/frozen-\w{8}/\S*/", "", text.strip()))
    text = re.sub(r"N(?:[\s,;MLHVAZCQ]*N)+", "N…", text)
    return text if len(text) <= most else text[:most] + "…"


def shift(one, other):
    """How far a number went, roughly."""
    if isinstance(one, bool) or isinstance(other, bool) or one is None or other is None:
        return f"{json.dumps(one)} -> {json.dumps(other)}" if not (
            isinstance(one, float) or isinstance(other, float)) else "null or not"
    if one == -other:
        return "sign"
    part = abs(one - other) / max(abs(one), abs(other))
    for most in (1e-12, 1e-6, 1e-2):
        if part <= most:
            return f"by at most {most:g}"
    return "by more than 1 %" + (", sign" if one * other < 0 else "")


def as_number(text):
    try:
        return float(text)
    except ValueError:
        return None


class Comparison:
    def __init__(self, words):
        self.words, self.found = words, {}
        self.command = words[0] if words else "(none)"

    def add(self, kind, signature, one="", other=""):
        detail = f"{str(one)[:160]} -> {str(other)[:160]}" if one != "" or other != "" else ""
        self.found.setdefault((kind, signature), detail)

    # ---- JSON ----------------------------------------------------------------------------------

    def document(self, kind, path, one, other):
        """`kind` of all that is not named by its place; None in reports."""
        if type(one) is type(other) is dict:
            for key in one.keys() | other.keys():
                place = f"{path}.{key}" if path else key
                if key not in one or key not in other:
                    self.add(kind or "key", f"{place}: {'missing' if key in one else 'new'}",
                             one.get(key, ""), other.get(key, ""))
                elif key == "diagnosis":
                    self.diagnosis(kind, place, one[key], other[key])
                else:
                    self.document("parameter" if key == "parameters" and "diagnosis" in path else kind,
                                  place, one[key], other[key])
        elif type(one) is type(other) is list:
            self.lists(kind, path, one, other)
        elif one != other or type(one) is not type(other):
            self.leaf(kind, path, one, other)

    def leaf(self, kind, path, one, other):
        place = re.sub(r"\d\d+", "N", path)
        if path.endswith(".verdict"):
            check = re.search(r"\[([^\]]*)\]\.verdict$", path)
            self.add("verdict", f"check {check[1] if check else path}: {one} -> {other}")
        elif isinstance(one, str) and isinstance(other, str):
            numbers = as_number(one), as_number(other)
            if None not in numbers and numbers[0] != numbers[1]:
                self.add(kind or "number", f"{place}: {shift(*numbers)}", one, other)
            else:
                self.sentence(kind or "sentence", f"{place}: ", one, other)
        elif {type(one), type(other)} <= {int, float, bool, type(None)}:
            self.add(kind or "number", f"{place}: {'type' if one == other else shift(one, other)}", one, other)
        else:
            self.add(kind or "key", f"{place}: {type(one).__name__} -> {type(other).__name__}", one, other)

    def sentence(self, kind, place, one, other):
        if one == other:
            return
        if short(one, 10**6) == short(other, 10**6):
            self.add(kind, f'{place}numbers in "{short(one)}"', one, other)
        else:
            first = next((k for k, (a, b) in enumerate(zip(one, other)) if a != b), min(len(one), len(other)))
            start = max(0, first - 60) if first > 80 else 0
            before = f'"{short(one[start:])}"' if one else "(none)"
            after = f'"{short(other[start:])}"' if other else "(none)"
            self.add(kind, f"{place}{before} -> {after}", one[start:], other[start:])

    def lists(self, kind, path, one, other):
        named = next((key for key in ("check", "id", "name", "reading", "key") if all(
            isinstance(each, dict) and isinstance(each.get(key), str) for each in one + other)), None)
        if named and one + other and all(len({each[named] for each in side}) == len(side) for side in (one, other)):
            table = [{each[named]: each for each in side} for side in (one, other)]
            for name in dict.fromkeys([*table[0], *table[1]]):
                if name not in table[0] or name not in table[1]:
                    self.add("verdict" if named == "check" else kind or "key",
                             f"{path}[{name}]: {'missing' if name in table[0] else 'new'}")
                else:
                    self.document(kind, f"{path}[{name}]", table[0][name], table[1][name])
            if [*table[0]] != [*table[1]] and sorted(table[0]) == sorted(table[1]):
                self.add(kind or "key", f"{path}: order")
        elif all(isinstance(each, str) for each in one + other):
            self.lines(kind or "sentence", f"{path}: ", one, other)
        elif len(one) != len(other):
            self.add(kind or "key", f"{path}: other number of items", len(one), len(other))
        else:
            for a, b in zip(one, other):
                self.document(kind, "" if path == "reports" else f"{path}[]", a, b)

    def diagnosis(self, kind, path, one, other):
        """Mistakes are compared as a set of names, then those that both name, field by field."""
        names = [Counter(each.get("mistake") for each in side) for side in (one, other)]
        gone, new = ([f"{name}" for name in (a - b).elements()] for a, b in (names, names[::-1]))
        if gone or new:
            join = lambda some: " + ".join(sorted(some)) or "(none)"
            self.add("mistake", f"{join(gone)} -> {join(new)}", join(names[0].elements()), join(names[1].elements()))
        elif [each.get("mistake") for each in one] != [each.get("mistake") for each in other]:
            self.add("mistake", "order", *([each.get("mistake") for each in side] for side in (one, other)))
        for name in names[0] & names[1]:
            for a, b in zip(*([each for each in side if each.get("mistake") == name] for side in (one, other))):
                self.document(kind, f"{path}[{name}]", a, b)

    # ---- text, tables, arrays -------------------------------------------------------------------

    def lines(self, kind, place, one, other):
        if one == other:
            return
        counts = Counter(one), Counter(other)
        gone, new = ([line for line in (a - b).elements()] for a, b in (counts, counts[::-1]))
        if not gone and not new:
            self.add(kind, f"{place}order of the lines")
        for a, b in zip_longest(gone[:200], new[:200], fillvalue=""):
            self.sentence(kind, place, a, b)

    def table(self, place, one, other):
        rows = [list(csv.reader(io.StringIO(text))) for text in (one, other)]
        if not all(rows) or rows[0][0] != rows[1][0] or [len(row) for row in rows[0]] != [len(row) for row in rows[1]]:
            self.lines("figure", place, one.splitlines(), other.splitlines())
            return
        for a, b in zip(*(side[1:] for side in rows)):
            for column, x, y in zip_longest(rows[0][0], a, b, fillvalue=""):
                if x != y:
                    numbers = as_number(x), as_number(y)
                    how = shift(*numbers) if None not in numbers and numbers[0] != numbers[1] else "text"
                    self.add("figure", f'{place}column "{column}": {how}', x, y)

    def arrays(self, place, one, other):
        if not (one.startswith(b"PK") and other.startswith(b"PK")):
            off = sum(a != b for a, b in zip(one, other))
            self.add("bytes", f"{place}{'other size' if len(one) != len(other) else 'bytes'}", "",
                     f"{off} bytes of {len(one)}; {len(other)}")
            return
        members = []
        for data in (one, other):
            with zipfile.ZipFile(io.BytesIO(data)) as archive:
                members.append({name: archive.read(name) for name in archive.namelist()})
        for name in members[0].keys() | members[1].keys():
            if members[0].get(name) != members[1].get(name):
                both = name in members[0] and name in members[1]
                self.add("bytes", f"{place}array {name}: {'bytes' if both else 'missing or new'}")
        if not self.found:
            self.add("bytes", f"{place}archive")

    # ---- a stream or a file ---------------------------------------------------------------------

    def body(self, name, one, other):
        one, other = normalised(one), normalised(other)
        if one == other:
            return
        suffix = os.path.splitext(name)[1]
        place = f"{self.command}{' ' + suffix if suffix else ''} "
        kind = ("figure" if suffix in FIGURES or self.command.startswith("plot-") else
                "bytes" if suffix in ARRAYS or self.command == "export" else None)
        if suffix in ARRAYS:
            self.arrays(place, one, other)
            return
        try:
            parsed = json.loads(one), translate.as_frozen(json.loads(other))
        except ValueError:
            one, other = (data.decode("utf-8", "replace") for data in (one, other))
            if suffix == ".csv":
                self.table(place, one, other)
            else:
                self.lines(kind or "sentence", place, one.splitlines(), other.splitlines())
            return
        self.document(kind, self.command if kind else "", *parsed)


def between(words, one, other):
    """A list of kind, signature and detail; empty where what differs is of no interest."""
    c = Comparison(words)
    if b": was made by version" in one.stderr:
        return []  # a table that the present build began: the frozen one rightly refuses to resume it
    if one.code != other.code and not (translate.is_figure(words) and other.code == 1):
        c.add("exit code", f"{c.command}: {one.code} -> {other.code}")
    if normalised(one.stderr) != normalised(other.stderr):
        c.lines("message", f"{c.command}: ", *(normalised(side.stderr).decode("utf-8", "replace").splitlines()
                                             for side in (one, other)))
    if one.stdout != other.stdout:
        c.body("", one.stdout, other.stdout)
    for path in one.made.keys() | other.made.keys():
        a, b = one.made.get(path), other.made.get(path)
        if path not in one.made or path not in other.made:
            c.add("file", f"{c.command} {os.path.splitext(path)[1]}: {'missing' if path in one.made else 'new'}", path)
        elif a is not None and b is not None and a != b:
            c.body(os.path.basename(path), a, b)
    return [(kind, signature, detail) for (kind, signature), detail in c.found.items()]
