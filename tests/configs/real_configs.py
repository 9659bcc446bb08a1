#!/usr/bin/env python3
"""The configs of real models give their classes' head_dim, rotary_dim, base, type and layout; those
without RoPE are refused by name.

usage: real_configs.py ROPE_CHECK REAL.JSONL
"""
import json
import os
import subprocess
import sys
import tempfile

from rows import check, rows_of

FIELDS = ("head_dim", "rotary_dim", "rope_theta", "rope_type", "layout", "rotary_offset",
          "direction", "attention_factor")
SAME_TYPE = {"mrope": "default", "su": "longrope"}  # rope-check's names


def explain(tool, config, *options):
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "config.json")
        with open(path, "wb") as file:
            file.write(config if isinstance(config, bytes) else json.dumps(config).encode())
        return subprocess.run([tool, "explain", "--config", path, "--format", "json", *options],
                              capture_output=True, text=True, check=False)


def value_of(plan, field):
    return plan.get(field, plan["resolved"].get(field, {}).get("value"))


def fault_of(row, run):
    """The difference from the row, or None."""
    if row.get("refused"):
        named = run.returncode == 2 and "add head_dim" not in run.stderr
        return None if named else f"accepted, or refused for another reason: {run.stderr.strip()}"
    if run.returncode != 0:
        return run.stderr.strip()
    report = json.loads(run.stdout)
    if row.get("lint") and row["lint"] not in [one["id"] for one in report["lint"]]:
        return f"lint lacks {row['lint']}"
    want = dict(row.get("want", {}))
    want["rope_type"] = SAME_TYPE.get(want.get("rope_type"), want.get("rope_type"))
    plans = [{field: value_of(plan, field) for field in FIELDS} for plan in report["plans"]]
    if any(all(want.get(f) in (None, plan[f]) for f in FIELDS) for plan in plans):
        return None
    return f"want {want}, got {plans}"


def main(tool, table):
    return check(rows_of(table), lambda row: fault_of(row, explain(tool, row["config"])),
                 lambda row: f"{row['name']}  ({row['source']})", 150, "configs as expected")


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
