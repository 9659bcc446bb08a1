#!/usr/bin/env python3
"""A class reads the rotary keys that its row in data/classes.jsonl lists, and no other: with the keys of all other
classes added, the example of each rotating class has the same plans, and a warning names every key that was added.

usage: keys_of_others.py ROPE_CHECK CLASSES.JSONL
"""
import copy
import json
import sys
from concurrent.futures import ThreadPoolExecutor

from real_configs import FIELDS, explain, value_of

# Of class_keys() in src/io/config/model_classes.cpp; each value would change something where it is read.
KEYS = {
    "partial_rotary_factor": 0.375, "rotary_pct": 0.375, "rope_pct": 0.375, "rotary_emb_fraction": 0.375,
    "rotary_dim": 10, "qk_rope_head_dim": 10, "kv_channels": 14, "global_head_dim": 14,
    "rotary_emb_base": 777, "rotary_embedding_base": 777, "global_rope_theta": 777, "rope_embedding_base": 777,
    "rope_ratio": 50, "rope_local_base_freq": 777, "local_rope_theta": 777, "rope_local_theta": 777,
    "layer_rope_theta": [0, 777], "rope_scaling_layers": [0], "no_rope_layers": [1, 0], "no_rope_layer_interval": 2,
    "full_attention_interval": 2, "attn_type_list": [1, 0], "full_attn_idxs": [1], "attn_layer_indices": [1],
    "cross_attention_layers": [1], "layers_block_type": ["mamba", "attention"],
    "block_types": ["recurrent", "attention"], "layer_types": ["linear_attention", "full_attention"],
    "rope_interleave": False, "rotary_emb_interleaved": True, "rope_interleaved": True,
    "rotary_scaling_factor": 4, "rope_condense_ratio": 4,
}
OF_SECTIONS = {"partial_rotary_factor": 0.375, "mrope_section": [1, 1, 1], "alpha": 1000}
SECTIONS = ("text_config", "language_config", "llm_config", "thinker_config")


def model_of(config):
    for key in SECTIONS:
        if isinstance(config.get(key), dict) and config[key]:
            return model_of(config[key])
    return config


def plans_of(report):
    fields = ("layers", *FIELDS, "axes", "mrope_section", "max_position_embeddings")
    return [[value_of(plan, field) for field in fields] for plan in report["plans"]], report.get("not_rotated", [])


def add_keys(config, keys):
    """Adds what `keys` does not list to the model and to its rope section, and returns the names."""
    model = model_of(config)
    own = set(keys) | set(model)
    added = {key: value for key, value in KEYS.items() if key not in own}
    model.update(added)
    section = model.get("rope_scaling") or model.get("rope_parameters")
    if not isinstance(section, dict) or any(isinstance(value, dict) for value in section.values()):
        return set(added)
    if "rotary_pct" in own:
        own.add("partial_rotary_factor")  # GPT-NeoX's name of it in the section
    of_section = {key: value for key, value in OF_SECTIONS.items() if key not in own | set(section)}
    section.update(of_section)
    return set(added) | set(of_section)


def fault_of(row, classes, tool):
    config = row["example"]["config"]
    plain = explain(tool, config)
    if plain.returncode != 0 or "model-type-missing" in plain.stdout:
        return None
    changed = copy.deepcopy(config)
    held = classes.get(model_of(config).get("model_type"), row)
    added = add_keys(changed, held.get("keys", []))
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
    with open(table, encoding="utf-8") as file:
        classes = {row["class"]: row for row in map(json.loads, file)}
    rows = [row for row in classes.values() if row["is"] == "rope" and row.get("example", {}).get("want")]
    with ThreadPoolExecutor(2) as pool:
        faults = list(pool.map(lambda row: fault_of(row, classes, tool), rows))
    for row, fault in zip(rows, faults):
        if fault:
            print(f"{row['class']}: {fault}")
    wrong = sum(fault is not None for fault in faults)
    print(f"{len(rows) - wrong} of {len(rows)} classes read no key of another")
    return 1 if wrong or len(rows) < 200 else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
