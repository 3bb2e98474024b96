"""Dates and times among arguments: which names mean them, and what a description says of their form."""

from __future__ import annotations

import re

from fourfold.contracts.names import words
from fourfold.review.arguments import siblings
from fourfold.review.place import Place

__all__ = ["is_instant", "is_time", "says_boundary", "says_form", "says_unit", "says_zone", "zone_beside"]

_DATES = frozenset(words("date datetime timestamp"))
_MOMENTS = frozenset(words("at before after since until"))
_ENDS = frozenset(words("time start end from to"))
_STAMPED = frozenset(words("created updated started finished scheduled deployed merged closed due published expires"))
_SPEAKS_OF_TIME = re.compile(
    r"\b(?:ISO ?8601|RFC ?3339|YYYY-MM|date ?time|timestamp|epoch|\d{4}-\d\d-\d\d)\b", re.IGNORECASE
)
_FORM = re.compile(
    r"ISO[ -]?8601|RFC ?\d{4}|YYYY|yyyy-|\d{4}-\d\d|ISO (?:format|date|timestamp|string)|MM/DD|DD[./]MM", re.IGNORECASE
)
_ZONE = re.compile(
    r"\bUTC\b|\bGMT\b|time ?zone|offset|RFC ?3339|\d\d(?:Z|[+-]\d\d:\d\d)\b|\d\d:\d\d[+-]\d{4}\b|(?:ss|SS)Z|±"
    r"|\bzone\b|local time|epoch|unix"
)
_CLOCK = re.compile(r"date-?times?\b|timestamps?\b|T\d\d:\d\d|HH:|\bISO ?8601\b|RFC ?3339|\btime\b", re.IGNORECASE)
_UNIT = re.compile(r"seconds?|millis|\bms\b|epoch|unix|nanos", re.IGNORECASE)
_BOUNDARY = re.compile(
    r"inclu(?:sive|ded|des|ding)|exclu(?:sive|ded|des|ding)|\bbefore\b|\bup to\b|through|on or |no later|earlier than"
    r"|[<>≤≥]=?|\bnot part\b|\blast day\b|first day",
    re.IGNORECASE,
)


def is_time(place: Place, text: str) -> bool:
    """Whether an argument is a date or a time, by its name and by `text`, which explains it."""
    *before, last = words(place.name) or ("",)
    # "The timestamp to sort by" names a field.
    if "zone" in (*before, last) or "boolean" in place.types or "sort" in text.lower():
        return False
    if last in _DATES or (last in _MOMENTS and bool(_STAMPED & set(before[-1:]))):
        return True
    is_likely = last in _MOMENTS or last in _ENDS or bool(_DATES & set(before[:1]))
    return is_likely and (bool(_SPEAKS_OF_TIME.search(text)) or place.resolved.get("format") in ("date", "date-time"))


def is_instant(place: Place, text: str) -> bool:
    """Whether it is a time of a day, not the day."""
    parts = words(place.name)
    if parts[-1:] in (("datetime",), ("timestamp",)) or place.resolved.get("format") == "date-time":
        return True
    return parts[-1:] != ("date",) and bool(_CLOCK.search(text)) and "YYYY-MM-DD" not in text.replace("YYYY-MM-DDT", "")


def says_form(text: str) -> bool:
    """Whether a description says in which form a date is written."""
    return bool(_FORM.search(text))


def says_zone(text: str) -> bool:
    """Whether a description says in which zone a time is read."""
    return bool(_ZONE.search(text))


def says_unit(place: Place, text: str) -> bool:
    """Whether the name or the description of a number says its unit."""
    return bool(_UNIT.search(place.name) or _UNIT.search(text))


def says_boundary(text: str) -> bool:
    """Whether a description says if the end of a period is part of it."""
    return bool(_BOUNDARY.search(text))


def zone_beside(place: Place) -> bool:
    """Whether an argument beside it takes the zone."""
    return any({"timezone", "zone", "tz"} & set(words(name)) for name in siblings(place))
