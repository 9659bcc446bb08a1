#!/usr/bin/env python3
"""Each row of data/architectures.jsonl describes llama.cpp's code. An architecture that rotates has an example: a GGUF's
keys without the architecture's prefix, its tensors, and the parameters that the graph computes (null: it is refused).
Values that differ between layers are a list of objects with `layers`; layers in none of them do not rotate. An
architecture that does not rotate is refused with the row's text. The examples follow llama.cpp's code in whisper.cpp
4834a232 (examples/talk-llama, 18 August 2026); their keys are not those of a published model.

With other pairs, another layer rule or one trait fewer an example must fail: the test changes rows and passes them to
--classes.
usage: architecture_examples.py ROPE_CHECK ARCHITECTURES.JSONL
"""
import copy
import json
import math
import os
import struct
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor

from real_configs import value_of
from rows import rows_of

KEYS = {"block_count": 8, "embedding_length": 4096, "attention.head_count": 32, "rope.dimension_count": 128}
# the weights, which explain does not show (tests/io/gguf_test.cpp compares them with diff), and warnings and
# refusals of files that llama.cpp does not load, which odd.jsonl tests
UNSEEN = {"permuted", "needs_rope_freqs", "needs_sections", "needs_window", "whole_head_rotates"}


def typed(value):
    """The type of a GGUF's value, and its bytes."""
    if isinstance(value, bool):
        return 7, struct.pack("<?", value)
    if isinstance(value, int):
        return 4, struct.pack("<I", value)
    if isinstance(value, float):
        return 6, struct.pack("<f", value)
    if isinstance(value, str):
        return 8, struct.pack("<Q", len(value)) + value.encode()
    items = [typed(one) for one in value]
    return 9, struct.pack("<IQ", items[0][0], len(items)) + b"".join(text for _, text in items)


def gguf(architecture, keys, tensors):
    pairs = {"general.architecture": architecture, **{f"{architecture}.{key}": value for key, value in keys.items()}}
    data = b"GGUF" + struct.pack("<IQQ", 3, len(tensors), len(pairs))
    for key, value in pairs.items():
        kind, text = typed(value)
        data += typed(key)[1] + struct.pack("<I", kind) + text
    values = b""
    for name, numbers in tensors.items():
        data += typed(name)[1] + struct.pack("<IQIQ", 1, len(numbers), 0, len(values))
        values += struct.pack(f"<{len(numbers)}f", *numbers)
        values += bytes(-len(values) % 32)
    return data + bytes(-len(data) % 32) + values


def is_same(want, got):
    if isinstance(want, float):
        return isinstance(got, (int, float)) and math.isclose(want, got, rel_tol=1e-6)
    if isinstance(want, dict):
        return want.keys() == got.keys() and all(is_same(want[key], got[key]) for key in want)
    if isinstance(want, list) and isinstance(got, list):
        return len(want) == len(got) and all(map(is_same, want, got))
    return want == got


class Reader:
    """Explains the GGUF of a row with the program's row, or with this one if it was changed."""

    def __init__(self, tool, row, is_changed):
        self.tool, self.row, self.is_changed, self.tensors = tool, row, is_changed, {}

    def explain(self, keys, *options):
        with tempfile.TemporaryDirectory() as folder:
            path, rows = os.path.join(folder, "m.gguf"), os.path.join(folder, "rows.jsonl")
            with open(path, "wb") as file:
                file.write(gguf(self.row["architecture"], keys, self.tensors))
            with open(rows, "w", encoding="utf-8") as file:
                json.dump(self.row, file)
            classes = ["--classes", rows] if self.is_changed else []
            return subprocess.run([self.tool, "explain", "--config", path, "--format", "json", *options, *classes],
                                  capture_output=True, text=True, check=False)

    def fault_of_layer(self, keys, want, *options):
        """The difference from `want`, which is None if the layer does not rotate."""
        run = self.explain(keys, *options)
        if want is None:
            is_said = "does not rotate" in run.stderr or not options
            return None if run.returncode == 2 and is_said else f"{options} rotates: exit {run.returncode}"
        if run.returncode != 0:
            return run.stderr.strip()
        report = json.loads(run.stdout)
        if not options and (len(report["plans"]) != 1 or report["not_rotated"]):
            return f"layers differ: {[plan['layers'] for plan in report['plans']]}, {report['not_rotated']}"
        plan = report["plans"][0]
        got = {field: value_of(plan, field) for field in want if field != "layers"}
        wrong = {field: value for field, value in got.items() if not is_same(want[field], value)}
        return f"{options} want {want}, got {wrong}" if wrong else None

    def fault_of_example(self, example):
        keys, want = example["keys"], example["want"]
        self.tensors = example.get("tensors", {})
        groups = want if isinstance(want, list) else [want]
        if want is None or "layers" not in groups[0]:
            return self.fault_of_layer(keys, want)
        for number in range(keys["block_count"] - keys.get("nextn_predict_layers", 0)):
            group = next((one for one in groups if number in one["layers"]), None)
            fault = self.fault_of_layer(keys, group, "--layers", str(number))
            if fault:
                return fault
        return None

    def fault(self):
        if self.row["pairs"] == "none":
            run = self.explain(KEYS)
            words = self.row.get("instead", "there is no RoPE")
            return None if run.returncode == 2 and words in run.stderr else f"exit {run.returncode}: {run.stderr}"
        if self.row["pairs"] == "unknown":
            return None
        examples = self.row.get("example", [])
        examples = examples if isinstance(examples, list) else [examples]
        faults = [self.fault_of_example(example) for example in examples]
        return next(filter(None, faults), None) if examples else "has no example"


def changes_of(row):
    """Each variant of the row with one change, and a description of the change."""
    def changed(what, change):
        other = copy.deepcopy(row)
        change(other)
        return what, other

    if "example" not in row:
        return
    yield changed("other pairs", lambda one: one.update(pairs="neox" if "norm" in row["pairs"] else "norm"))
    if row["pairs"] == "imrope":
        yield changed("other axes", lambda one: one.update(pairs="mrope"))
    for key in ("sliding", "interval", "class", "becomes"):
        if key in row:
            yield changed(f"no {key}", lambda one, key=key: one.pop(key))
    if "interval" in row:
        yield changed("another interval", lambda one: one.update(interval=3))
    if "sliding" in row:
        if "period" in row["sliding"]:
            other = 3 if row["sliding"]["period"] == 2 else 2
            yield changed("another period", lambda one, other=other: one["sliding"].update(period=other))
        for key in {"pattern", "if"} & set(row["sliding"]):
            yield changed(f"any {key}", lambda one, key=key: one["sliding"].pop(key))
        for have in {"own_base", "no_scaling", "rotation"} - {row["sliding"]["have"]}:
            yield changed(f"sliding layers have {have}", lambda one, have=have: one["sliding"].update(have=have))
    for key in row.get("keys", {}):
        yield changed(f"{key} is not read", lambda one, key=key: one["keys"].pop(key))
    for trait in set(row.get("traits", [])) - UNSEEN:
        yield changed(f"without {trait}", lambda one, trait=trait: one["traits"].remove(trait))


def main(tool, table):
    rows = rows_of(table)
    changes = [change for row in rows for change in changes_of(row)][::int(os.environ.get("CASES_EVERY", "1"))]
    with ThreadPoolExecutor(2) as pool:
        faults = list(pool.map(lambda row: Reader(tool, row, False).fault(), rows))
        seen = list(pool.map(lambda change: Reader(tool, change[1], True).fault(), changes))
    for row, fault in zip(rows, faults):
        if fault:
            print(f"{row['architecture']}: {fault}")
    unseen = [f"{row['architecture']}: {what}: no example fails"
              for (what, row), fault in zip(changes, seen) if not fault]
    for line in unseen:
        print(line)
    wrong = sum(fault is not None for fault in faults)
    print(f"{len(rows) - wrong} of {len(rows)} architectures as their rows say, "
          f"{len(changes) - len(unseen)} of {len(changes)} changes seen")
    return 1 if wrong or unseen or len(rows) < 146 else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
