"""Findings: what the review says about a tool, and everything that a report is made from."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from fourfold.model.portability import Matrix

__all__ = [
    "QUESTIONS",
    "SEVERITIES",
    "Evidence",
    "Finding",
    "MigrationStep",
    "Question",
    "Reviewed",
    "RuleFacts",
    "Severity",
    "WaivedFinding",
]

Severity = Literal["error", "warning", "advice"]
"""`error` will break or leak, `warning` will be misused, `advice` could be better."""

SEVERITIES: tuple[Severity, ...] = ("error", "warning", "advice")
"""The worst first."""

Evidence = Literal["measured", "report", "judgement"]
"""What stands behind a rule: a measured effect, a public report of the harm, or nothing but judgement."""

Question = Literal["wrong_tool", "wrong_argument", "autonomy", "recoverable", "fits"]
"""What a rule answers for: the four questions of a design review, or whether clients can use the tool at all."""

QUESTIONS: Mapping[Question, str] = {
    "wrong_tool": "Could a model pick the wrong tool?",
    "wrong_argument": "Could a valid argument be the wrong one?",
    "autonomy": "Could it do what nobody allowed?",
    "recoverable": "Can a model recover from a failure, and a caller from a retry?",
    "fits": "Do clients take it, and can they afford it?",
}
"""The questions in the order in which a report answers them."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RuleFacts:
    """What a report says about a rule.

    `id` is `FFnnn` and is never given to another rule; `symbol` is its readable name; `sources` are addresses.
    """

    id: str
    symbol: str
    summary: str
    severity: Severity
    question: Question
    evidence: Evidence
    since: str
    sources: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding:
    """One fault at one place.

    Attributes:
        tool: the tool's name; empty for a fault of the catalog as a whole.
        pointer: JSON Pointer (RFC 6901) into the tool's definition; into the list's answer if `tool` is empty.
        message: what is wrong, here.
        fix: what to do about it.
        evidence: what the message rests on: a score, shared words, a measurement; else what stands behind the rule.
        pair: the other tool, where two are too alike.
        also: the other tools that have the same fault at the same place, where that is told once.
    """

    id: str
    symbol: str
    severity: Severity
    tool: str
    pointer: str
    message: str
    fix: str
    evidence: str
    pair: str | None = None
    also: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class WaivedFinding:
    """A finding that somebody set aside, with the written reason."""

    finding: Finding
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class MigrationStep:
    """A tool to mend, and why it comes at this place of the order."""

    tool: str
    why: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Reviewed:
    """The result of a review. Findings are ordered by tool as listed, then pointer, then id.

    `tokens` are what each tool costs a model, estimated, in the order of `tools`; `matrix` is which client takes which.
    `order` says which tools to mend first. `unused_waivers` are those that set nothing aside, or are past their date,
    each as a sentence.
    """

    target: str
    tools: tuple[str, ...]
    rules: tuple[RuleFacts, ...]
    findings: tuple[Finding, ...]
    tokens: tuple[int, ...]
    matrix: Matrix
    order: tuple[MigrationStep, ...] = ()
    waived: tuple[WaivedFinding, ...] = ()
    unused_waivers: tuple[str, ...] = ()

    def count(self, severity: Severity) -> int:
        """How many findings have that severity."""
        return sum(finding.severity == severity for finding in self.findings)

    def of_tool(self, tool: str) -> tuple[Finding, ...]:
        """The findings about a tool; of the catalog as a whole for an empty name."""
        return tuple(finding for finding in self.findings if tool == finding.tool or tool in finding.also)

    def question_of(self, finding: Finding) -> Question:
        """The question that `finding` answers with no."""
        return next(rule.question for rule in self.rules if rule.id == finding.id)
