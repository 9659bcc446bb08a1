"""The exceptions. A wrong rotation is in a Report; only assert_rope raises it."""
from __future__ import annotations

import functools
import os
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, TypeVar

if TYPE_CHECKING:
    from .report import Report

Function = TypeVar("Function", bound=Callable[..., Any])


class InputError(ValueError):
    """Input that cannot be checked (exit code 2): the message names the fault, its place and the right value."""


class ToolError(RuntimeError):
    """The tool could not run, read or write (exit code 3), or failed otherwise; `exit_code` is its exit
    code, None if there is no tool."""

    def __init__(self, message: str, exit_code: "int | None" = None) -> None:
        super().__init__(message)
        self.exit_code = exit_code


class RopeMismatch(AssertionError):
    """The function does not rotate as the config asks: `report` has the details."""

    def __init__(self, text: str, report: "Report") -> None:
        super().__init__(text)
        self.report = report


def without_own_frames(function: Function) -> Function:
    """Removes the module's frames: a traceback shows the caller, and the function that it calls."""
    @functools.wraps(function)
    def called(*args: Any, **options: Any) -> Any:
        __tracebackhide__ = True
        try:
            return function(*args, **options)
        except Exception as error:
            at = error.__traceback__
            while at and os.path.dirname(at.tb_frame.f_code.co_filename) == os.path.dirname(__file__):
                at = at.tb_next
            if isinstance(error, (InputError, ToolError, RopeMismatch)):
                error.__cause__, error.__suppress_context__ = None, True
            raise error.with_traceback(at)

    return called  # type: ignore[return-value]
