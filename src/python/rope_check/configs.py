"""The command `rope-check-configs FILE…`, for pre-commit: prints the faults of each config."""
from __future__ import annotations

import json
import pathlib
import re
import sys

from .errors import InputError, ToolError
from .tool import run


def _is_without_rope(file: str, why: str) -> bool:
    """Whether the config has nothing to check: its class does not rotate or is
    unknown, or it has no head_dim and no key of RoPE."""
    text = pathlib.Path(file).read_text(encoding="utf-8", errors="replace")
    return "there is no RoPE" in why or "is not known here" in why or (
        "has neither head_dim nor" in why and not re.search('"(rope_|rotary|partial_rotary)', text))


def findings(file: str) -> list[str]:
    """A line for each error or warning, or a note that there is nothing to check. Raises ToolError."""
    try:
        code, text = run(["explain", "--strict", "--format=json", f"--config={file}"],
                         pathlib.Path())
    except InputError as error:
        why = str(error)
        if _is_without_rope(file, why):
            return [f"note: {why.partition(';')[0]}; not checked"]
        return [f"error: {why}"]
    return [] if code == 0 else [f"{one['severity']}: {one['where']} {one['message']}"
                                 for one in json.loads(text)["lint"] if one["severity"] != "note"]


def main() -> int:
    """Returns 1 if a config is refused or has a warning, 3 if one cannot be read."""
    code = 0
    for file in sys.argv[1:]:
        try:
            lines = findings(file)
            code = max(code, 1 if any(not one.startswith("note: ") for one in lines) else 0)
        except ToolError as error:
            lines, code = [f"error: {error}"], 3
        for line in lines:
            print(line)
    return code
