#!/usr/bin/env python3
"""compare without --axes of vectors that NumPy rotated along the axis of the heads: they look like a sequence as
long as there are heads, so that every format must say which axes they would be, and --axes must find the mistake.

usage: along_heads.py ROPE_CHECK    prints each case that is judged otherwise; exit 1 if any
"""
import json

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
                yield name, {"q": q, "q_rot": y}, order, False, heads == length
                if heads > 1:
                    q, y = along_heads(heads, length, order, fmt)
                    yield f"{name}, along heads", {"q": q, "q_rot": y}, order, True, heads == length


def judge(compare, case):
    name, arrays, order, along, is_even = case
    dim = ["--dim", str(arrays["q"].shape[-1])]
    other = {"bhsd": "bshd", "bshd": "bhsd"}[order] if is_even and not along else order
    for words in FORMATS if along or is_even else FORMATS[:2]:
        done = compare(arrays, *dim, *words)
        if done.returncode != 0:
            return f"{name}, {words}: exit {done.returncode}: {done.stderr}"
        if words:
            said = f"--axes {other}" in " ".join(done.stdout.split())
        else:
            read_as = json.loads(done.stdout)["subject"]["read_as"]
            said = read_as.get("other_axes", {}).get("value") == other
        if said != (along or is_even):
            return f"{name}, {words}: {done.stdout}"
    if not along:
        return ""
    done = compare(arrays, *dim, "--axes", order)
    names = [one["parameters"].get("source") for one in json.loads(done.stdout)["diagnosis"]]
    return "" if done.returncode == 1 and "head number" in names else f"{name}: --axes {order}: {names}"


run(cases(), judge, "are read with the doubt that they leave")
