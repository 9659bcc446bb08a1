"""The tests that CTest knows, and those that notice a change."""
import json
import re
import subprocess
from dataclasses import dataclass
from pathlib import Path

from jail import ended

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
