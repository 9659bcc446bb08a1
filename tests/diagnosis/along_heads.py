#!/usr/bin/env python3
"""compare without --axes of vectors that NumPy rotated along the axis of the heads: they look like a sequence as
long as there are heads, so that every format must say which axes they would be, and --axes, or a config with as
many heads, must find the mistake.

usage: along_heads.py ROPE_CHECK    prints each case that is judged otherwise; exit 1 if any
"""
import json
import tempfile

import numpy as np

from compared import run
from head_left_out import vectors

FORMATS = ["--format", "text"], ["--format", "text", "-q"], ["--format", "markdown"], ["--format", "github"], \
          ["--format", "junit"], []


def along_heads(heads, length, order, fmt):
    """Heads of as many positions: what is rotated by the index of its head."""
    other = {"bhsd": "bshd", "bshd": "bhsd"}[order]
    return vectors(length, order=other, fmt=fmt, length=heads)


def cases():
    for order in "bhsd", "bshd":
        for fmt in "float32", "bfloat16":
            for heads, length in (4, 64), (2, 5), (8, 8), (1, 16):
                name = f"{order}, {heads} heads of {length}, {fmt}"
                q, y = vectors(heads, order=order, fmt=fmt, length=length)
                yield name, {"q": q, "q_rot": y}, order, False, heads
                if heads > 1:
                    q, y = along_heads(heads, length, order, fmt)
                    yield f"{name}, along heads", {"q": q, "q_rot": y}, order, True, heads


def judge(compare, case):
    name, arrays, order, along, heads = case
    dim = ["--dim", str(arrays["q"].shape[-1])]
    other = order if along else {"bhsd": "bshd", "bshd": "bhsd"}[order]
    for words in FORMATS if along else FORMATS[:2]:
        done = compare(arrays, *dim, *words)
        if done.returncode != 0:
            return f"{name}, {words}: exit {done.returncode}: {done.stderr}"
        if words:
            said = f"--axes {other}" in " ".join(done.stdout.split())
        else:
            read_as = json.loads(done.stdout)["subject"]["read_as"]
            said = read_as.get("other_axes", {}).get("value") == other
        if said != (heads > 1):
            return f"{name}, {words}: {done.stdout}"
    return by_axes(compare, case) or (heads > 1 and by_config(compare, case))


def sources(done):
    return [one["parameters"].get("source") for one in json.loads(done.stdout)["diagnosis"]]


def by_axes(compare, case):
    name, arrays, order, along, _ = case
    done = compare(arrays, "--dim", str(arrays["q"].shape[-1]), "--axes", order)
    right = done.returncode == 1 and "head number" in sources(done) if along else done.returncode == 0
    return "" if right else f"{name}: --axes {order}: {done.stdout[-600:]}"


def by_config(compare, case):
    """As q, and as k of a model that has more heads of q."""
    name, arrays, order, along, heads = case
    if arrays["q"].shape[1] == arrays["q"].shape[2]:
        return ""  # either order has so many heads
    renamed = {"k": arrays["q"], "k_rot": arrays["q_rot"]}
    for given, counts in (arrays, {"num_attention_heads": heads}), (
            renamed, {"num_attention_heads": 3 * heads, "num_key_value_heads": heads}):
        with tempfile.NamedTemporaryFile("w", suffix=".json") as config:
            json.dump({"head_dim": arrays["q"].shape[-1], **counts}, config)
            config.flush()
            done = compare(given, "--config", config.name)
        doubts = "other_axes" in json.loads(done.stdout)["subject"]["read_as"]
        right = done.returncode == 1 and sources(done) == ["head number"] if along else done.returncode == 0
        if not right or doubts != along:
            return f"{name}: {counts}: exit {done.returncode}, {sources(done)}, doubts {doubts}"
    return ""


def one_token():
    """[1, heads, 1, d] without ids, at position 0: not so many positions of one head, where the config has so many."""
    q = np.random.default_rng(3).standard_normal((1, 8, 1, 64)).astype(np.float32)
    return "one token of 8 heads", {"q": q, "q_rot": q}


def judge_token(compare, case):
    _, arrays = case
    for counts in {"num_attention_heads": 8}, {"num_attention_heads": 32, "num_key_value_heads": 8}:
        given = arrays if counts["num_attention_heads"] == 8 else {"k": arrays["q"], "k_rot": arrays["q_rot"]}
        with tempfile.NamedTemporaryFile("w", suffix=".json") as config:
            json.dump({"head_dim": 64, **counts}, config)
            config.flush()
            done = compare(given, "--config", config.name)
        if done.returncode != 0 or json.loads(done.stdout)["subject"]["read_as"]["axes"]["value"] != "bhsd":
            return f"{counts}: exit {done.returncode}: {done.stdout[-400:]}"
    return ""


def some_heads():
    """As many rows as the config has heads, of which the vectors have some: right, and along no heads."""
    for heads in 1, 4:
        q, y = vectors(heads, order="bhsd", fmt="float32", length=32)
        yield f"{heads} of 32 heads", {"q": q, "q_rot": y}, 32


def judge_some(compare, case):
    name, arrays, count = case
    with tempfile.NamedTemporaryFile("w", suffix=".json") as config:
        json.dump({"head_dim": arrays["q"].shape[-1], "num_attention_heads": count}, config)
        config.flush()
        done = compare(arrays, "--config", config.name)
    return "" if done.returncode == 0 else f"{name}: exit {done.returncode}: {done.stdout[-400:]}"


def judge_any(compare, case):
    return {2: judge_token, 3: judge_some}.get(len(case), judge)(compare, case)


run([*cases(), one_token(), *some_heads()], judge_any, "are read with the doubt that they leave")
