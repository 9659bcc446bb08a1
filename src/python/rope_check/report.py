"""The results of a run: the tool's JSON with names, and its text."""
from __future__ import annotations

import html
import json
import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any


def _number(value: Any) -> Any:
    """JSON has no NaN and no infinity; the tool writes them as strings."""
    return float(value) if value in ("nan", "inf", "-inf") else value


@dataclass(frozen=True)
class Finding:
    """The result of one check; `fields` has all its fields, as listed in docs/json.md."""

    check: str  # "table-accuracy"
    kind: str  # law, conformance, claim
    verdict: str  # holds, violated, not_applicable
    observed: "float | None"  # the error that is the largest multiple of its tolerance
    allowed: "float | None"  # at that place
    note: str
    fields: dict[str, Any] = field(repr=False)

    @property
    def worst(self) -> "dict[str, Any] | None":
        """positions, pair, got and want of the worst value; None for a claim."""
        return self.fields.get("worst")

    @property
    def step(self) -> "dict[str, Any] | None":
        """from, to, before and after: the first step that goes against a claim."""
        return self.fields.get("step")


@dataclass(frozen=True)
class Mistake:
    """One of the mistakes that together explain a subject (docs/mistakes.md)."""

    mistake: str  # "base"
    what: str  # "rope_theta is 10000 instead of 500000"
    advice: str  # its usual cause, and how to fix it
    parameters: dict[str, Any]
    fields: dict[str, Any] = field(repr=False)


def _finding(fields: dict[str, Any]) -> Finding:
    return Finding(fields["check"], fields["kind"], fields["verdict"],
                   _number(fields.get("observed")), _number(fields.get("allowed")),
                   fields.get("note", ""), fields)


def _mistake(fields: dict[str, Any]) -> Mistake:
    return Mistake(fields["mistake"], fields["what"], fields["advice"],
                   fields.get("parameters", {}), fields)


def _worst(finding: Finding) -> str:
    worst = finding.worst or {}
    at = ", ".join(str(one) for one in worst["positions"])
    pair = f", pair {worst['pair']}" if "pair" in worst else ""
    return (f"worst value of {finding.check} at position {at}{pair}: got "
            f"{float(worst['got']):.9g}, want {float(worst['want']):.9g}")


def _sections(text: str, parts: "list[dict[str, Any]]") -> list[str]:
    """The part of the text about each report, which starts with the name of its subject."""
    starts, end = [], 0
    for part in parts:
        head = part["subject"].get("layers", "") + ":\n"
        at = text.find(head, end)
        end = at + len(head) if at >= 0 else end
        starts.append(end)
    return [text[at:to] for at, to in zip(starts, [*starts[1:], len(text)])]


class Report:
    """The result of verify, compare and audit. True if `ok`; str() is the tool's text.

    ok          whether no requested check failed, and at least one passed
    findings    a Finding for each check: report["table-accuracy"] is the first of that name
    diagnosis   the Mistakes that together explain the subject, worst first; empty if it is
                right, or if no known mistakes explain it: then see `facts`
    facts       observations about a subject that no known mistake explains
    reports     a Report for each subject, if there are several (q and k, forward and backward)
    document    the tool's JSON (docs/json.md)
    """

    def __init__(self, document: str, text: str, exit_code: int) -> None:
        self.document: dict[str, Any] = json.loads(document)
        self.exit_code = exit_code
        self.label = ""  # the name of one of several subjects, such as k or backward
        parts = self.document.get("reports", [self.document])
        self.findings = [_finding(one) for part in parts for one in part["findings"]]
        self.diagnosis = [_mistake(one) for part in parts for one in part.get("diagnosis", [])]
        self.facts: list[Any] = [one for part in parts for one in part.get("facts", [])]
        self._text = text
        self.reports: list[Report] = []
        if len(parts) > 1:
            self.reports = [Report(json.dumps(part), own, int(part["summary"]["violated"] > 0))
                            for part, own in zip(parts, _sections(self._text, parts))]
            for part, report in zip(parts, self.reports):
                report.label = part["subject"].get("layers", "")

    @classmethod
    def of(cls, named: "Iterable[tuple[str, Report]]") -> "Report":
        """Combines several reports under their names."""
        named = list(named)
        documents = [part for _, one in named
                     for part in one.document.get("reports", [one.document])]
        text = "\n\n".join(f"{name}:\n{one}" for name, one in named)
        whole = cls(json.dumps({"reports": documents}), text,
                    max(one.exit_code for _, one in named))
        whole.reports = [one for _, one in named]
        for label, one in named:
            one.label = label
        return whole

    @property
    def ok(self) -> bool:
        return self.exit_code == 0

    @property
    def headline(self) -> str:
        """One line: the mistakes of the diagnosis, else the failed checks; for several subjects, those
        of each failing one."""
        if self.ok:
            return "passed"
        if self.reports:
            return "; ".join(f"{one.label}: {one.headline}" for one in self.reports if not one.ok)
        mistakes = dict.fromkeys(one.what for one in self.diagnosis)
        if mistakes or self._failed():
            return "; ".join(mistakes) or "failed: " + ", ".join(dict.fromkeys(self._failed()))
        return "drifted from the baseline: " + ", ".join(one.split()[1] for one in self._drifts())

    def _drifts(self) -> list[str]:
        return [" ".join(one.split())  # in lines of 80 columns
                for one in re.findall(r"(?m)^DRIFT .*(?:\n {8,}.*)*", str(self))]

    def _failed(self) -> list[str]:
        return [one.check for one in self.findings
                if one.verdict == "violated" and one.kind != "claim"]

    def failure(self, name: str, verbose: bool = False) -> str:
        """At most 12 lines: the diagnosis, the failed checks of each subject or, if no known mistakes
        explain it, the observations, and with `keep` the command that repeats them; or
        the whole text."""
        if verbose:
            return f"{self.headline}\n{self}"
        lines = [self.headline]
        for report in self.reports or [self]:
            if report.ok:
                continue
            head = f"{name}, {report.label}" if report.label else name
            failed = report._failed()
            if report.diagnosis or not report.facts:
                lines.append(f"{head}: failed {', '.join(failed)}" if failed else head)
            else:
                lines += [f"{head}: {one}" for one in report.facts[:3]]
            worst = [one for one in report.findings if one.check in failed and one.worst]
            lines += [_worst(one) for one in worst[:1]]
            lines += [f"usual cause: {one.advice}" for one in report.diagnosis if one.advice]
            lines += [*report._drifts(), *re.findall(r"(?m)^ *(reproduce: .*)$", str(report))]
        return "\n".join([*lines[:11], "verbose=True shows each check, keep=DIR keeps the files"])

    def __bool__(self) -> bool:
        return self.ok

    def __getitem__(self, check: str) -> Finding:
        for finding in self.findings:
            if finding.check == check:
                return finding
        raise KeyError(check)

    def __str__(self) -> str:
        return self._text.rstrip("\n")

    def __repr__(self) -> str:
        mistakes = [one.what for one in self.diagnosis]
        return f"<rope_check.Report {'ok' if self.ok else 'violated'}" + "".join(
            f"; {', '.join(words)}" for words in (self._failed(), mistakes) if words) + ">"

    def _repr_html_(self) -> str:
        verdict = "passed" if self.ok else self.headline
        return (f"<details{'' if self.ok else ' open'}><summary><b>{html.escape(verdict)}</b></summary>"
                '<pre style="white-space:pre-wrap;overflow-wrap:anywhere">'
                f"{html.escape(str(self))}</pre></details>")
