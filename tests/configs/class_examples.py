#!/usr/bin/env python3
"""Each row of data/classes.jsonl describes its class. A class that rotates has an example: a config, the head_dim,
rotary_dim, base, type, layout and length that the class's code computes (null: it is refused), and the layers that
rotate if not all do. A class that does not rotate, or rotates image patches, is refused with the row's text; a wrapper
holds the class that it names.

usage: class_examples.py ROPE_CHECK CLASSES.JSONL
"""
import json
import sys

from real_configs import FIELDS, explain, value_of
from rows import check, rows_of

TEXT = {"hidden_size": 4096, "num_attention_heads": 32}


def named(row, **keys):
    """A config of the row's class; _class_name names diffusers classes."""
    key = "_class_name" if "Transformer" in row["class"] and row["class"][0].isupper() else "model_type"
    return {key: row["class"], **keys}


def fault_of_rope(row, tool):
    if "example" not in row:
        return "has no example"
    run, want = explain(tool, row["example"]["config"]), row["example"]["want"]
    if want is None:
        return None if run.returncode == 2 else f"is not refused: exit {run.returncode}"
    if run.returncode != 0:
        return run.stderr.strip()
    plans = [{field: value_of(plan, field) for field in (*FIELDS, "max_position_embeddings")}
             for plan in json.loads(run.stdout)["plans"]]
    if not any(all(plan[field] == value for field, value in want.items()) for plan in plans):
        return f"want {want}, got {plans}"
    report = json.loads(run.stdout)
    layers = {"rotate": [plan["layers"] for plan in report["plans"]], "do_not": report.get("not_rotated", [])}
    wanted = row["example"].get("layers", layers)
    return None if layers == wanted else f"want layers {wanted}, got {layers}"


def fault_of_wrapper(row, tool):
    if "assumes" in row or "alone" in row:
        return fault_of_rope(row, tool)
    run = explain(tool, named(row, text_config=TEXT))
    if not row["holds"]:
        return None if run.returncode in (0, 2) else run.stderr
    own = explain(tool, {"model_type": row["holds"], **TEXT})
    if own.returncode != run.returncode:
        return f"exit {run.returncode}, and {row['holds']} alone {own.returncode}: {run.stderr}{own.stderr}"
    if run.returncode != 0:
        return None
    a, b = (json.loads(one.stdout)["plans"] for one in (run, own))
    values = [[[value_of(plan, field) for field in FIELDS] for plan in plans] for plans in (a, b)]
    return None if values[0] == values[1] else f"is not read as {row['holds']}: {values}"


def fault_of_refused(row, tool):
    run = explain(tool, named(row, **TEXT))
    base = str(row.get("assumes", {}).get("rope_theta"))
    words = row["instead"] if row["is"] == "other" else row["form"].replace("{rope_theta}", base)
    return None if run.returncode == 2 and words in run.stderr else f"exit {run.returncode}: {run.stderr.strip()}"


def fault_of(row, tool):
    kind = {"rope": fault_of_rope, "wrapper": fault_of_wrapper}.get(row["is"], fault_of_refused)
    return kind(row, tool)


def main(tool, table):
    return check(rows_of(table), lambda row: fault_of(row, tool), lambda row: row["class"], 500,
                 "classes as their rows say")


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
