"""Dumps that NumPy made, given to compare one by one."""
import os
import subprocess
import sys
import tempfile

import numpy as np


def compare(tool, folder, arrays, *flags):
    """The finished process; its JSON is on stdout."""
    file = os.path.join(folder, "x.npz")
    np.savez(file, **arrays)
    return subprocess.run([tool, "compare", file, *flags], capture_output=True, text=True,
                          check=False)


def run(cases, judge, done):
    """`judge(run, case)` says what is wrong with a case, or nothing; `run(arrays, *flags)` is
    compare. Exits 1 if anything is, or nothing was judged."""
    wrong, count = 0, 0
    with tempfile.TemporaryDirectory() as folder:
        for case in cases:
            said = judge(lambda *what: compare(sys.argv[1], folder, *what), case)
            count += 1
            if said:
                wrong += 1
                print(said)
    print(f"{count - wrong} of {count} {done}")
    sys.exit(1 if wrong or not count else 0)
