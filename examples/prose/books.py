"""The books behind both tools: what came in by month and currency. Small, and the same for ever."""

from __future__ import annotations

from datetime import date
from typing import Literal

__all__ = ["Currency", "Metric", "total_minor"]

Currency = Literal["EUR", "USD"]
Metric = Literal["revenue", "refunds"]

_BASE: dict[Metric, int] = {"revenue": 1_250_000, "refunds": 41_000}
_SHARE: dict[Currency, int] = {"EUR": 3, "USD": 5}


def total_minor(metric: Metric, currency: Currency, *, since: date, until: date) -> int:
    """What the books have for the days from `since` to `until`, both included."""
    days = (until - since).days + 1
    return _BASE[metric] * _SHARE[currency] * days // 30
