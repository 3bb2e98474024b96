"""`Retry-After` (RFC 9110, 10.2.3): seconds, or a date."""

from __future__ import annotations

import re
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime

__all__ = ["retry_after_s"]

_SECONDS = re.compile(r"[0-9]{1,9}")
"""What RFC 9110 calls delay-seconds; ASCII digits only, and no more of them than 31 years need."""


def retry_after_s(value: str | None, *, date: str | None, now_ms: int) -> float:
    """Seconds to wait; 0.0 where nothing is said, what is said cannot be read, or its time is past.

    Args:
        value: the header `Retry-After`.
        date: the header `Date` of the same answer: a date is compared with the clock that made it.
        now_ms: our own clock, for an answer without a date.
    """
    text = (value or "").strip()
    if _SECONDS.fullmatch(text):
        return float(text)
    until, since = _instant(text), _instant(date or "")
    if until is None:
        return 0.0
    now = since if since is not None else datetime.fromtimestamp(now_ms / 1000, tz=UTC)
    return max((until - now).total_seconds(), 0.0)


def _instant(text: str) -> datetime | None:
    """An HTTP date in one of its three forms (RFC 9110, 5.6.7), all of them in UTC; `None` for anything else."""
    try:
        found = parsedate_to_datetime(text)
    except (ValueError, TypeError, OverflowError, IndexError):
        return None
    return found if found.tzinfo is not None else found.replace(tzinfo=UTC)
