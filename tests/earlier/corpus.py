#!/usr/bin/env python3
"""Commands in addition to the other scripts, on golden files, configs, models, figures, claims and bounds.

usage: corpus.py PART TOOL ROOT    runs each command in a new folder under TMPDIR
"""
import itertools
import json
import os
import re
import shlex
import struct
import subprocess
import sys
import tempfile
from pathlib import Path

PART, TOOL, ROOT = sys.argv[1], sys.argv[2], Path(sys.argv[3])
GOLDEN = ROOT / "tests/golden"
FIGURES = "-o x.csv -o x.svg"


class Runs:
    """Runs each command in a new folder with links to these files."""
    def __init__(self):
        self.count = 0

    def __call__(self, command, *files):
        words = shlex.split(command) if isinstance(command, str) else command
        folder = Path(f"{self.count}").absolute()
        self.count += 1
        folder.mkdir()
        for file in files:
            os.symlink(file, folder / file.name)
        done = subprocess.run([TOOL, *words], cwd=folder, stdin=subprocess.DEVNULL, capture_output=True,
                              env={"PATH": os.environ["PATH"]}, check=False)
        for path in sorted(folder.rglob("*"), reverse=True):
            path.rmdir() if path.is_dir() and not path.is_symlink() else path.unlink()
        folder.rmdir()
        return done.stdout


run = Runs()


def models():
    table = json.loads(subprocess.run([TOOL, "list", "models", "--format", "json"], capture_output=True, check=True).stdout)
    return sorted({model["name"] for model in table["models"]})


def inputs(make, *words):
    """Makes a folder once."""
    folder = Path("inputs").absolute()
    folder.mkdir()
    here = os.getcwd()
    os.chdir(folder)
    make(*words)
    os.chdir(here)
    return sorted(folder.iterdir())


def recorded_cases():
    for path in sorted(GOLDEN.glob("*/cases.json")):
        for case in json.loads(path.read_text())["cases"]:
            yield path.parent, case


def golden():
    """Compares each dump without a config, with its config, with both layouts and with a wrong base."""
    configs = {}
    for folder, case in recorded_cases():
        if config := case.get("config") or (case.get("params") or {}).get("config"):
            configs[folder / case["id"]] = config
            Path(f"{case['id']}.json").write_text(json.dumps(config))
        if "inv_freq_f32_hex" in case:
            data = b"".join(struct.pack("<I", int(word, 16)) for word in case["inv_freq_f32_hex"])
            header = f"{{'descr': '<f4', 'fortran_order': False, 'shape': ({len(data) // 4},), }}".ljust(117) + "\n"
            file, config = Path(f"{case['id']}.npy").absolute(), Path(f"{case['id']}.json").absolute()
            file.write_bytes(b"\x93NUMPY\x01\x00" + struct.pack("<H", len(header)) + header.encode() + data)
            length = f"--rope seq_len={case['seq_len']}" if case["seq_len"] else ""
            for words in (f"--config {config.name} {length}", "", f"--config {config.name} --base 12345"):
                run(f"compare inv_freq={file.name} {words} --context 512", file, config)
    for file in sorted(path for path in GOLDEN.rglob("*") if path.suffix in (".npz", ".npy", ".safetensors")):
        stem = file.with_suffix("") if file.suffix != ".npy" else file.with_suffix("").with_suffix("")
        files, specs = [file], []
        if (config := Path(f"{stem.name}.json").absolute()).exists() and stem in configs:
            files.append(config)
            specs += [f"--config {config.name}", f"--config {config.name} --layout interleaved",
                      f"--config {config.name} --base 54321"]
        if dim := re.search(r"_d(\d+)", stem.name):
            base = re.search(r"_b(\d+)(?:e(\d+))?", stem.name)
            value = f"--base {base[1]}{'e' + base[2] if base[2] else ''}" if base else ""
            specs += [f"--dim {dim[1]} {value} --layout {layout}" for layout in ("half", "interleaved")]
            specs += [f"--dim {dim[1]} --base 54321", f"--dim {dim[1]} --rotary-dim 16 {value}"]
        name = f"q_rot={file.name} q={file.name.replace('q_rot', 'q')}" if ".q_rot." in file.name else file.name
        if name != file.name:
            files.append(file.with_name(file.name.replace("q_rot", "q")))
        for spec in ["", *specs]:
            run(f"compare {name} {spec}", *files)
        for spec in specs[:2]:
            run(f"compare {name} {spec} --format text -v", *files)
            run(f"compare {name} {spec} --table", *files)
            run(f"compare {name} {spec} {FIGURES}", *files)


def configs():
    files = sorted([*(GOLDEN / "configs").glob("*.json"), *(ROOT / "tests/cli/files").glob("*.json"),
                    *(ROOT / "tests/cli/files").glob("*.gguf")])
    for number, line in enumerate((GOLDEN / "configs/real.jsonl").read_text().splitlines()):
        files.append(Path(f"real{number}.json").absolute())
        files[-1].write_text(json.dumps(json.loads(line)["config"]))
    for file in files:
        run(f"explain --config {file.name} --format json", file)
        run(f"explain --config {file.name} --reading all --format json", file)
        run(f"explain --config {file.name} --format text -v", file)
        run(f"export --config {file.name} --positions 0:4,100 -o x.json", file)
    known = sorted((GOLDEN / "configs").glob("*.json"))
    for file, other in itertools.combinations(known, 2):
        run(f"diff {file.name} {other.name} --format json", file, other)


def of_models():
    readings = re.findall(rb'"reading": "([^"]+)"', run("list readings --format json"))
    for model in models():
        run(f"explain --model {model} --reading all")
        run(f"explain --model {model} --format text -v")
        run(f"verify --model {model} --context 64")
        run(f"export --model {model} --positions 0:16 -o x.npz -o x.safetensors")
        for reading in readings:
            run(f"explain --model {model} --reading {reading.decode()}")
    for layout in "duplicated repeated half cos-sin sin-cos stacked complex angles ggml matrices".split():
        for dtype in "float64 float32 bfloat16 float16".split():
            run(f"export --dim 32 --positions 0:20 --cache-layout {layout} --dtype {dtype} -o x.npz -o x.safetensors")


def commands():
    """The commands of tests/cli/bytes."""
    sys.path.insert(0, str(ROOT / "tests/cli/bytes"))
    from inputs import commands as recorded, prepare
    files = inputs(prepare, [TOOL])
    for command in recorded():
        run(command, *files)


def plots():
    for number, model in enumerate(models()):
        run(f"explain --model {model} {FIGURES}")
        run(f"plot-decay --model {model} --distance 300 {FIGURES}")
        run(f"plot-angles --model {model} --distance 300 {FIGURES}")
        if number % 3 == 0:
            run(f"verify --model {model} --context 500 {FIGURES}")
            run(f"plot-scores --model {model} --context 500 {FIGURES}")
        if number % 6 == 0:
            run(f"verify --model {model} --context 64 -o x.html")
            run(f"explain --model {model} -o x.html")
    run(f"plot-decay --overlay --no-scaled --base 10000 --base 500000 --distance 300 {FIGURES}")
    run(f"explain --rope rope_type=ntk,factor=4 --rope rope_type=ntk,factor=8 {FIGURES}")
    for dim, context in ((8, 64), (32, 300), (64, 128), (128, 512)):
        run(f"base-bound --dim {dim} --context {context} {FIGURES}")
    for pipeline in "hf-fp32 exact ggml bf16-table fp16-table vllm-bf16-cache bf16-angles bf16-positions tf32".split():
        run(f"verify --dim 64 --context 2000 --pipeline {pipeline} {FIGURES}")


def claims():
    listed = json.loads(run("claims --format json"))["claims"]
    for claim in listed:
        run(f"claims {claim['id']} --format json")
    run("claims all --format text -v")
    run("claims all --format markdown")


def bounds():
    """The bounds of tests/rope/base_bound_test.cpp that take at most seconds."""
    for context in (1000, 1024, 2000, 2048, 4000, 4096, 8000, 8192, 64000, 131072, 1048576):
        run(f"base-bound --dim 128 --context {context} --search-to 1")
    for context in (1000, 2000, 4000, 8000):
        run(f"base-bound --dim 128 --context {context} --format text -v")
    for dim in range(2, 66, 2):
        for context in (10, 64, 500):
            run(f"base-bound --dim {dim} --context {context}")
    for dim in (2, 4, 6, 8, 10, 16, 32, 48, 64):
        for context in (1024, 4096):
            run(f"base-bound --dim {dim} --context {context}")
    for dim, rotary, context in ((16, 16, 30), (32, 32, 40), (32, 24, 40), (10, 6, 25), (56, 46, 173), (128, 64, 5000)):
        run(f"base-bound --dim {dim} --rotary-dim {rotary} --context {context}")
    for dim, context in ((4, 1000), (8, 100000), (128, 4096)):
        run(f"base-bound --dim {dim} --context {context} --digits 6 --search-to 1")
    for context in (60, 62, 63, 65, 256, 1000, 2048):
        run(f"base-bound --dim 8 --context {context}")
    run("base-bound --dim 128 --context 4096 --base 2.7e4")
    for model in models():
        run(f"base-bound --model {model} --context 4096 --base 1e4")


PARTS = {"golden": golden, "configs": configs, "models": of_models, "commands": commands, "plots": plots,
         "claims": claims, "bounds": bounds}
if __name__ == "__main__":
    os.chdir(tempfile.gettempdir())
    PARTS[PART]()
    print(f"{run.count} commands")
