"""Dumps that NumPy made, given to compare one by one."""
import itertools
import json
import os
import subprocess
import sys
import tempfile

import numpy as np

from dumps import rng
from rotary import ROUND, rotate


def vectors(fmt, rows, layout="half", first=0, head_dim=None, heads=2):
    """q [1, heads, rows, head_dim], of which the dimensions from `first` on turn by `rows`, cos and sin of each pair."""
    width = 2 * rows[0].shape[1]
    x = np.float32(ROUND[fmt](rng.standard_normal((1, heads, len(rows[0]), head_dim or width)).astype(np.float32)))
    y, lanes = x.copy(), slice(first, first + width)
    y[..., lanes] = [[rotate(head[:, lanes], *rows, layout) for head in x[0]]]
    return {"q": x, "q_rot": np.float32(ROUND[fmt](y.astype(np.float32)))}


def compare(tool, folder, arrays, *flags):
    """The finished process; its JSON is on stdout."""
    file = os.path.join(folder, "x.npz")
    np.savez(file, **arrays)
    return subprocess.run([tool, "compare", file, *flags], capture_output=True, text=True,
                          check=False)


def judge_words(word):
    """Of cases of a name, arrays, flags, and all that the diagnosis says: None is anything without this word."""

    def judge(compare, case):
        name, arrays, flags, want = case
        done = compare(arrays, *flags)
        if done.returncode not in (0, 1):
            return f"{name}: exit {done.returncode}: {done.stderr}"
        found = [one["what"] for one in json.loads(done.stdout)["diagnosis"]]
        is_right = not any(word in what for what in found) if want is None else sorted(found) == sorted(want)
        return "" if is_right else f"{name}: {found}"

    return judge


def run(cases, judge, done):
    """`judge(run, case)` says what is wrong with a case, or nothing; `run(arrays, *flags)` is
    compare. Of $CASES_EVERY cases it takes one. Exits 1 if anything is wrong, or nothing was judged."""
    wrong, count = 0, 0
    with tempfile.TemporaryDirectory() as folder:
        for case in itertools.islice(cases, 0, None, int(os.environ.get("CASES_EVERY", "1"))):
            said = judge(lambda *what: compare(sys.argv[1], folder, *what), case)
            count += 1
            if said:
                wrong += 1
                print(said)
    print(f"{count - wrong} of {count} {done}")
    sys.exit(1 if wrong or not count else 0)
