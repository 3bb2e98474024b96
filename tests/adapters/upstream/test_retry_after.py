"""`Retry-After` in all its forms (RFC 9110, 10.2.3 and 5.6.7)."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from email.utils import format_datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fourfold.adapters.upstream import retry_after_s

NOW = datetime(2026, 11, 1, tzinfo=UTC)
NOW_MS = 1_793_491_200_000


@pytest.mark.parametrize(
    ("value", "seconds"),
    [
        ("0", 0.0),
        ("120", 120.0),
        (" 7 ", 7.0),
        ("Sun, 01 Nov 2026 00:02:00 GMT", 120.0),
        ("Sunday, 01-Nov-26 00:02:00 GMT", 120.0),
        ("Sun Nov  1 00:02:00 2026", 120.0),
        ("Sat, 31 Oct 2026 23:59:59 GMT", 0.0),
    ],
)
def test_seconds_and_dates_are_read(value: str, seconds: float) -> None:
    """C4: a date in each of its three forms, and one that is past."""
    assert retry_after_s(value, date=None, now_ms=NOW_MS) == seconds


@pytest.mark.parametrize("value", [None, "", "-1", "1.5", "soon", "٣", "99999999999", "Sun, 32 Nov 2026 00:00:00 GMT"])
def test_what_cannot_be_read_is_no_wait(value: str | None) -> None:
    """C4: a header that says nothing leaves the pause to the jitter."""
    assert retry_after_s(value, date=None, now_ms=NOW_MS) == 0.0


def test_a_date_is_compared_with_the_date_of_the_same_answer() -> None:
    """C4: our clock is an hour off, and it does not matter."""
    answered = "Sun, 01 Nov 2026 00:00:00 GMT"

    assert retry_after_s("Sun, 01 Nov 2026 00:00:30 GMT", date=answered, now_ms=NOW_MS + 3_600_000) == 30.0


@given(st.integers(min_value=0, max_value=10**8))
def test_a_date_says_the_same_as_the_seconds_to_it(seconds: int) -> None:
    """C4: whichever form a service prefers."""
    date = format_datetime(NOW + timedelta(seconds=seconds), usegmt=True)

    assert retry_after_s(date, date=None, now_ms=NOW_MS) == retry_after_s(str(seconds), date=None, now_ms=NOW_MS)


@given(st.text(max_size=60), st.one_of(st.none(), st.text(max_size=60)))
def test_no_header_breaks_the_reader(value: str, date: str | None) -> None:
    """C4: they come from somebody else."""
    assert retry_after_s(value, date=date, now_ms=NOW_MS) >= 0.0
