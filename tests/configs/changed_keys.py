#!/usr/bin/env python3
"""Each key that explain reads in a real model's config is removed, misspelled and given twice; then
the plan changes, or the report names the change (a warning, an ignored key, another origin,
a default), or the config is refused.

usage: changed_keys.py ROPE_CHECK REAL.JSONL
"""
import concurrent.futures
import copy
import json
import os
import subprocess
import sys
import tempfile

from rows import rows_of

# the class's defaults for absent keys: without these keys, nothing changes
ITS_OWN_DEFAULT = {"alibi", "no_rope_layers", "no_rope_layer_interval", "full_attention_interval",
                   "decoder_num_attention_heads", "block_types"}


def explain(tool, folder, text):
    """The JSON, or None if the config is refused. Each run has a separate folder with the same file
    name, so that messages can be compared."""
    own = tempfile.mkdtemp(dir=folder)
    with open(os.path.join(own, "config.json"), "w", encoding="utf-8") as file:
        file.write(text)
    run = subprocess.run([tool, "explain", "--config", "config.json", "--format", "json"],
                         cwd=own, capture_output=True, text=True, check=False)
    return json.loads(run.stdout) if run.returncode == 0 else None


def holder_of(config, path):
    """The object that holds the last key of a dotted path, and that key."""
    names = path.split(".")
    for name in names[:-1]:
        config = config[name]
    return config, names[-1]


def renamed(config, path, change):
    """The config with one key changed, in its place: change(key, value) -> pairs."""
    other = copy.deepcopy(config)
    holder, key = holder_of(other, path)
    items = [pair for name, value in holder.items()
             for pair in (change(name, value) if name == key else [(name, value)])]
    holder.clear()
    holder.update(items)
    return json.dumps(other)


def doubled(config, path):
    """The config as text with the key a second time and another value, which Python's dict cannot hold."""
    other = copy.deepcopy(config)
    holder, key = holder_of(other, path)
    value = holder[key]
    different = not value if isinstance(value, bool) else \
        value * 2 if isinstance(value, (int, float)) else value
    holder["@again"] = different
    return json.dumps(other).replace('"@again"', json.dumps(key))


def changes(config, path):
    yield "removed", renamed(config, path, lambda key, value: [])
    yield "misspelled", renamed(config, path, lambda key, value: [(key[:-1] + "_", value)])
    yield "doubled", doubled(config, path)


def silent_changes(tool, folder, row):
    config = row["config"]
    plain = explain(tool, folder, json.dumps(config))
    if plain is None:
        return 0, []
    count, silent = 0, []
    for path in plain["read"]:
        for what, text in changes(config, path):
            name = path.split(".")[-1]
            if name in ITS_OWN_DEFAULT and what != "doubled":
                continue
            if name == "model_type" and "." in path and what != "doubled":
                continue  # the wrapper names it too
            if name == "type" and "rope_type" in holder_of(config, path)[0]:
                continue  # twice with equal values
            count += 1
            if same(explain(tool, folder, text), plain):
                silent.append(f"{row['name']}: {path} {what} changes nothing and is not named")
    return count, silent


def same(one, other):
    """Whether two explanations are equal except for the list of keys that were read."""
    if one is None:
        return False
    return {**one, "read": 0} == {**other, "read": 0}


def main(tool, table):
    tool = os.path.abspath(tool)
    rows = [row for row in rows_of(table) if not row.get("refused")]
    every = int(os.environ.get("CASES_EVERY", "1"))
    with tempfile.TemporaryDirectory() as folder, \
            concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        results = list(pool.map(lambda row: silent_changes(tool, folder, row), rows[::every]))
    silent = [line for _, lines in results for line in lines]
    count = sum(n for n, _ in results)
    print("\n".join(silent))
    print(f"{count - len(silent)} of {count} changes seen or named")
    return 1 if silent or count < 1500 // every else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
