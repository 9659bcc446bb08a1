#!/usr/bin/env python3
"""Runs every command with its largest inputs; prints processor seconds, and the most memory in addition to the input.

usage: limits.py ROPE_CHECK [COMMAND]    prints a Markdown table; exits 1 if a command takes more than 64 MiB
"""
import os
import subprocess
import sys
import tempfile
from pathlib import Path

MOST = 64
CONFIG = '{"hidden_size": 4096, "num_attention_heads": 32, "note": "%s"}'
BASES = [word for base in range(10000, 10256) for word in ("--base", str(base))]

# the commands that make the input; the command; its input files; the label of the row
CASES = [
    ([], "verify --dim 128 --context 67108864", [], "2²⁶ positions; time is linear, to 2³²"),
    ([], "verify --dim 128 --context 16777216 --pipeline bf16-positions", [],
     "2²⁴ positions, grossly wrong"),
    ([], "verify --dim 16384 --context 65536", [], "the widest head"),
    (["export --dim 128 --positions 0:1048576 --only tables -o table.safetensors"],
     "compare table.safetensors --dim 128", ["table.safetensors"], "cos and sin of 1 GiB"),
    (["export --dim 128 --positions 0:1048576 --only tables -o table.safetensors"],
     "compare table.safetensors --dim 128 --base 500000", ["table.safetensors"],
     "the same, diagnosed"),
    (["export --dim 16384 --positions 0:32 -o wide.npz"],
     "compare wide.npz --dim 16384 --base 500", ["wide.npz"], "the widest head, diagnosed"),
    (["export --dim 128 --positions 0,1000000000,4294967295 --base 500000 -o apart.npz"],
     "compare apart.npz --dim 128", ["apart.npz"], "positions 0, 10⁹ and 2³² − 1"),
    ([], "audit new request --dim 1024 --positions 0:64", [], "x of 260 MiB"),
    (["audit new request --dim 1024 --positions 0:64", "copy request/x.npy request/y.npy"],
     "audit check request --only structure", ["request/y.npy"], "an answer of 260 MiB"),
    ([], "verify --all-models --context 131072", [], "43 rows"),
    ([], "baseline record base.json --dim 128 --context 1048576 --reason limits", [],
     "2²⁰ positions"),
    (["config"], "explain --config config.json -v", ["config.json"], "a config of 16 MiB"),
    ([], "explain --dim 65536 -v", [], "32768 pairs"),
    (["config"], "diff config.json config.json", ["config.json"] * 2, "configs of 16 MiB"),
    ([], "export --dim 128 --positions 0:1048576 --only tables -o x.npz", [],
     "a table of 1 GiB; time is linear, to 2³² positions"),
    ([], "export --dim 128 --positions 0:131072 -o x.safetensors", [],
     "vectors and tables of 0.4 GiB"),
    ([], "export --dim 65536 --positions 0:256 -o x.npz", [], "65536 dimensions"),
    ([], "export --dim 128 --positions 0:32768 -o x.json", [], "25 million numbers as JSON"),
    ([], "base-bound --dim 128 --context 10485760", [], "Llama 4 Scout's context"),
    ([], "base-bound --dim 2048 --context 65536", [], "1024 pairs"),
    ([], "base-bound --dim 128 --context 1048576 -o x.svg", [], "its longest context"),
    ([], "plot-decay --distance 16777216 -o x.svg", [], "its longest distance"),
    ([], "plot-decay --dim 65536 --distance 524288 -o x.svg", [], "2³⁵ cosines, the most"),
    ([], "plot-decay --overlay --every-distance --distance 16777216 -o x.csv", [],
     "a CSV of 16,777,216 lines"),
    ([], ["plot-decay", *BASES, "-o", "x.svg"], [], "256 bases"),
    ([], ["plot-angles", *BASES, "--distance", "65536", "-o", "x.svg"], [], "256 bases"),
    ([], ["explain", *BASES, "-o", "x.csv"], [], "256 bases"),
    ([], "explain --dim 65536 -o x.svg", [], "32768 pairs"),
    ([], "verify --dim 128 --context 1048576 -o x.svg", [], "2²⁰ positions"),
    ([], "verify --dim 16384 --context 65536 -o x.svg", [], "the widest head"),
    ([], "plot-scores --context 699050 -o x.svg", [], "its longest context"),
    ([], "plot-scores --dim 65536 -o x.svg", [], "the widest head"),
    ([], "verify --dim 128 --context 1048576 -o x.html", [], "2²⁰ positions as a page"),
    ([], "verify --dim 16384 --context 65536 --only table-accuracy -o x.html", [], "the widest head"),
    ([], "list models --format json", [], "all"),
]


def words(command):
    return command.split() if isinstance(command, str) else command


def prepare(tool, step):
    if step == "config":
        Path("config.json").write_text(CONFIG % ("x" * (16_000_000)))
    elif step.startswith("copy "):
        # not in this process, whose memory would count as the tool's
        subprocess.run(["cp", *step.split()[1:]], check=True)
    else:
        subprocess.run([tool, *words(step), "-q"] if step.startswith("export")
                       else [tool, *words(step)], check=True, capture_output=True)


def measured(command):
    """Processor seconds and the peak in KiB."""
    with open("out", "wb") as out, open("err", "wb") as err:
        process = subprocess.Popen(command, stdout=out, stderr=err)
        _, status, used = os.wait4(process.pid, 0)
    if os.waitstatus_to_exitcode(status) not in (0, 1):
        sys.exit(f"{' '.join(command)[:200]}: {Path('err').read_text()}")
    return used.ru_utime + used.ru_stime, used.ru_maxrss


def shown(command):
    return " ".join(words(command)) if isinstance(command, str) else f"{command[0]} --base … -o …"


def main(tool, wanted):
    beyond = 0
    print("| command | | processor | memory without the input |\n|---|---|---|---|")
    for steps, command, files, note in CASES:
        if wanted and words(command)[0] != wanted:
            continue
        with tempfile.TemporaryDirectory() as folder:
            os.chdir(folder)
            for step in steps:
                prepare(tool, step)
            inputs = sum(Path(file).stat().st_size for file in files) / 2**20
            seconds, peak = measured([tool, *words(command)])
            os.chdir("/")
        memory = max(peak / 1024 - inputs, 0)
        beyond += memory > MOST
        print(f"| `{shown(command)}` | {note} | {seconds:.2g} s | {memory:.0f} MiB |", flush=True)
    if beyond:
        sys.exit(f"{beyond} of these take more than {MOST} MiB in addition to their input")


if __name__ == "__main__":
    if len(sys.argv) not in (2, 3):
        sys.exit(__doc__)
    main(os.path.abspath(sys.argv[1]), sys.argv[2] if len(sys.argv) == 3 else None)
