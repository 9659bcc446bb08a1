#!/usr/bin/env python3
"""A class reads only the rotary keys that its row in data/classes.jsonl lists: with the keys of all other
classes added, the example of each rotating class has the same plans, and a warning names every added key.

usage: keys_of_others.py ROPE_CHECK CLASSES.JSONL
"""
import copy
import json
import sys

from real_configs import FIELDS, explain, value_of
from rows import check, rows_of

# a value for each meaning in data/keys.jsonl that would change the plan of a class that reads the key
VALUES = {
    "fraction": 0.375, "rotary_dim": 10, "rotary_part": 10, "head_dim": 14, "full_head_dim": 14, "sliding_head_dim": 14,
    "base": 777, "sliding_base": 777, "base_ratio": 50, "layer_bases": [0, 777], "scaled_layers": [0],
    "rotates": [1, 0], "rotating_layers": [1], "unrotated_layers": [1], "unrotated_interval": 2, "rotated_interval": 2,
    "full_layers": [1], "kinds": ["linear_attention", "full_attention"],
    "blocks": [{"attention": {"no_op": one % 2 == 0}} for one in range(96)],
    "dynamic_factor": 4, "linear_factor": 4,
}
OF_SECTIONS = {"partial_rotary_factor": 0.375, "mrope_section": [1, 1, 1], "alpha": 1000}
IN_SECTIONS = {"ntk_factor", "sections", "interleaved_sections"}


def read_keys(table):
    """The keys that some classes read, with their meanings."""
    keys = {row["key"]: row for row in rows_of(table) if "read_by" not in row and row["means"] not in IN_SECTIONS}
    unknown = {row["means"] for row in keys.values()} - set(VALUES) - {"layout"}
    assert not unknown, f"no value for {unknown}"
    return keys


def value_for(key, row):
    if key["means"] == "layout":  # true means the last one
        return not key["agrees"].endswith("layout=" + row["layout"])
    return VALUES[key["means"]]


SECTIONS = ("text_config", "language_config", "llm_config", "thinker_config")


def model_of(config):
    for key in SECTIONS:
        if isinstance(config.get(key), dict) and config[key]:
            return model_of(config[key])
    return config


def plans_of(report):
    fields = ("layers", *FIELDS, "axes", "mrope_section", "max_position_embeddings")
    return [[value_of(plan, field) for field in fields] for plan in report["plans"]], report.get("not_rotated", [])


def add_keys(config, row, known):
    """Adds the keys that the row does not list to the model and to its rope section, and returns their names."""
    model = model_of(config)
    own = set(row.get("keys", [])) | set(model)
    added = {name: value_for(key, row) for name, key in known.items() if name not in own and name != "interleaved"}
    model.update(added)
    section = model.get("rope_scaling") or model.get("rope_parameters")
    if not isinstance(section, dict) or any(isinstance(value, dict) for value in section.values()):
        return set(added)
    if "rotary_pct" in own:
        own.add("partial_rotary_factor")  # GPT-NeoX's name in the section
    of_section = {key: value for key, value in OF_SECTIONS.items() if key not in own | set(section)}
    section.update(of_section)
    return set(added) | set(of_section)


def fault_of(row, classes, known, tool):
    config = row["example"]["config"]
    plain = explain(tool, config)
    if plain.returncode != 0 or "model-type-missing" in plain.stdout:
        return None
    changed = copy.deepcopy(config)
    held = classes.get(model_of(config).get("model_type"), row)
    becomes_row = held.get("becomes", {}).get("class") == row["class"]
    added = add_keys(changed, row if becomes_row or "layout" not in held else held, known)
    run = explain(tool, changed)
    if run.returncode != 0:
        return run.stderr.strip()
    before, after = json.loads(plain.stdout), json.loads(run.stdout)
    if plans_of(before) != plans_of(after):
        return f"has other plans: {plans_of(before)}, {plans_of(after)}"
    warned = {one["where"].rsplit(".", 1)[-1].rsplit(" ", 1)[-1] for one in after["lint"]
              if one["severity"] != "note"}
    unnamed = sorted(added - warned)
    return f"no warning names {unnamed}" if unnamed else None


def main(tool, table):
    known = read_keys(table.replace("classes.jsonl", "keys.jsonl"))
    classes = {row["class"]: row for row in rows_of(table)}
    rows = [row for row in classes.values() if row["is"] == "rope" and row.get("example", {}).get("want")]
    return check(rows, lambda row: fault_of(row, classes, known, tool), lambda row: row["class"], 200,
                 "classes read no key of another")


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
