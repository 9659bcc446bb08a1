#!/usr/bin/env python3
"""Configs that differ from the published ones of their classes in one thing: an absent or null list, a key that the
class does not read, a section of another form. Each means what its class's code makes of it, and where a key does not
count, a warning names it; the published form of the class has none.

usage: odd_configs.py ROPE_CHECK ODD.JSONL
"""
import json
import sys
from concurrent.futures import ThreadPoolExecutor

from real_configs import explain, value_of


def fault_of(row, tool):
    """What differs from the row, or None."""
    run = explain(tool, row["config"])
    if "refused" in row:
        is_right = run.returncode == 2 and row["refused"] in run.stderr
        return None if is_right else f"is not refused for it: {run.stdout[:80]}{run.stderr.strip()}"
    if run.returncode != 0:
        return run.stderr.strip()
    report = json.loads(run.stdout)
    plans = {plan["layers"]: {field: value_of(plan, field) for field in row["plans"].get(plan["layers"], {})}
             for plan in report["plans"]}
    if plans != row["plans"]:
        return f"want {row['plans']}, got {plans}"
    if report.get("not_rotated", []) != row.get("not_rotated", []):
        return f"want not rotated {row.get('not_rotated', [])}, got {report.get('not_rotated', [])}"
    warned = sorted({one["where"].split(": ", 1)[1] for one in report["lint"] if one["severity"] != "note"})
    return None if warned == row.get("warns", []) else f"want warnings of {row.get('warns', [])}, got {warned}"


def main(tool, table):
    with open(table, encoding="utf-8") as file:
        rows = [json.loads(line) for line in file]
    with ThreadPoolExecutor(2) as pool:
        faults = list(pool.map(lambda row: fault_of(row, tool), rows))
    for row, fault in zip(rows, faults):
        if fault:
            print(f"{row['name']}: {fault}  ({row['source']})")
    wrong = sum(fault is not None for fault in faults)
    print(f"{len(rows) - wrong} of {len(rows)} configs as expected")
    return 1 if wrong or len(rows) < 130 else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
