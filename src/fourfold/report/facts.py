"""A review as JSON (docs/schemas/review.json)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict

from fourfold.model.finding import QUESTIONS, SEVERITIES, Finding, Reviewed
from fourfold.model.portability import Cell, Matrix

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
        "tokens": {"total": sum(reviewed.tokens), "estimated": True, "tools": list(reviewed.tokens)},
        "portability": _portability(reviewed.matrix),
        "order": [asdict(step) for step in reviewed.order],
        "summary": summary(reviewed),
    }


def summary(reviewed: Reviewed) -> Mapping[str, int]:
    """How many tools, rules and findings of each severity there are."""
    counts = {severity: reviewed.count(severity) for severity in SEVERITIES}
    return {"tools": len(reviewed.tools), "rules": len(reviewed.rules), **counts, "waived": len(reviewed.waived)}


def _portability(matrix: Matrix) -> Mapping[str, object]:
    """Each client with what it makes of each tool, in the order of the tools."""
    return {
        "clients": [
            {
                "name": client.name,
                "title": client.title,
                "as_of": client.as_of.isoformat(),
                "tools": [_cell(cell) for row in matrix.rows for cell in row.cells if cell.client == client.name],
            }
            for client in matrix.clients
        ]
    }


def _cell(cell: Cell) -> Mapping[str, object]:
    return {"outcome": cell.outcome, "blast_radius": cell.blast_radius, "reasons": list(cell.reasons)}


def _finding(finding: Finding) -> dict[str, object]:
    # What is told once of many tools is told of each of them under `questions` and `portability`.
    return {name: value for name, value in asdict(finding).items() if value is not None and name != "also"}


def _answers(reviewed: Reviewed, tool: str) -> dict[str, str]:
    failed = {reviewed.question_of(finding) for finding in reviewed.of_tool(tool) if finding.severity != "advice"}
    return {question: "fail" if question in failed else "pass" for question in QUESTIONS}
