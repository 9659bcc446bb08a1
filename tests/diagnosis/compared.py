#!/usr/bin/env python3
"""Compares dumps made with NumPy, each with a fault or a correct twin, and checks the reports of compare.

usage: compared.py ROPE_CHECK MODULE…    prints each dump with an unexpected report; exit 1 if there is one.
CASES_EVERY=N tests one dump in N, chosen by fixed random numbers.
"""
import collections
import contextlib
import importlib
import itertools
import json
import os
import random
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor

import numpy as np

import rotary

THREADS = os.cpu_count()


class Case:
    """`want`: all mistakes that the report must name, in any order; None accepts any. Each is an id, an id with all
    parameters, a sentence, or a pair of the id and some parameters or the beginning of the sentence. A dict gives the
    mistakes of each subject. `code`: the exit code; by default 1 if mistakes are wanted, else 0. `expects`,
    `excludes`: texts that the diagnosis and facts, or the error, must or must not contain. `check` returns a report's fault."""

    def __init__(self, name, arrays, words, want=None, code=None, expects="", excludes="", check=None):
        self.name, self.words, self.want, self.code, self.check = name, words, want, code, check
        self.arrays = {key: np.array(value) for key, value in arrays.items()}  # the next case may change them
        self.expects, self.excludes = ([text] if isinstance(text, str) else list(text) for text in (expects, excludes))


def full_name(one):
    return " ".join([one["mistake"], *(f"{key}={value:.6g}" if isinstance(value, (int, float)) else f"{key}={value}"
                                       for key, value in one["parameters"].items())])


def is_named(one, want):
    if isinstance(want, str):
        return want in (one["what"], full_name(one), one["mistake"])
    mistake, rest = want
    return mistake == one["mistake"] and (one["what"].startswith(rest) if isinstance(rest, str)
                                          else rest.items() <= one["parameters"].items())


def are_named(found, wanted):
    """Whether the mistakes found match those wanted one to one, in any order."""
    return len(found) == len(wanted) and any(
        all(map(is_named, order, wanted)) for order in itertools.permutations(found))


def judge(compare, case):
    """The difference between the report and the case, or ""."""
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
            return f"named {[f'{full_name(one)}: ' + one['what'] for one in found]}, want {want}"
        if case.check and (fault := case.check(whole)):
            return fault
    wrong = [one for one in case.expects if one not in text] + [f"excluded: {one}" for one in case.excludes if one and one in text]
    return f"{wrong}: {text[:900]}" if wrong else ""


def compare(tool, folder, arrays, *flags):
    """The finished process, with JSON on stdout. A dict among the flags is a config or a dump, which is written to a file."""
    with contextlib.ExitStack() as files:
        def written(what):
            is_dump = all(isinstance(value, np.ndarray) for value in what.values())
            file = files.enter_context(tempfile.NamedTemporaryFile(dir=folder, suffix=".npz" if is_dump else ".json"))
            np.savez(file, **what) if is_dump else file.write(json.dumps(what).encode())
            file.flush()
            return file.name
        words = [written(one) if isinstance(one, dict) else one for one in (arrays, *flags)]
        return subprocess.run([tool, "compare", *words], capture_output=True, text=True, check=False)


def run(tool, cases):
    """`cases`: pairs of a judge and a case. Prints each failure; returns the number of cases and of failures."""
    count = wrong = 0
    cases = iter(cases)
    with tempfile.TemporaryDirectory() as folder, ThreadPoolExecutor(THREADS) as pool:
        while some := list(itertools.islice(cases, 32)):
            for (_, case), fault in zip(some, pool.map(
                    lambda one: one[0](lambda *what: compare(tool, folder, *what), one[1]), some)):
                count += 1
                if fault:
                    wrong += 1
                    print(f"{getattr(case, 'name', case)}: {fault}", flush=True)
    return count, wrong


def main(tool, *names):
    counts = collections.Counter()
    for name in names:
        module = importlib.import_module(name)
        own = getattr(module, "judge", judge)
        # the same random numbers after any other module
        rotary.rng.bit_generator.state = np.random.default_rng(7).bit_generator.state
        every, chance = int(os.environ.get("CASES_EVERY", "1")), random.Random(7)
        cases = (case for case in module.cases() if chance.randrange(every) == 0)
        count, wrong = run(tool, ((own, case) for case in cases))
        counts.update(all=count, wrong=wrong)
        print(f"{name}: {count - wrong} of {count} are reported as they must be")
        counts["empty"] += not count
    return 1 if counts["wrong"] or counts["empty"] else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
