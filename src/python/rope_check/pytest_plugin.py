"""The pytest plugin: the fixture `rope_check` and the option --rope-baseline FILE."""
from __future__ import annotations

import os
import re
from collections.abc import Callable, Generator
from typing import Any

import pytest

from . import assert_rope, audit, compare, verify
from .errors import RopeMismatch, without_own_frames
from .report import Report


class Checker:
    """The methods of the fixture `rope_check`."""

    audit = staticmethod(audit)
    compare = staticmethod(compare)
    verify = staticmethod(verify)

    def __init__(self, test: str, baseline: "str | None") -> None:
        self._test, self._baseline, self._count = test, baseline, 0

    @without_own_frames
    def assert_rope(self, fn: Callable[..., Any], config: Any = None, **options: Any) -> Report:
        """rope_check.assert_rope(fn, config, …). Under --rope-baseline no metric may have drifted
        from what was recorded for this test."""
        self._count += 1
        if self._baseline:
            suffix = f"-{self._count}" if self._count > 1 else ""
            options = {"baseline": self._baseline, "record": "CI" not in os.environ,
                       "name": self._test + suffix, **options}
        return assert_rope(fn, config, **options)

    @without_own_frames
    def assert_ok(self, report: Report) -> Report:
        """Fails the test with the report's diagnosis unless it is ok."""
        if not report.ok:
            raise RopeMismatch(report.failure("the report"), report)
        return report


@pytest.hookimpl(hookwrapper=True)
def pytest_runtest_makereport(item: pytest.Item, call: "pytest.CallInfo[None]") -> Generator[None, Any, None]:
    """The line of a failure in pytest's summary is the diagnosis."""
    outcome = yield
    crash = getattr(outcome.get_result().longrepr, "reprcrash", None)
    error = call.excinfo.value if call.excinfo else None
    if crash and isinstance(error, RopeMismatch):
        crash.message = error.report.headline


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.getgroup("rope-check").addoption(
        "--rope-baseline", metavar="FILE",
        help="fail where a metric of rope_check.assert_rope drifted from FILE; what it lacks is "
             "recorded, except where CI is set")


@pytest.fixture
def rope_check(request: pytest.FixtureRequest) -> Checker:
    """verify, compare and audit, and what fails the test: assert_rope(fn, config, …) and
    assert_ok(report)."""
    test = re.sub(r"[^A-Za-z0-9_.]+", "-", request.node.nodeid).strip("-")
    return Checker(test, request.config.getoption("--rope-baseline"))
