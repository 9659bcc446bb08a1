"""The rope-check program: where it is, and one run of it."""
from __future__ import annotations

import os
import pathlib
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager

from .errors import InputError, ToolError
from .report import Report
from .words import in_python


def tool_path() -> str:
    """ROPE_CHECK_TOOL, the program of this package, or the first on the PATH. Raises ToolError."""
    own = pathlib.Path(__file__).with_name("rope-check")
    found = os.environ.get("ROPE_CHECK_TOOL") or (str(own) if own.exists() else None) \
        or shutil.which("rope-check")
    if found is None:
        raise ToolError("there is no rope-check program: install the package by pip, or set "
                        "ROPE_CHECK_TOOL")
    return os.path.abspath(found)


def _command() -> str:
    """The program as a shell finds it."""
    return "rope-check" if shutil.which("rope-check") else shlex.quote(tool_path())


def main() -> None:
    """The command `rope-check` of the package."""
    try:
        os.execv(tool_path(), ["rope-check", *sys.argv[1:]])
    except (OSError, ToolError) as error:
        sys.exit(f"error: {error}")


@contextmanager
def working_folder(keep: "str | os.PathLike[str] | None") -> Iterator[pathlib.Path]:
    """A folder for what is judged: a new one at `keep`, else one that is removed afterwards.
    Raises InputError if there are files in `keep`."""
    if keep is None:
        with tempfile.TemporaryDirectory(prefix="rope-check-") as folder:
            yield pathlib.Path(folder)
        return
    kept = pathlib.Path(keep).absolute()
    kept.mkdir(parents=True, exist_ok=True)
    if any(kept.iterdir()):
        raise InputError(f"keep: {kept} holds files; name a new folder")
    yield kept


def run(words: list[str], folder: pathlib.Path) -> tuple[int, str]:
    """Exit code 0 or 1 and stdout. Raises InputError for 2 and ToolError for any other."""
    try:
        done = subprocess.run([tool_path(), *words], cwd=folder, stdin=subprocess.DEVNULL,
                              capture_output=True, encoding="utf-8", errors="replace")
    except OSError as error:
        raise ToolError(f"{tool_path()}: {error.strerror}") from error
    if done.returncode in (0, 1):
        return done.returncode, done.stdout
    message = in_python(done.stderr.strip().removeprefix("error: "))
    if done.returncode == 2:
        raise InputError(message)
    raise ToolError(message or f"rope-check ended with {done.returncode}", done.returncode)


def judge(words: list[str], folder: pathlib.Path, *, kept: "bool | None" = None) -> Report:
    """The report of a command that checks, which reads files of the folder unless `kept` is None.
    Raises as run does."""
    code, text = run([*words, "--output=json:-", "--output=text:report.txt", "--color=never"],
                     folder)
    try:
        report = (folder / "report.txt").read_text(encoding="utf-8")
    except FileNotFoundError:
        raise ToolError(f"{tool_path()}: wrote no report; is it rope-check?") from None
    if kept is not None:
        report = re.sub(r"(?m)^( *reproduce: )rope-check(.*)\n",
                        lambda line: f"{line[1]}cd {shlex.quote(str(folder))} && {_command()}{line[2]}\n"
                        if kept else "", report)
    return Report(text, report, code)
