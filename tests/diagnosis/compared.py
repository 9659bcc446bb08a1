#!/usr/bin/env python3
"""Judges dumps that NumPy made, each with a fault or as its correct twin: what compare must say of them.

usage: compared.py ROPE_CHECK MODULE…    prints each dump that is reported otherwise; exit 1 if any.
Of $CASES_EVERY dumps of a module it takes one.
"""
import collections
import importlib
import itertools
import json
import os
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor

import numpy as np

import rotary

THREADS = os.cpu_count()


class Case:
    """`want`: every mistake that is named, each as its id, its id and all parameters, its sentence, or a pair of the id
    and some of the parameters or the beginning of the sentence; of each subject where it is a dict; None is any.
    `code`: the exit code, if not 0 for none and 1 for some. `says`, `never`: in what is said of the dump, or in the error.
    `check`: of the report, says what is wrong with it, or nothing."""

    def __init__(self, name, arrays, words, want=None, code=None, says="", never="", check=None):
        self.name, self.words, self.want, self.code, self.check = name, words, want, code, check
        self.arrays = {key: np.array(value) for key, value in arrays.items()}  # which the next case may change
        self.says, self.never = ([text] if isinstance(text, str) else list(text) for text in (says, never))


def told(one):
    return " ".join([one["mistake"], *(f"{key}={value:.6g}" if isinstance(value, (int, float)) else f"{key}={value}"
                                       for key, value in one["parameters"].items())])


def is_named(one, want):
    if isinstance(want, str):
        return want in (one["what"], told(one), one["mistake"])
    mistake, rest = want
    return mistake == one["mistake"] and (one["what"].startswith(rest) if isinstance(rest, str)
                                          else rest.items() <= one["parameters"].items())


def are_named(found, wanted):
    """One mistake for each that is wanted, in any order."""
    return len(found) == len(wanted) and any(
        all(map(is_named, order, wanted)) for order in itertools.permutations(found))


def judge(compare, case):
    """What is wrong with the report of a case, or nothing."""
    done = compare(case.arrays, *case.words)
    want, code, text = case.want, case.code, done.stderr
    if code is None and want is not None:
        code = 1 if (any(want.values()) if isinstance(want, dict) else want) else 0
    if done.returncode not in ((0, 1) if code is None else code if isinstance(code, tuple) else (code,)):
        return f"exit {done.returncode}: {done.stderr or done.stdout[-600:]}"
    if done.returncode == 2 and done.stderr.count("\n") != 1:
        return done.stderr
    if "text" in case.words:
        text = done.stdout
    elif done.returncode < 2:
        whole = json.loads(done.stdout)
        reports = whole.get("reports", [whole])
        found = [one for report in reports for one in report["diagnosis"]]
        text = json.dumps([found, [report.get("facts", []) for report in reports]], ensure_ascii=False)
        text = done.stdout if done.returncode == 0 else text
        if isinstance(want, dict):
            of_each = {one["subject"].get("layers", "q"): one["diagnosis"] for one in reports}
            right = of_each.keys() == want.keys() and all(are_named(of_each[name], want[name]) for name in want)
        else:
            right = want is None or are_named(found, want)
        if not right:
            return f"named {[f'{told(one)}: ' + one['what'] for one in found]}, want {want}"
        if case.check and (said := case.check(whole)):
            return said
    wrong = [one for one in case.says if one not in text] + [f"never {one}" for one in case.never if one and one in text]
    return f"{wrong}: {text[:900]}" if wrong else ""


def compare(tool, folder, arrays, *flags):
    """The finished process; its JSON is on stdout. A dict in the flags is a config, which is written to a file."""
    with tempfile.NamedTemporaryFile(dir=folder, suffix=".npz") as file, \
            tempfile.NamedTemporaryFile("w", dir=folder, suffix=".json") as config:
        np.savez(file, **arrays)
        json.dump(next((one for one in flags if isinstance(one, dict)), {}), config)
        file.flush()
        config.flush()
        words = [config.name if isinstance(one, dict) else one for one in flags]
        return subprocess.run([tool, "compare", file.name, *words], capture_output=True, text=True, check=False)


def run(tool, cases):
    """`cases`: pairs of a judge and a case. The number of them, and of those that are wrong, which it prints."""
    count = wrong = 0
    cases = iter(cases)
    with tempfile.TemporaryDirectory() as folder, ThreadPoolExecutor(THREADS) as pool:
        while some := list(itertools.islice(cases, 32)):
            for (_, case), said in zip(some, pool.map(
                    lambda one: one[0](lambda *what: compare(tool, folder, *what), one[1]), some)):
                count += 1
                if said:
                    wrong += 1
                    print(f"{getattr(case, 'name', case)}: {said}", flush=True)
    return count, wrong


def main(tool, *names):
    counts = collections.Counter()
    for name in names:
        module = importlib.import_module(name)
        own = getattr(module, "judge", judge)
        rotary.rng.bit_generator.state = np.random.default_rng(7).bit_generator.state  # whatever ran before
        cases = itertools.islice(module.cases(), 0, None, int(os.environ.get("CASES_EVERY", "1")))
        count, wrong = run(tool, ((own, case) for case in cases))
        counts.update(all=count, wrong=wrong)
        print(f"{name}: {count - wrong} of {count} are reported as they must be")
        counts["empty"] += not count
    return 1 if counts["wrong"] or counts["empty"] else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
