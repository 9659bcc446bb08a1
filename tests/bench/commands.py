"""Measures the wall time of whole commands and of their peers in NumPy. Used by ratios.py."""
import itertools
import os
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import numpy as np

here = Path(__file__).parent
sys.path.insert(0, str(here.parent / "diagnosis"))
import compared  # noqa: E402
import real_dumps  # noqa: E402

HEADS, ROWS, DIM = 8, 131072, 128


def seconds(command, rounds):
    """Returns the median wall time of a command. A command that reports a fault exits 1."""
    times = []
    for _ in range(rounds):
        start = time.perf_counter()
        code = subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=False).returncode
        times.append(time.perf_counter() - start)
        if code > 1:
            raise SystemExit(f"exit {code}: {' '.join(command)}")
    return statistics.median(times)


def duration(time_in_seconds):
    return f"{time_in_seconds:.3g} s" if time_in_seconds >= 1 else f"{time_in_seconds * 1e3:.3g} ms"


def ratio(theirs, ours):
    return f"{theirs / ours:.{0 if theirs > 10 * ours else 1}f}×"


def write_vectors(folder):
    """Writes q and q_rot with rope_theta 10000: 1 GiB in float32, and the same in float16."""
    inv_freq = (10000.0 ** (-np.arange(0, DIM, 2) / DIM)).astype(np.float32)
    angle = np.outer(np.arange(ROWS, dtype=np.float32), inv_freq)
    cos, sin, half = np.cos(angle), np.sin(angle), DIM // 2
    rng = np.random.default_rng(1)
    arrays = {name: np.lib.format.open_memmap(folder / f"{name}.npy", "w+", dtype, (HEADS, ROWS, DIM))
              for name, dtype in (("q", "f4"), ("q_rot", "f4"), ("q16", "f2"), ("q16_rot", "f2"))}
    for head in range(HEADS):
        for width in ("", "16"):
            x = rng.standard_normal((ROWS, DIM), np.float32).astype(arrays["q" + width].dtype)
            a, b = x[:, :half].astype("f4"), x[:, half:].astype("f4")
            arrays["q" + width][head] = x
            arrays[f"q{width}_rot"][head] = np.concatenate((a * cos - b * sin, b * cos + a * sin), -1)
    for array in arrays.values():
        array.flush()


def diagnoses(tool, every=7):
    """Returns the processor time of compare for dumps with a fault, in ascending order."""
    times = []
    with tempfile.TemporaryDirectory() as folder:
        for case in itertools.islice(real_dumps.cases(), 0, None, every):
            start = resource.getrusage(resource.RUSAGE_CHILDREN)
            done = compared.compare(tool, folder, case.arrays, *case.words)
            end = resource.getrusage(resource.RUSAGE_CHILDREN)
            if done.returncode == 1:
                times.append(end.ru_utime + end.ru_stime - start.ru_utime - start.ru_stime)
    return sorted(times)


def print_table(tool, rounds):
    peer = [sys.executable, str(here / "peers/compare_numpy.py")]
    verify = [tool, "verify", "--dim", "128"]
    bound = [tool, "base-bound", "--dim", "128", "--context"]
    print("\n| command, two threads | wall time | peer | ratio |\n|---|---|---|---|")

    def row(what, command, rounds=rounds, other=None):
        ours = seconds(command, rounds)
        theirs = seconds(other, 1) if other else None
        compared = f"NumPy: {duration(theirs)} | {ratio(theirs, ours)}" if other else "|"
        print(f"| {what} | {duration(ours)} | {compared} |", flush=True)

    check = [sys.executable, str(here / "peers/check_numpy.py")]
    row("`--version`", [tool, "--version"], 20)
    row("`verify --dim 128`", verify, 20)
    row("`explain llama-3.1-8b`", [tool, "explain", "llama-3.1-8b"], 20)
    row("`verify`, 131,072 positions", [*verify, "--context", "131072"], 20, check)
    row("`verify`, 1,048,576 positions", [*verify, "--context", "1048576"], rounds, [*check, "1048576"])
    for context in (131072, 1048576, 10485760):
        row(f"`base-bound`, {context:,} positions", [*bound, str(context)], 1)
    with tempfile.TemporaryDirectory(dir=os.environ.get("TMPDIR")) as name:
        folder = Path(name)
        write_vectors(folder)
        for width, size in (("", "float32, 1 GiB"), ("16", "float16, 512 MiB")):
            files = [f"q={folder}/q{width}.npy", f"q_rot={folder}/q{width}_rot.npy"]
            compare = [tool, "compare", *files, "--dim", "128"]
            row(f"`compare`, {size}, right", compare, 3, [*peer, name, width])
            row(f"`compare`, {size}, another base", [*compare, "--base", "500000"], 3)
    times = diagnoses(tool)
    print(f"\nprocessor time of {len(times)} diagnoses: median {statistics.median(times):.2f} s, "
          f"longest {times[-1]:.2f} s")
