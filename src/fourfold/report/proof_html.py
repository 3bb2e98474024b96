"""A proof as one HTML page that needs nothing else: no script, no font, no other file."""

from __future__ import annotations

from collections.abc import Mapping

from fourfold.model.proof import FAMILIES, Proved, Status, Verdict
from fourfold.report.page import page
from fourfold.report.proof_text import Command, conclusion

__all__ = ["as_html"]

_MARKS: Mapping[Status, tuple[str, str]] = {
    "passed": ("pass", "passed"),
    "failed": ("error", "failed"),
    "warned": ("warning", "warned"),
    "not_tested": ("warning", "not tested"),
}


def as_html(proved: Proved, *, command: Command) -> str:
    """The page. Everything foreign is escaped."""
    return page(
        "proof.html",
        proved=proved,
        conclusion=conclusion(proved),
        families=FAMILIES,
        tools=list(dict.fromkeys(verdict.tool for verdict in proved.verdicts if verdict.tool)),
        cells={(verdict.check, verdict.tool): _cell(verdict) for verdict in proved.verdicts},
        sentences={check.name: check.proves for check in proved.checks},
        failed=[verdict for verdict in proved.verdicts if verdict.status == "failed"],
        warned=[verdict for verdict in proved.verdicts if verdict.status == "warned"],
        untested=[verdict for verdict in proved.verdicts if verdict.status == "not_tested"],
        command=command,
    )


def _cell(verdict: Verdict) -> Mapping[str, str]:
    """A cell of the table: its class, its word, and what is shown to whoever points at it."""
    name, word = _MARKS[verdict.status]
    return {"mark": name, "word": word, "detail": verdict.detail}
