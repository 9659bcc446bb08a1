#!/usr/bin/env python3
"""Audits RoPE implementations of other projects; the results are in audits.json and docs/audits.md.

usage: audits.py ROPE_CHECK MODULES [--record]    MODULES: npm's node_modules; exit 1 on any difference
"""
import json
import os
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import page
from configurations import configurations
from sweep import sweep


def judged(tool, suite, configuration):
    done = subprocess.run([tool, "suite", "check", suite, "--format", "json", "--timeout", "200", "--",
                           *configuration.program], capture_output=True, encoding="utf-8",
                          env={**os.environ, **configuration.environment})
    if done.returncode > 1:
        raise RuntimeError(done.stderr)
    return json.loads(done.stdout)


def cell(results, dtype, order):
    answers = [one for case in results["cases"] for one in case["answers"]
               if one["dtype"] == dtype and one["verdict"] != "not_answered"]
    wrong = sum(one["verdict"] == "violated" for one in answers)
    if not answers:
        return ""
    return f"{wrong} of {len(answers)} wrong" if wrong else max((one["arithmetic"] for one in answers), key=order.index)


def audit(tool, suite, configuration):
    results = judged(tool, suite, configuration)
    summary = results["summary"]
    if (summary["violated"] > 0) != bool(configuration.reason):
        raise RuntimeError(f"{summary['violated']} answers are violated where "
                           f"{'some are' if configuration.reason else 'none is'} expected to be")
    order = [one["name"] for one in json.loads((suite / "manifest.json").read_text())["arithmetics"]]
    cells = {dtype: cell(results, dtype, order) for dtype in page.DTYPES}
    with tempfile.TemporaryDirectory() as folder:
        positions = sweep(tool, folder, configuration) if configuration.sweep is not None else None
    return {"implementation": configuration.implementation, "version": configuration.version,
            "configuration": configuration.name, "answers": summary["holds"] + summary["violated"],
            "formats": {dtype: text for dtype, text in cells.items() if text}, "reason": configuration.reason,
            "positions": positions}


def audits(tool, modules):
    """The results of all configurations, and a text for each that could not be audited."""
    record, failed = [], []
    with tempfile.TemporaryDirectory() as folder, ThreadPoolExecutor(min(os.cpu_count(), 4)) as threads:
        suite = Path(folder, "suite")
        subprocess.run([tool, "export", "--suite", suite, "-q"], check=True)
        asked = [(one, threads.submit(audit, tool, suite, one)) for one in configurations(modules)]
        for one, future in asked:
            try:
                record.append(future.result())
            except (RuntimeError, subprocess.SubprocessError) as error:
                failed.append(f"{one.implementation} {one.version}, {one.name}: {error} {getattr(error, 'stderr', '')}")
    return record, failed


def main(tool, modules, *options):
    record, failed = audits(Path(tool).resolve(), Path(modules).resolve())
    print(page.page(record), end="")
    if failed:
        sys.exit("\n".join(failed))
    if options == ("--record",):
        page.write(record)
    found = [*page.difference(page.read(), record)]
    if found or page.PAGE.read_text() != page.page(record):
        sys.exit("\n".join([*found, "docs/audits.md differs: find out why; then tools/audits.sh --record"]))


if __name__ == "__main__":
    main(*sys.argv[1:])
