"""The time of each test, measured once and kept in the build."""
import json
import os
import time

from jail import ended
from tests import program_of

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
