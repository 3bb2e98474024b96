"""Runs: the newest first, filtered, a page at a time; and those that come while somebody looks."""

from __future__ import annotations

from starlette.responses import Response

from fourfold.console.asked import Asked
from fourfold.model.run import RunFilter

__all__ = ["runs", "tail"]

_PAGE = 50
_HOUR_MS = 3_600_000
_SPANS = {"": None, "1h": _HOUR_MS, "24h": 24 * _HOUR_MS, "7d": 168 * _HOUR_MS, "30d": 720 * _HOUR_MS}
_OUTCOMES = ("", "done", "invalid", "rejected", "denied", "refused", "needs_input", "failed", "unknown", "cancelled")


def filter_of(asked: Asked) -> RunFilter:
    """Which runs the query of a page asks for."""
    span = _SPANS.get(asked.value("since"))
    return RunFilter(
        tenant=asked.tenant,
        tool=asked.value("tool"),
        subject=asked.value("account"),
        principal=asked.value("principal"),
        code=asked.value("code"),
        outcome=asked.choice("outcome", *_OUTCOMES),
        failed=asked.value("failed") == "yes",
        since_ms=None if span is None else asked.console.clock.now_ms() - span,
    )


async def runs(asked: Asked) -> Response:
    """The list with its filters."""
    records = await asked.console.store.runs.list(filter_of(asked), limit=_PAGE)
    return asked.page("runs.html", records=records, outcomes=_OUTCOMES[1:], spans=list(_SPANS)[1:])


async def tail(asked: Asked) -> Response:
    """Rows that came after those that the page has, for its live tail."""
    raise NotImplementedError
