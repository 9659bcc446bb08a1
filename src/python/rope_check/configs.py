"""The command `rope-check-configs FILE…`, for pre-commit: what is wrong with each config."""
from __future__ import annotations

import json
import pathlib
import sys

from .errors import InputError, ToolError
from .tool import run


def findings(file: str) -> list[str]:
    """A line for each error or warning. Raises ToolError."""
    try:
        code, text = run(["explain", "--strict", "--format=json", f"--config={file}"],
                         pathlib.Path())
    except InputError as error:
        return [f"error: {error}"]
    return [] if code == 0 else [f"{one['severity']}: {one['where']} {one['message']}"
                                 for one in json.loads(text)["lint"] if one["severity"] != "note"]


def main() -> int:
    """Exit code 1 where a config is refused or has a warning, 3 where one cannot be read."""
    code = 0
    for file in sys.argv[1:]:
        try:
            lines = findings(file)
            code = max(code, 1 if lines else 0)
        except ToolError as error:
            lines, code = [f"error: {error}"], 3
        for line in lines:
            print(line)
    return code
