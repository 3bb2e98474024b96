"""Days, ISO weeks, months and quarters of a time zone, as instants. Pure; knows no store and no money.

A period is half open: its first day is in it, `before` is not. An instant is in milliseconds since the epoch.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta
from functools import cache
from typing import Literal
from zoneinfo import ZoneInfo, available_timezones

__all__ = ["Grouping", "Period", "day_of", "instant_of", "period_of", "periods_between", "start_ms", "zone_named"]

Grouping = Literal["day", "iso_week", "month", "quarter"]
"""How days are put together. A week begins on Monday and belongs to the year of its Thursday (ISO 8601)."""

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_MILLISECOND = timedelta(milliseconds=1)
_DAY = timedelta(days=1)


@dataclass(frozen=True, slots=True, kw_only=True)
class Period:
    """A day, week, month or quarter, or the part of it in a range. `label` names it: 2026-11-01, 2026-W44, 2026-Q4."""

    label: str
    first: date
    before: date


def zone_named(name: str) -> ZoneInfo | None:
    """The time zone with that IANA name, or `None`."""
    # ZoneInfo itself takes any file below its folders for a zone, and raises what opening it raised.
    return ZoneInfo(name) if name in _known() else None


@cache
def _known() -> frozenset[str]:
    """The names in the machine's copy of the IANA database; reading them takes a walk over its folders."""
    return frozenset(available_timezones())


def instant_of(ms: int) -> datetime:
    """The instant in UTC."""
    return _EPOCH + ms * _MILLISECOND


def day_of(ms: int, zone: ZoneInfo) -> date:
    """The day that an instant falls on in `zone`."""
    return instant_of(ms).astimezone(zone).date()


def start_ms(day: date, zone: ZoneInfo) -> int:
    """The first instant of a day in `zone`. The next day's is 23, 24 or 25 hours later."""
    # Where clocks are set at midnight, the earlier of two midnights, or the instant at which the missing one would be.
    return (datetime.combine(day, time.min, zone) - _EPOCH) // _MILLISECOND


def period_of(day: date, grouping: Grouping) -> Period:
    """The period that `day` belongs to; every day belongs to exactly one of each kind."""
    match grouping:
        case "day":
            return Period(label=day.isoformat(), first=day, before=day + _DAY)
        case "iso_week":
            year, week, weekday = day.isocalendar()
            monday = day - (weekday - 1) * _DAY
            return Period(label=f"{year}-W{week:02}", first=monday, before=monday + 7 * _DAY)
        case "month":
            return Period(label=f"{day:%Y-%m}", first=day.replace(day=1), before=_month_after(day, months=1))
        case "quarter":
            first = day.replace(month=(day.month - 1) // 3 * 3 + 1, day=1)
            return Period(label=f"{day:%Y}-Q{(day.month + 2) // 3}", first=first, before=_month_after(first, months=3))


def periods_between(first: date, before: date, *, grouping: Grouping) -> Iterator[Period]:
    """The periods of a range of days, in order and without gaps. The range cuts the first and the last one.

    A period that two ranges share is in both, each with its own part, so that the two together have every day once.
    """
    day = first
    while day < before:
        whole = period_of(day, grouping)
        yield Period(label=whole.label, first=day, before=min(whole.before, before))
        day = whole.before


def _month_after(day: date, *, months: int) -> date:
    """The first day of the month so many months after the one of `day`."""
    years, month = divmod(day.month - 1 + months, 12)
    return date(day.year + years, month + 1, 1)
