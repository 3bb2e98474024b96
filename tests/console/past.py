"""Runs that a store already has when somebody opens the console. Owns no server: none of them was called."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from fourfold.model.run import Run
from tests.stores.records import run_at

__all__ = ["HOSTILE", "NOW_MS", "escaped", "failed", "past_run"]

NOW_MS = 1_793_491_200_000
"""What the clock of a kit says: 2026-11-01 00:00:00 UTC."""

_HOUR_MS = 3_600_000

HOSTILE = "\"><script>alert(1)</script>'\u202e"
"""What breaks out of an attribute, runs as a script, and turns the rest of a line around."""


def past_run(number: int, *, hours_ago: float = 1, **facts: Any) -> Run:
    """A success of `quote_create` for acct-1 of acme, unless `facts` say otherwise; each has another operation."""
    at_ms = NOW_MS - round(hours_ago * _HOUR_MS)
    made = replace(run_at(number), at_ms=at_ms, operation_id=f"op-{number}", trace_id="", charges=(), replayed=False)
    return replace(made, **facts)


def failed(number: int, code: str, **facts: Any) -> Run:
    """A run that met `code`."""
    met: dict[str, Any] = {"outcome": "rejected", "code": code, "retry": "never", **facts}
    return past_run(number, **met)


def escaped(text: str) -> bool:
    """Whether a page has the hostile text as text, and nowhere as it is."""
    shown = "&#34;&gt;&lt;script&gt;alert(1)&lt;/script&gt;&#39;\\u202e"
    return shown in text and "<script>alert" not in text and "\u202e" not in text
