#!/usr/bin/env python3
"""Configs that differ from the published ones of their classes in one thing, such as a null list, a key that the class
does not read, or a section in another form. Each gives the plan of its class's code. A warning names each key
that has no effect; the published form has no warning. `notes` are the keys with a note. A row with `gguf` has a GGUF's architecture, keys
and tensors. `with` has the first plan for other options, or the text of the error.

usage: odd_configs.py ROPE_CHECK ODD.JSONL
"""
import json
import sys

from architecture_examples import gguf, is_same
from real_configs import explain, value_of
from rows import check, rows_of


def fault_of(row, tool):
    """The difference from the row, or None."""
    config = gguf(*row["gguf"]) if "gguf" in row else row["config"]
    run = explain(tool, config)
    if "refused" in row:
        is_right = run.returncode == 2 and row["refused"] in run.stderr
        return None if is_right else f"is not refused for it: {run.stdout[:80]}{run.stderr.strip()}"
    if run.returncode != 0:
        return run.stderr.strip()
    report = json.loads(run.stdout)
    plans = {plan["layers"]: {field: value_of(plan, field) for field in row["plans"].get(plan["layers"], {})}
             for plan in report["plans"]}
    if not is_same(row["plans"], plans):
        return f"want {row['plans']}, got {plans}"
    if report.get("not_rotated", []) != row.get("not_rotated", []):
        return f"want not rotated {row.get('not_rotated', [])}, got {report.get('not_rotated', [])}"
    if report["ignored"] != row.get("ignored", report["ignored"]):
        return f"ignores {report['ignored']}"
    for options, want in row.get("with", {}).items():
        run = explain(tool, config, *options.split())
        plan = json.loads(run.stdout)["plans"][0] if run.returncode == 0 else {"resolved": {}}
        got = run.stderr.strip() if isinstance(want, str) else {field: value_of(plan, field) for field in want}
        if not (want in got and run.returncode == 2 if isinstance(want, str) else is_same(want, got)):
            return f"want {want} of {options}, got {got} {run.stderr.strip()}"
    noted = sorted({one["where"].split(": ", 1)[1] for one in report["lint"] if one["severity"] == "note"})
    if noted != row.get("notes", noted):
        return f"want notes on {row['notes']}, got {noted}"
    warned = sorted({one["where"].split(": ", 1)[1] for one in report["lint"] if one["severity"] != "note"})
    return None if warned == row.get("warns", []) else f"want warnings of {row.get('warns', [])}, got {warned}"


def main(tool, table):
    return check(rows_of(table), lambda row: fault_of(row, tool), lambda row: f"{row['name']}  ({row['source']})", 130,
                 "configs as expected")


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
