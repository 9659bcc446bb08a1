#!/usr/bin/env python3
"""Compares dumps with one or two known mistakes, made with NumPy, and counts how each is named.

matrix.py ROPE-CHECK [--brief] [--only TEXT] [--thin N] [--list N]: the confusion matrix, expected × named, with
a row for each mistake and storage format. A mistake is named if it, or a name with the same numbers, comes first;
a dump with several mistakes needs all names. Exit 1 if fewer than 95 % are named in float32 or
85 % in bfloat16 or float16, or if a correct dump fails.
"""
import argparse
import collections
import json
import math
import random
import sys

import combined
import compared
import single
from dumps import Dumps

LEAST = {"float32": 0.95, "bfloat16": 0.85, "float16": 0.85}


def names_of(explanation):
    """The mistake, equivalent names, and names that fit the data as well."""
    others = explanation["equivalent"] + explanation["also_fits"]
    return {explanation["mistake"]} | {name.split()[0] for name in others}


def all_cases():
    dumps = Dumps()
    for d in (64, 96, 128):
        for group in (single.sound, single.layouts, single.bases, single.scalings, single.lists, single.widths,
                      single.positions, single.precisions, single.mixed, single.several, combined.together):
            group(dumps, d)
    return dumps.cases


def has_parameters(explanation, expected, parameters, tolerance):
    own = explanation["parameters"]
    return explanation["mistake"] != expected or all(
        own.get(key) == value if isinstance(value, str) else abs(own.get(key, math.nan) - value) <= tolerance * abs(value)
        for key, value in parameters.items())


def is_named(expected, parameters, tolerance, diagnosis, code):
    if not expected:
        return code == 0 and not diagnosis
    if len(expected) == 1:
        return bool(diagnosis) and expected[0] in names_of(diagnosis[0]) and has_parameters(
            diagnosis[0], expected[0], parameters, tolerance)
    found = set().union(*(names_of(each) for each in diagnosis)) if diagnosis else set()
    return set(expected) <= found


def thinned(cases, most):
    """At most so many of each row of the matrix, spread over all head sizes and parameters."""
    rows = collections.defaultdict(list)
    for case in cases:
        rows[" ".join(case[2]), case[0].rsplit("-", 1)[1]].append(case)
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
    cases = [case for case in all_cases() if given.only in case[0]]
    cases = thinned(cases, given.thin) if given.thin else cases

    def judge(compare, case):
        name, words, expected, parameters, make = case
        done = compare(make(), *words)
        diagnosis = json.loads(done.stdout).get("diagnosis", []) if done.returncode in (0, 1) else [
            {"mistake": done.stderr.strip(), "equivalent": [], "also_fits": []}]
        outcomes.append((name, expected, parameters, diagnosis, done.returncode))

    outcomes = []
    compared.run(given.tool, ((judge, case) for case in cases))
    for name, expected, parameters, diagnosis, code in outcomes:
        key = " + ".join(expected) or "(sound)", name.rsplit("-", 1)[1]
        named = " + ".join(each["mistake"] for each in diagnosis)
        matrix[key][named or ("(holds)" if code == 0 else "(nothing fits)")] += 1
        total[key] += 1
        if is_named(expected, parameters, 2e-3 if "float32" in name else 5e-2, diagnosis, code):
            good[key] += 1
        else:
            wrong.append((name, key[0], named, code, [each.get("parameters") for each in diagnosis]))
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
