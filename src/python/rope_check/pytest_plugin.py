"""The pytest plugin: the fixture `rope_check` and the option --rope-baseline FILE."""
from __future__ import annotations

import argparse
import os
import re
from collections.abc import Callable, Generator
from typing import Any, NoReturn

import pytest

from . import audit, compare, verify
from .errors import InputError, ToolError
from .report import Report


class Checker:
    """What the fixture `rope_check` gives a test."""

    audit = staticmethod(audit)
    compare = staticmethod(compare)
    verify = staticmethod(verify)

    def __init__(self, test: str, baseline: "str | None") -> None:
        self._test, self._baseline, self._count = test, baseline, 0

    def assert_rope(self, fn: Callable[..., Any], config: Any = None, **options: Any) -> Report:
        """Fails the test with the tool's failure block unless audit(fn, config, …) is ok and, under
        --rope-baseline, no metric drifted from what was recorded for this test."""
        self._count += 1
        if self._baseline:
            suffix = f"-{self._count}" if self._count > 1 else ""
            options = {"baseline": self._baseline, "record": "CI" not in os.environ,
                       "name": self._test + suffix, **options}
        options.setdefault("quiet", True)
        try:
            return self.assert_ok(audit(fn, config, **options))
        except (InputError, ToolError) as error:
            fail(f"error: {error}", str(error))

    def assert_ok(self, report: Report) -> Report:
        """Fails the test with the report's text unless it is ok."""
        if not report.ok:
            fail(str(report), report.headline)
        return report


class _Failure:
    """The text of a failed test, and the line about it in pytest's summary."""

    def __init__(self, text: str, headline: str) -> None:
        self.text, self.reprcrash = text, argparse.Namespace(message=headline)

    def __str__(self) -> str:
        return self.text

    def toterminal(self, writer: Any) -> None:
        writer.line(self.text)


class RopeFailure(pytest.fail.Exception):  # type: ignore[misc]
    headline = ""


def fail(text: str, headline: str) -> NoReturn:
    failure = RopeFailure(text, pytrace=False)
    failure.headline = headline
    raise failure


@pytest.hookimpl(hookwrapper=True)
def pytest_runtest_makereport(item: pytest.Item, call: "pytest.CallInfo[None]") -> Generator[None, Any, None]:
    outcome = yield
    report = outcome.get_result()
    error = call.excinfo.value if call.excinfo else None
    if isinstance(error, RopeFailure):
        report.longrepr = _Failure(str(report.longrepr), error.headline)


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
