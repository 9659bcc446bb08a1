#!/usr/bin/env python3
"""Judges every dump of inject.py and says what each mistake is called.

matrix.py ROPE-CHECK [--brief] [--only TEXT] [--thin N] [--list N]: the confusion matrix, expected × named,
a row a mistake and a storage format. A mistake is named where it, or a name that is listed as the
same numbers, comes first; where several were made, where all are. Exit 1 below 95 % of float32,
85 % of bfloat16 or float16, or when anything sound is blamed.
"""
import argparse
import collections
import json
import os
import random
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor

import inject

LEAST = {"float32": 0.95, "bfloat16": 0.85, "float16": 0.85}


def names_of(explanation):
    """Its own, the same numbers' by other names, and what the data cannot tell from it."""
    others = explanation["equivalent"] + explanation["also_fits"]
    return {explanation["mistake"]} | {name.split()[0] for name in others}


def judge(tool, folder, case):
    run = subprocess.run([tool, "compare", os.path.join(folder, case["file"]), *case["spec"],
                          "--format", "json"], capture_output=True, text=True, timeout=60)
    if run.returncode not in (0, 1):
        print(run.stderr.strip(), file=sys.stderr)
        return case, [{"mistake": "(error)", "equivalent": [], "also_fits": []}], run.returncode
    return case, json.loads(run.stdout).get("diagnosis", []), run.returncode


def is_named(case, diagnosis, code):
    expected = case["expect"]
    if not expected:
        return code == 0 and not diagnosis
    if len(expected) == 1:
        return bool(diagnosis) and expected[0] in names_of(diagnosis[0])
    found = set().union(*(names_of(each) for each in diagnosis)) if diagnosis else set()
    return set(expected) <= found


def thinned(cases, most):
    """At most so many of each row of the matrix, spread over all head sizes and parameters."""
    rows = collections.defaultdict(list)
    for case in cases:
        rows[" ".join(case["expect"]), case["name"].rsplit("-", 1)[1]].append(case)
    draw, chosen = random.Random(1), []
    for row in rows.values():
        count = min(most, len(row))
        blocks = [row[k * len(row) // count:(k + 1) * len(row) // count] for k in range(count)]
        chosen += [draw.choice(block) for block in blocks]
    return chosen


def print_matrix(matrix, good, total):
    width = max(len(expected) for expected, _ in matrix)
    for (expected, fmt), named in sorted(matrix.items()):
        row = ", ".join(f"{name} {count}" for name, count in named.most_common())
        print(f"{expected:<{width}}  {fmt:<8}  "
              f"{good[expected, fmt]:>4} of {total[expected, fmt]:<4}  {row}")


def main():
    arguments = argparse.ArgumentParser()
    arguments.add_argument("tool")
    arguments.add_argument("--brief", action="store_true", help="totals and failures alone")
    arguments.add_argument("--only", default="", help="cases with this in their name")
    arguments.add_argument("--list", type=int, default=20, help="failures to list")
    arguments.add_argument("--thin", type=int, default=0, help="so many cases a row at most")
    given = arguments.parse_args()
    matrix = collections.defaultdict(collections.Counter)
    good, total, wrong = collections.Counter(), collections.Counter(), []
    with tempfile.TemporaryDirectory() as folder:
        inject.main(folder)
        with open(os.path.join(folder, "cases.json")) as file:
            cases = [case for case in json.load(file) if given.only in case["name"]]
        if given.thin:
            cases = thinned(cases, given.thin)
        with ThreadPoolExecutor(os.cpu_count()) as pool:
            for case, diagnosis, code in pool.map(lambda c: judge(given.tool, folder, c), cases):
                key = " + ".join(case["expect"]) or "(sound)", case["name"].rsplit("-", 1)[1]
                named = " + ".join(each["mistake"] for each in diagnosis)
                matrix[key][named or ("(holds)" if code == 0 else "(nothing fits)")] += 1
                total[key] += 1
                if is_named(case, diagnosis, code):
                    good[key] += 1
                else:
                    wrong.append((case["name"], key[0], named, code,
                                  [each.get("parameters") for each in diagnosis]))
    if not given.brief:
        print_matrix(matrix, good, total)
        print()
    enough = True
    for fmt, least in LEAST.items():
        mine = [key for key in total if key[1] == fmt and key[0] != "(sound)"]
        named, of = sum(good[key] for key in mine), sum(total[key] for key in mine)
        print(f"{fmt}: {named} of {of} named ({named / max(of, 1):.1%}; at least {least:.0%})")
        enough = enough and named >= least * of
    sound = [key for key in total if key[0] == "(sound)"]
    blamed = sum(total[key] - good[key] for key in sound)
    print(f"sound: {blamed} of {sum(total[key] for key in sound)} blamed")
    for each in wrong[:given.list]:
        print("not named:", *each)
    return 0 if enough and not blamed else 1


if __name__ == "__main__":
    sys.exit(main())
