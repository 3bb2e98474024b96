"""Attempts for tests of linking, by what makes them differ."""

from __future__ import annotations

from dataclasses import replace

from fourfold.runs.linking import Attempt, Place

__all__ = ["NOON_MS", "PLACE", "attempt"]

NOON_MS = 1_700_000_000_000
"""When the first attempt arrives."""

PLACE = Place("acme", "clerk@acme", "quote_create")
"""Whose call of which tool."""

_RETRY = {"done": "", "invalid": "after_fix", "rejected": "never", "failed": "never", "needs_input": ""}


def attempt(seconds: float, outcome: str = "done", **changes: object) -> Attempt:
    """An attempt so many seconds after noon, named after them."""
    plain = Attempt(
        run_id=f"run-{seconds:g}",
        at_ms=NOON_MS + round(seconds * 1_000),
        place=PLACE,
        contract_version="1.0",
        outcome=outcome,
        code="" if outcome in ("done", "needs_input") else f"{outcome}_code",
        retry=_RETRY[outcome],
    )
    return replace(plain, **changes)
