#!/usr/bin/env python3
"""Compares the tool with that of an earlier commit: every script that takes the tool's path gets shim.py
instead, which runs both. Prints the differences by command. tools/earlier.sh calls this.

usage: earlier.py EARLIER PRESENT [NAME…]    NAME: how names of scripts begin; exit 1 at a difference
"""
import collections
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]
TESTS = ROOT / "tests"
PYTHON = [sys.executable, "-B"]
SHIM = """#!/usr/bin/python3 -SE
import sys
sys.path.insert(0, {!r})
sys.dont_write_bytecode = True
import shim
shim.main{!r}
"""
# Leaves out tables of cases about pipes and streams, and cases that the shim's process would disturb or
# that run several commands at once in one folder.
NOT_TWICE = "ulimit|kill|urandom|[^&>]&( |$)"
RUN_CASES = f"""grep -vE '{NOT_TWICE}' "$1" >"$TMPDIR/table"; exec "$2" "$3" "$TMPDIR/table\""""
CASES = ("audit", "bad_input", "base_bound", "baseline", "dumps", "explain", "export", "good_input", "suite", "sweep")
SLOW = {"diagnosis-pairs": 3, "diagnosis-positions": 3}  # modules with slow dumps: one case in N


def scripts():
    """The command of each script; {} stands for the tool."""
    table = {"matrix": [*PYTHON, TESTS / "diagnosis/matrix.py", "{}", "--brief", "--thin", "16"],
             "random": [*PYTHON, TESTS / "diagnosis/random/judge.py", "--tool", "{}", "--seed", "1", "--cases", "100",
                        "--sound", "30", "--several-axes", "50", "--list", "0"]}
    for path in sorted((TESTS / "diagnosis").glob("*.py")):
        if "\ndef cases(" in (text := path.read_text()):
            table[f"diagnosis-{path.stem}"] = [*PYTHON, *([path, "{}"] if text.startswith("#!") else [
                TESTS / "diagnosis/compared.py", "{}", path.stem])]
    for name in ("real_configs", "changed_keys"):
        table[f"configs-{name}"] = [*PYTHON, TESTS / f"configs/{name}.py", "{}", TESTS / "golden/configs/real.jsonl"]
    for name in CASES:
        table[f"cases-{name}"] = ["bash", "-c", RUN_CASES, "-", TESTS / f"cli/cases/{name}.txt",
                                  TESTS / "cli/run_cases.py", "{}"]
    for part in ("golden", "configs", "models", "commands", "plots", "claims", "bounds"):
        table[f"corpus-{part}"] = [*PYTHON, HERE / "corpus.py", part, "{}", ROOT]
    return table


def run(name, command, folder, scratch, tools):
    """Runs the script with a shim in place of the tool; returns the shim's records."""
    folder, scratch = folder / name, Path(scratch, name)
    scratch.mkdir()
    (folder / "examples").mkdir(parents=True)
    tool = folder / "rope-check"
    tool.write_text(SHIM.format(str(HERE), (*map(str, tools), str(folder), str(scratch))))
    tool.chmod(0o755)
    environment = {key: value for key, value in os.environ.items() if not key.startswith("ROPE_CHECK_")}
    with open(folder / "log", "wb") as log:
        subprocess.run([str(tool) if word == "{}" else str(word) for word in command], cwd=ROOT, check=False,
                       stdin=subprocess.DEVNULL, stdout=log, stderr=log,
                       env={**environment, "TMPDIR": str(scratch), "CASES_EVERY": str(SLOW.get(name, 1))})
    noted = (folder / "runs").read_text().splitlines() if (folder / "runs").exists() else []
    print(f"{name}: {len(noted)} commands" + ("" if noted else f": see {folder / 'log'}"), flush=True)
    return [json.loads(line) for line in noted]


def print_differences(runs):
    """Prints each set of differences with the same command, part and first lines (ignoring numbers) once."""
    groups = collections.defaultdict(list)
    for one in runs:
        for part, earlier, present in one["found"]:
            key = (one["words"][:1], part, *(re.sub(r"\d[\d.,e+-]*", "N", text) for text in (earlier, present)))
            groups[json.dumps(key)].append((one, earlier, present))
    for key, found in sorted(groups.items(), key=lambda group: -len(group[1])):
        one, earlier, present = max(found, key=lambda each: each[0]["case"] != "")
        print(f"\n{len(found)} times {json.loads(key)[1]} of rope-check {' '.join(one['words'])[:150]} {one['case']}"
              f"\n  - {earlier}\n  + {present}")
    return len(groups)


def main(earlier, present, *names):
    table = {name: command for name, command in scripts().items() if not names or name.startswith(names)}
    folder = ROOT / "build/earlier/run"
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    tools = [shutil.copy(tool, folder / name) for name, tool in (("earlier", earlier), ("present", present))]
    with tempfile.TemporaryDirectory(prefix="earlier-") as scratch, ThreadPoolExecutor(os.cpu_count()) as pool:
        found = list(pool.map(lambda one: run(*one, folder, scratch, tools), table.items()))
    count = print_differences([one for runs in found for one in runs])
    print(f"\n{count} kinds of differences, {sum(map(len, found))} commands")
    return 1 if count or not all(found) else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
