"""A review as Markdown, for a pull request."""

from __future__ import annotations

import re
from collections.abc import Iterator

from fourfold.model.finding import QUESTIONS, Finding, Reviewed
from fourfold.report.text import verdict

__all__ = ["as_markdown", "escaped"]

_SPECIAL = re.compile(r"([\\`*_{}\[\]<>()#+|~])")


def as_markdown(reviewed: Reviewed) -> Iterator[str]:
    """The lines of the report."""
    yield f"## Review of {escaped(reviewed.target)}"
    yield ""
    yield f"{verdict(reviewed)}."
    yield ""
    if reviewed.findings:
        yield "| tool | question | severity | rule | place | what | fix |"
        yield "|---|---|---|---|---|---|---|"
    for finding in reviewed.findings:
        yield f"| {' | '.join(_cells(reviewed, finding))} |"
    for waiver in reviewed.unused_waivers:
        yield ""
        yield f"Unused waiver: {escaped(waiver)}."


def escaped(text: str) -> str:
    """`text`, foreign perhaps, as what it says and not as markup."""
    return _SPECIAL.sub(r"\\\1", " ".join(text.split()))


def _cells(reviewed: Reviewed, finding: Finding) -> Iterator[str]:
    yield escaped(finding.tool or "the catalog")
    yield QUESTIONS[reviewed.question_of(finding)]
    yield finding.severity
    yield f"{finding.id} {finding.symbol}"
    yield escaped(finding.pointer)
    yield escaped(finding.message + (f" (beside {finding.pair})" if finding.pair else ""))
    yield escaped(finding.fix)
