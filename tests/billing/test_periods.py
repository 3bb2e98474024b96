"""Days, weeks, months and quarters: every day of a range belongs to one period of it."""

from __future__ import annotations

from datetime import date, timedelta
from zoneinfo import ZoneInfo

import pytest
from billing.periods import Grouping, Period, day_of, period_of, periods_between, start_ms, zone_named
from hypothesis import given
from hypothesis import strategies as st

_DAYS = st.dates(date(2000, 1, 1), date(2100, 1, 1))
_GROUPINGS = st.sampled_from(["day", "iso_week", "month", "quarter"])
_ZONES = st.sampled_from(["Europe/Madrid", "Atlantic/Canary", "America/Sao_Paulo", "Asia/Kathmandu", "Pacific/Apia"])


@given(first=_DAYS, days=st.integers(1, 800), grouping=_GROUPINGS)
def test_the_periods_of_a_range_have_each_of_its_days_once(first: date, days: int, grouping: Grouping) -> None:
    """A16: none is dropped at a boundary, and none is counted twice."""
    periods = list(periods_between(first, first + timedelta(days=days), grouping=grouping))
    covered = [
        period.first + timedelta(days=day) for period in periods for day in range((period.before - period.first).days)
    ]

    assert covered == [first + timedelta(days=day) for day in range(days)]
    assert len({period.label for period in periods}) == len(periods)


@given(day=_DAYS, grouping=_GROUPINGS)
def test_a_period_is_the_same_for_each_of_its_days(day: date, grouping: Grouping) -> None:
    """A16: its first and its last day say so too."""
    period = period_of(day, grouping)

    assert period.first <= day < period.before
    assert period_of(period.first, grouping) == period_of(period.before - timedelta(days=1), grouping) == period


@given(day=_DAYS, zone=_ZONES)
def test_a_day_begins_at_its_first_instant(day: date, zone: str) -> None:
    """A16: the millisecond before belongs to another day, also where clocks are set at midnight."""
    zone_info = ZoneInfo(zone)
    start = start_ms(day, zone_info)

    # Samoa had no 30 December 2011 at all.
    assert day_of(start, zone_info) == day or (zone, day) == ("Pacific/Apia", date(2011, 12, 30))
    assert day_of(start - 1, zone_info) < day_of(start, zone_info)


@pytest.mark.parametrize(
    ("day", "grouping", "period"),
    [
        (date(2026, 11, 1), "day", Period(label="2026-11-01", first=date(2026, 11, 1), before=date(2026, 11, 2))),
        (date(2026, 9, 30), "iso_week", Period(label="2026-W40", first=date(2026, 9, 28), before=date(2026, 10, 5))),
        (date(2027, 1, 1), "iso_week", Period(label="2026-W53", first=date(2026, 12, 28), before=date(2027, 1, 4))),
        (date(2024, 12, 30), "iso_week", Period(label="2025-W01", first=date(2024, 12, 30), before=date(2025, 1, 6))),
        (date(2024, 2, 29), "month", Period(label="2024-02", first=date(2024, 2, 1), before=date(2024, 3, 1))),
        (date(2026, 12, 31), "month", Period(label="2026-12", first=date(2026, 12, 1), before=date(2027, 1, 1))),
        (date(2026, 12, 31), "quarter", Period(label="2026-Q4", first=date(2026, 10, 1), before=date(2027, 1, 1))),
        (date(2026, 3, 31), "quarter", Period(label="2026-Q1", first=date(2026, 1, 1), before=date(2026, 4, 1))),
    ],
)
def test_a_period_has_its_name_and_its_ends(day: date, grouping: Grouping, period: Period) -> None:
    """A16: a week belongs to the year of its Thursday (ISO 8601)."""
    assert period_of(day, grouping) == period


@pytest.mark.parametrize(
    "name", ["Europe/Sevilla", "europe/madrid", "../UTC", "/etc/localtime", "", "Europe", "x" * 64]
)
def test_what_names_no_zone_is_none(name: str) -> None:
    """A2: and no file of the machine is opened to find out."""
    assert zone_named(name) is None
