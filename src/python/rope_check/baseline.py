"""Recorded metrics of audited functions, in the tool's baseline files."""
from __future__ import annotations

import json
import os
import pathlib
from collections.abc import Sequence

from . import tool
from .errors import InputError
from .report import Report


def _has_run(file: str, name: str) -> bool:
    if not os.path.exists(file):
        return False
    try:
        runs = json.loads(pathlib.Path(file).read_text(encoding="utf-8"))["runs"]
        return any(run["command"][:3] == ["audit", "check", name] for run in runs)
    except (ValueError, KeyError, TypeError):
        return True  # not a baseline: the tool reports why


def judge_recorded(words: Sequence[str], folder: pathlib.Path, file: str, *, may_record: bool,
                   kept: bool) -> Report:
    """The report of `audit check NAME …`, which is not ok if a metric drifted from the run of that
    name in `file`. One that holds and is not in the file is recorded if `may_record`. Raises
    InputError if it must not be, and as tool.judge does."""
    file, name = os.path.abspath(file), words[2]
    if _has_run(file, name):
        return tool.judge([*words, f"--baseline={file}"], folder, kept=kept)
    if not may_record:
        raise InputError(f"{file}: has no run of '{name}'; record it outside CI and commit it")
    report = tool.judge([*words], folder, kept=kept)
    if report.ok:
        of_the_report = ("--quiet", "--verbose", "--strict", "--require=")
        tool.run(["baseline", "record", file, f"--reason=first run of {name}", "--quiet", "--",
                  *(one for one in words if not one.startswith(of_the_report))], folder)
    return report
