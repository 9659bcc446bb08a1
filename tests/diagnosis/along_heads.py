"""Vectors that were rotated along the axis of the heads, without --axes. They look like a sequence with as many rows as
heads. Every format must name the other order of axes; --axes, or the config's number of heads, must find it."""
import json

import numpy as np

from rotary import inv_freq, normal, table, vectors

FORMATS = [[], *(["--format", name] for name in ("text", "markdown", "github", "junit")), ["--format", "text", "-q"]]


def cases():
    """Order of the axes, number of heads, whether the rotation is along the heads, and arrays."""
    for order, other in ("bhsd", "bshd"), ("bshd", "bhsd"):
        for fmt in "float32", "bfloat16":
            for heads, rows in (4, 64), (2, 5), (8, 8), (1, 16):
                made = list(vectors(fmt, table(inv_freq(64), np.arange(rows)), heads=heads).values())
                yield order, heads, False, made if order == "bhsd" else [x.swapaxes(1, 2) for x in made]
                if heads > 1:
                    made = list(vectors(fmt, table(inv_freq(64), np.arange(heads)), heads=rows).values())
                    yield order, heads, True, made if order == "bshd" else [x.swapaxes(1, 2) for x in made]
    q = normal(1, 8, 1, 64)
    yield "bhsd", 8, None, [q, q]  # the single row passes as one position; the config has 8 heads
    for heads in 1, 4:  # the config has as many heads as there are rows
        yield "bhsd", 32, None, vectors("float32", table(inv_freq(64), np.arange(32)), heads=heads).values()


def judge(compare, case):
    order, heads, along, (q, y) = case
    arrays = {"q": q, "q_rot": y}
    if along is None:
        return by_config(compare, arrays, {"num_attention_heads": heads}, False, "bhsd")
    other = order if along else {"bhsd": "bshd", "bshd": "bhsd"}[order]
    for words in FORMATS if along else FORMATS[:2]:
        done = compare(arrays, "--dim", "64", *words)
        is_named = f"--axes {other}" in " ".join(done.stdout.split()) if words else \
            json.loads(done.stdout)["subject"]["read_as"].get("other_axes", {}).get("value") == other
        if done.returncode != 0 or is_named != (heads > 1):
            return f"{words}: exit {done.returncode}: {done.stdout or done.stderr}"
    done = compare(arrays, "--dim", "64", "--axes", order)
    if done.returncode != along or along and "head number" not in sources(done):
        return f"--axes {order}: {done.stdout[-600:]}"
    if heads == 1 or q.shape[1] == q.shape[2]:  # both orders fit the config's number of heads
        return ""
    return by_config(compare, arrays, {"num_attention_heads": heads}, along) or by_config(
        compare, {"k": q, "k_rot": y}, {"num_attention_heads": 3 * heads, "num_key_value_heads": heads}, along)


def sources(done):
    return [one["parameters"].get("source") for one in json.loads(done.stdout)["diagnosis"]]


def by_config(compare, arrays, counts, along, axes=None):
    done = compare(arrays, "--config", {"head_dim": 64, **counts})
    if axes and arrays["q"].shape[1] == 1:  # as many rows of one head as the config has heads
        return "" if done.returncode == 2 and f"--axes {axes}" in done.stderr else f"exit {done.returncode}: {done.stderr}"
    read_as = json.loads(done.stdout)["subject"]["read_as"]
    right = done.returncode == along and sources(done) == ["head number"] * along and (
        read_as["axes"]["value"] == axes if axes else ("other_axes" in read_as) == along)
    return "" if right else f"{counts}: exit {done.returncode}, {sources(done)}, {read_as}"
