#!/usr/bin/env python3
"""Compares the present tool with the frozen one: every script that takes the tool's path is given shim.py
instead, which runs both. Prints what differs by kind. Exit 1 at a difference that accepted.md does not list.
tools/frozen.sh calls this.

usage: frozen.py --against FROZEN --present TOOL [--seed N] [--thin N] [--only A,B] [--list]
"""
import argparse
import collections
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

sys.dont_write_bytecode = True
from differences import KINDS  # noqa: E402

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]
TESTS = ROOT / "tests"
PYTHON = [sys.executable, "-B"]
LEAST_DUMPS = 5000
SHIM = """#!/usr/bin/python3 -SE
import sys
sys.path.insert(0, {here!r})
sys.pycache_prefix = {cache!r}
import shim
shim.main{settings!r}
"""
# Tables of cases; those about pipes and streams are left out, and cases that the shim's own process would disturb or
# that run several commands in one folder at once.
NOT_TWICE = "ulimit|kill|urandom|[^&>]&( |$)"
RUN_CASES = f"""grep -vE '{NOT_TWICE}' "$1" >"$TMPDIR/table"; exec "$2" "$3" "$TMPDIR/table\""""
# Scripts whose dumps take seconds each: one case in so many.
SLOW = {"diagnosis-pairs": 3, "diagnosis-positions": 3}
CASES = ("audit", "bad_input", "base_bound", "baseline", "dumps", "explain", "export", "good_input",
         "suite", "sweep")


def sources(seed, thin):
    """Of each source: one in how many dumps is compared without a config too (0: none), and the command; {} is the
    tool."""
    table = {"matrix": (10, [*PYTHON, TESTS / "diagnosis/matrix.py", "{}", "--brief", "--thin", str(max(1, 16 // thin))])}
    for part in range(2):
        table[f"random-{part + 1}"] = 2, [
            *PYTHON, TESTS / "diagnosis/random/judge.py", "--tool", "{}", "--seed", str(seed + part), "--cases",
            str(100 // thin), "--sound", str(30 // thin), "--several-axes", str(50 // thin), "--list", "0"]
    for path in sorted((TESTS / "diagnosis").glob("*.py")):
        if "\ndef cases(" in (text := path.read_text()):
            table[f"diagnosis-{path.stem}"] = 12, [*PYTHON, *([path, "{}"] if text.startswith("#!") else [
                TESTS / "diagnosis/compared.py", "{}", path.stem])]
    for name in ("real_configs", "changed_keys"):
        table[f"configs-{name}"] = 0, [*PYTHON, TESTS / f"configs/{name}.py", "{}",
                                           TESTS / "golden/configs/real.jsonl"]
    for name in CASES:
        table[f"cases-{name}"] = 0, ["bash", "-c", RUN_CASES, "-", TESTS / f"cli/cases/{name}.txt",
                                     TESTS / "cli/run_cases.py", "{}"]
    for part in ("golden", "configs", "models", "commands", "plots", "claims", "bounds"):
        table[f"corpus-{part}"] = 0, [*PYTHON, HERE / "corpus.py", part, "{}", ROOT]
    return table


def spec_options(tool):
    """The options of compare that say which rotation is expected."""
    text = subprocess.run([tool, "compare", "--help"], capture_output=True, text=True, check=True).stdout
    named = re.findall(r"(?m)^  (-.*?)(?:   |$)", text[re.search(r"\n(?:SPEC|Config)\b", text).start():])
    return tuple(re.findall(r"--[a-z][\w-]*", " ".join(named)))


class Source:
    def __init__(self, name, identifies, command, run, scratch, tools, options):
        self.name, self.run, self.folder = name, run, run / name
        self.scratch = Path(scratch, name)
        self.scratch.mkdir()
        (self.folder / "examples").mkdir(parents=True)
        self.tool = self.folder / "bin/rope-check"
        self.tool.parent.mkdir()
        settings = (*map(str, tools), str(self.folder), str(self.scratch), options if identifies else (), identifies)
        self.tool.write_text(SHIM.format(here=str(HERE), cache=str(run / "cache"), settings=settings))
        self.tool.chmod(0o755)
        self.words = [str(self.tool) if word == "{}" else str(word) for word in command]
        self.fault = ""

    def start(self):
        begin = time.time()
        environment = {key: value for key, value in os.environ.items() if not key.startswith("ROPE_CHECK_")}
        with open(self.folder / "log", "wb") as log:
            code = subprocess.run(self.words, cwd=ROOT, stdin=subprocess.DEVNULL, stdout=log, stderr=log, check=False,
                                  env={**environment, "TMPDIR": str(self.scratch),
                                       "CASES_EVERY": str(SLOW.get(self.name, 1))}).returncode
        shutil.rmtree(self.scratch, ignore_errors=True)
        self.read()
        text = (self.folder / "log").read_text(errors="replace")
        if not self.runs or "Traceback (most recent call last)" in text:
            self.fault = f"{self.name}: ended early (exit {code}): see {self.folder / 'log'}"
        print(f"{self.name}: {self.runs} runs, {len(self.found)} differ, {time.time() - begin:.0f} s", file=sys.stderr,
              flush=True)

    def read(self):
        """The number of runs, the dumps and the differences."""
        path = self.folder / "runs"
        stamps = [line.partition(" ")[2] for line in path.read_text().splitlines()] if path.exists() else []
        self.runs, self.dumps = len(stamps), {*stamps} - {""}
        path = self.folder / "found"
        self.found = [json.loads(line) for line in path.read_text().splitlines()] if path.exists() else []


def accepted():
    """Pattern and reason of each line `- `PATTERN` reason`."""
    lines = re.findall(r"(?m)^- `(.*?)` (.+)$", (HERE / "accepted.md").read_text())
    return [(re.compile(pattern), reason) for pattern, reason in lines]


def print_differences(sources_):
    """The number of kinds of difference that are not accepted."""
    groups = collections.defaultdict(list)
    for source in sources_:
        for record in source.found:
            for kind, signature, detail in record["found"]:
                groups[kind, signature].append((source.name, record, detail))
    rules = accepted()
    used, open_ones = collections.Counter(), collections.defaultdict(list)
    for (kind, signature), cases in groups.items():
        rule = next((k for k, (pattern, _) in enumerate(rules) if pattern.fullmatch(f"{kind}: {signature}")), None)
        if rule is None:
            open_ones[kind].append((signature, cases))
        else:
            used[rule] += len(cases)
    for kind in KINDS:
        if kind in open_ones:
            print(f"\n{kind}: {len(open_ones[kind])} differences, {sum(len(c) for _, c in open_ones[kind])} times")
        for signature, cases in sorted(open_ones[kind], key=lambda each: -len(each[1])):
            print(f"  {len(cases):>5}  {kind}: {signature}")
            cases.sort(key=lambda case: not case[1]["case"])
            for name, record, detail in cases[:3]:
                print(f"           {name}: rope-check {' '.join(record['words'])[:150]}")
                if detail:
                    print(f"             {detail}")
                if record["case"]:
                    print(f"             {os.path.relpath(record['case'])}")
    for k, (pattern, reason) in enumerate(rules):
        print(f"accepted {used[k]} times: {pattern.pattern}: {reason}" if used[k] else
              f"accepted.md has no use for: {pattern.pattern}")
    return sum(len(each) for each in open_ones.values())


def main():
    arguments = argparse.ArgumentParser(prog="tools/frozen.sh")
    arguments.add_argument("--against", metavar="TOOL", help="instead of the frozen commit's")
    arguments.add_argument("--present", metavar="TOOL", help="instead of the working tree's")
    arguments.add_argument("--seed", type=int, default=int(time.time()) % 10**6, help="of the random dumps")
    arguments.add_argument("--thin", type=int, default=1, help="a part of the injected and random dumps: one in THIN")
    arguments.add_argument("--only", default="", help="sources whose name starts so; several with commas between")
    arguments.add_argument("--list", action="store_true", help="name the sources")
    given = arguments.parse_args()
    table = sources(given.seed, given.thin)
    chosen = [name for name in table if name.startswith(tuple(given.only.split(",")))]
    if given.list or not chosen:
        print("\n".join(f"{name:<34} {' '.join(map(str, table[name][1]))}" for name in table))
        return 0 if given.list else 2
    run = ROOT / "build/frozen/run"
    shutil.rmtree(run, ignore_errors=True)
    (run / "seen").mkdir(parents=True)
    tools = []
    for name in ("against", "present"):  # copies: a build may replace them meanwhile
        tools.append(run / f"tool-{name}")
        shutil.copy(getattr(given, name), tools[-1])
    print(f"seed {given.seed}; {len(chosen)} sources; examples in {os.path.relpath(run)}", flush=True)
    begin = time.time()
    options = spec_options(tools[0])
    with tempfile.TemporaryDirectory(prefix="frozen-") as scratch, ThreadPoolExecutor(os.cpu_count()) as pool:
        every = [Source(name, *table[name], run, scratch, tools, options) for name in chosen]
        list(pool.map(Source.start, every))
    count = print_differences(every)
    dumps = sum(len(source.dumps) for source in every)
    faults = [source.fault for source in every if source.fault]
    if not given.only and given.thin == 1 and dumps < LEAST_DUMPS:
        faults.append(f"{dumps} dumps are fewer than {LEAST_DUMPS}")
    print("\n".join(["", *faults, f"{count} differences that are not accepted, {dumps} dumps, "
                     f"{sum(s.runs for s in every)} runs of both, {time.time() - begin:.0f} s"]))
    return 1 if count or faults else 0


if __name__ == "__main__":
    sys.exit(main())
