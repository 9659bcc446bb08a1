"""The tests that CTest knows, how long each takes, and those that notice a change. A program made from a changed
source may do anything to files and processes, so it runs in a jail."""
import json
import os
import re
import subprocess
import time
from dataclasses import dataclass
from pathlib import Path

# with its own processes and /tmp, and no other writable folder
JAIL = ["bwrap", "--dev-bind", "/", "/", "--remount-ro", "/", "--tmpfs", "/tmp", "--proc", "/proc",
        "--unshare-pid", "--die-with-parent"]
GIBIBYTE = 2 ** 30


@dataclass(frozen=True)
class Ended:
    code: int | None  # None after the time limit
    seconds: float
    output: str


def limits(cpu_seconds):
    """Limits for each process."""
    return ["prlimit", f"--cpu={cpu_seconds}", f"--as={8 * GIBIBYTE}", f"--fsize={GIBIBYTE}",
            "--core=0"]


def ended(words, seconds, folder, environment=()):
    """The result of a test that may use so many processor seconds, and ten times as many seconds of wall time."""
    begin = time.monotonic()
    variables = [word for name, value in {**dict(environment), "TMPDIR": "/tmp"}.items()
                 for word in ("--setenv", name, str(value))]
    with subprocess.Popen([*limits(int(seconds) + 1), *JAIL, *variables, "--",
                           *map(str, words)], cwd=folder, stdin=subprocess.DEVNULL, text=True,
                          stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
                          errors="replace") as child:
        try:
            output = child.communicate(timeout=10 * seconds + 10)[0]
            code = child.returncode
        except subprocess.TimeoutExpired:
            child.kill()
            output, code = child.communicate()[0], None
    return Ended(code, time.monotonic() - begin, output)


FILTER = "--gtest_filter="
FAILED = re.compile(r"^\[  FAILED  \] (\S+)", re.M)


@dataclass(frozen=True)
class Test:
    name: str
    command: tuple
    environment: dict
    folder: Path
    sound_codes: tuple  # exit codes for success and for a skipped test


def tests_of(build, pattern):
    text = subprocess.run(["ctest", "--test-dir", build, "--show-only=json-v1"],
                          capture_output=True, text=True, check=True).stdout
    found = []
    for one in json.loads(text)["tests"]:
        about = {each["name"]: each["value"] for each in one["properties"]}
        if re.search(pattern, one["name"]) and Path(one.get("command", ["?"])[0]).exists():
            found.append(Test(one["name"], tuple(one["command"]),
                              dict(each.split("=", 1) for each in about.get("ENVIRONMENT", ())),
                              Path(about["WORKING_DIRECTORY"]),
                              (0, about.get("SKIP_RETURN_CODE", 0))))
    return found


def program_of(test):
    """The program whose cases CTest knows; None for other tests."""
    return test.command[0] if any(word.startswith(FILTER) for word in test.command) else None


@dataclass
class Batch:
    """Several cases of one program, or one test."""
    tests: list
    seconds: float

    def command(self):
        filters = ":".join(word.removeprefix(FILTER) for one in self.tests for word in one.command
                           if word.startswith(FILTER))
        first = self.tests[0].command
        return [first[0], FILTER + filters, "--gtest_fail_fast"] if filters else list(first)

    def run(self, libraries):
        """The name of a failing case, or "" if all pass."""
        first = self.tests[0]
        environment = {**first.environment, **libraries}
        end = ended(self.command(), 10 + 5 * self.seconds, first.folder, environment)
        if end.code in first.sound_codes:
            return ""
        case = FAILED.search(end.output)
        return case[1] if case else first.name if end.code is not None else f"{first.name} (time)"


def batches_of(tests, seconds):
    """Batches of cases from the same program, of about 1, 2, 4… seconds, the quickest first."""
    found, last = [], {}
    for one in sorted((one for one in tests if one.name in seconds), key=lambda test: seconds[test.name]):
        program = program_of(one)
        batch, most = last.get(program, (None, 0.5))
        if not program or not batch or batch.seconds + seconds[one.name] > most:
            batch, most = Batch([], 0.05), 2 * most
            found.append(batch)
            last[program] = batch, most
        batch.tests.append(one)
        batch.seconds += seconds[one.name]
    return sorted(found, key=lambda batch: batch.seconds)


LONGEST = 60  # processor seconds; slower tests and programs are left out


class Times:
    """Seconds of the tests that pass, by name. A test is measured again if its program is newer; the cases of one
    program are measured together and share its time."""

    def __init__(self, build, tests):
        kept = build / "mutation/times.json"
        kept.parent.mkdir(exist_ok=True)
        known = json.loads(kept.read_text()) if kept.exists() else {}
        programs = {}
        for one in tests:
            if one.name not in known or known[one.name]["at"] < os.path.getmtime(one.command[0]):
                programs.setdefault(program_of(one) or one.name, []).append(one)
        for number, (program, cases) in enumerate(programs.items()):
            print(f"measuring {number + 1} of {len(programs)}: {os.path.basename(program)}", flush=True)
            at, first = time.time(), cases[0]
            end = ended((program,) if program_of(first) else first.command, LONGEST, first.folder, first.environment)
            for one in cases:
                known[one.name] = {"at": at, "seconds": end.seconds / len(cases), "holds": end.code in one.sound_codes}
            kept.write_text(json.dumps(known))
        self.seconds = {one.name: known[one.name]["seconds"] for one in tests if known[one.name]["holds"]}
        left = [one.name for one in tests if one.name not in self.seconds]
        print(f"{len(left)} tests fail or are slow when measured: {', '.join(left[:10])}")
