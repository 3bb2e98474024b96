"""A review as JSON (docs/schemas/review.json)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict

from fourfold.model.finding import QUESTIONS, SEVERITIES, Finding, Reviewed

__all__ = ["as_facts", "summary"]


def as_facts(reviewed: Reviewed) -> Mapping[str, object]:
    """Everything that a review found, as one JSON object."""
    return {
        "target": reviewed.target,
        "tools": list(reviewed.tools),
        "findings": [_finding(finding) for finding in reviewed.findings],
        "waived": [{**_finding(each.finding), "reason": each.reason} for each in reviewed.waived],
        "unused_waivers": list(reviewed.unused_waivers),
        "questions": {tool: _answers(reviewed, tool) for tool in dict.fromkeys(reviewed.tools)},
        "order": [asdict(step) for step in reviewed.order],
        "summary": summary(reviewed),
    }


def summary(reviewed: Reviewed) -> Mapping[str, int]:
    """How many tools, rules and findings of each severity there are."""
    counts = {severity: reviewed.count(severity) for severity in SEVERITIES}
    return {"tools": len(reviewed.tools), "rules": len(reviewed.rules), **counts, "waived": len(reviewed.waived)}


def _finding(finding: Finding) -> dict[str, object]:
    return {name: value for name, value in asdict(finding).items() if value is not None}


def _answers(reviewed: Reviewed, tool: str) -> dict[str, str]:
    failed = {reviewed.question_of(finding) for finding in reviewed.of_tool(tool) if finding.severity != "advice"}
    return {question: "fail" if question in failed else "pass" for question in QUESTIONS}
