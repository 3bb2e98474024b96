"""A time in a result whose format and zone nobody states.

## What it does

Finds output fields that are named as an instant (`created_at`, `start_time`, `timestamp`) and are text or numbers
without a `format`, a pattern, or a word about format, unit or zone in their description. A time beside a field for its
zone is left alone.

## Why it hurts

`2026-05-10T09:00:00` is another instant in New York than in Madrid, and `1715331600000` may be seconds or
milliseconds. Events land an hour off, and a week is cut at the wrong midnight.

## Example

```json
{
  "name": "event_get",
  "description": "Show one event.",
  "inputSchema": {
    "type": "object",
    "properties": {"event_reference": {"type": "string", "maxLength": 40}},
    "required": ["event_reference"],
    "additionalProperties": false
  },
  "outputSchema": {
    "type": "object",
    "properties": {"starts_at": {"type": "string"}},
    "required": ["starts_at"]
  }
}
```

## Use instead

State the format; it says that there is an offset.

```json
{
  "name": "event_get",
  "description": "Show one event.",
  "inputSchema": {
    "type": "object",
    "properties": {"event_reference": {"type": "string", "maxLength": 40}},
    "required": ["event_reference"],
    "additionalProperties": false
  },
  "outputSchema": {
    "type": "object",
    "properties": {"starts_at": {"type": "string", "format": "date-time"}},
    "required": ["starts_at"]
  }
}
```

## When to ignore

A time of day without a date, such as opening hours, beside a field that names the zone.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from fourfold.contracts.names import words
from fourfold.review.place import Place
from fourfold.review.rule import Hit, Page, ToolRule
from fourfold.review.view import ToolView

__all__ = ["RULE"]

_INSTANTS = frozenset({"timestamp", "datetime", "at"})
_BEFORE_AT = frozenset({"created", "updated", "modified", "deleted", "started", "finished", "completed", "expires",
                        "starts", "ends", "issued", "sent", "received", "published", "closed", "merged", "paid",
                        "start", "end", "due", "last", "settled", "submitted", "seen", "used"})  # fmt: skip
_TELLS = re.compile(
    r"ISO|RFC|UTC|GMT|epoch|unix|zone|\bZ\b|seconds|millis|\bms\b|YYYY|offset|local time", re.IGNORECASE
)

_ZONES = frozenset({"timezone", "zone", "tz", "tzid"})


def _check(tool: ToolView) -> Iterator[Hit]:
    seen: set[str] = set()
    for place in tool.fields:
        if place.name not in seen and _is_instant(words(place.name)) and _is_bare(place) and not _has_zone(place):
            seen.add(place.name)
            yield Hit(
                pointer=place.pointer,
                message=f"{place.name} is an instant, and neither its format nor its zone is stated",
                fix="use format date-time, or name the unit and the zone in the description",
            )


def _has_zone(place: Place) -> bool:
    """Whether a field beside it holds the zone."""
    return any(_ZONES & set(words(name)) for name in place.siblings)


def _is_instant(parts: tuple[str, ...]) -> bool:
    # Not run_time or response_time, which are durations.
    if parts[-1:] == ("time",):
        return parts[-2:-1] != () and parts[-2] in _BEFORE_AT
    if parts[-1:] == ("at",):
        return len(parts) > 1 and parts[-2] in _BEFORE_AT
    return parts[-1:] != () and parts[-1] in _INSTANTS


def _is_bare(place: Place) -> bool:
    stated = {"format", "pattern", "enum", "const"} & set(place.resolved)
    is_plain = bool({"string", "integer", "number"} & set(place.types))
    return is_plain and not stated and _TELLS.search(place.description) is None


RULE = ToolRule(
    id="FF309",
    symbol="output-time-without-zone",
    severity="warning",
    question="wrong_argument",
    evidence="report",
    sources=(
        "https://github.com/cbcoutinho/nextcloud-mcp-server/issues/782",
        "https://github.com/MarimerLLC/calendar-mcp/issues/39",
    ),
    page=Page.read(__doc__),
    check=_check,
)
