"""A time of day without a zone.

## What it does

Finds arguments for an instant whose format and description say nothing of a zone or an offset, with no argument for
the zone beside them; and numbers for an instant without a unit. A time that names a message (Slack's `timestamp`) is a
reference and is left alone.

## Why it hurts

`2026-03-04T09:00` is another instant in each zone. The server reads it in its own, which is UTC in a container and
something else on a laptop: events land on the wrong day, filters return nothing.

## Example

```json
{
  "name": "event_create",
  "description": "Create an event.",
  "inputSchema": {
    "type": "object",
    "properties": {
      "title": {"type": "string", "maxLength": 80},
      "start_time": {
        "type": "string",
        "maxLength": 25,
        "description": "ISO 8601 datetime, e.g. 2026-03-04T09:00:00"
      }
    },
    "required": ["title", "start_time"],
    "additionalProperties": false
  }
}
```

## Use instead

Use `format: date-time`, which needs an offset, or say the zone; an argument for the zone is as good.

```json
{
  "name": "event_create",
  "description": "Create an event.",
  "inputSchema": {
    "type": "object",
    "properties": {
      "title": {"type": "string", "maxLength": 80},
      "start_time": {
        "type": "string",
        "maxLength": 25,
        "format": "date-time",
        "description": "With its offset, e.g. 2026-03-04T09:00:00+01:00"
      }
    },
    "required": ["title", "start_time"],
    "additionalProperties": false
  }
}
```

## When to ignore

Where the time is local by nature, such as an opening hour.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from fourfold.review.arguments import arguments, explained, kinds
from fourfold.review.place import Place
from fourfold.review.rule import Hit, Page, ToolRule
from fourfold.review.times import is_instant, is_time, says_unit, says_zone, zone_beside
from fourfold.review.view import ToolView

__all__ = ["RULE"]

_NAMES_A_MESSAGE = re.compile(r"\btimestamp of (?:the|a) (?:\w+ )?(?:message|thread|reply|comment)\b", re.IGNORECASE)


def _check(tool: ToolView) -> Iterator[Hit]:
    for place in arguments(tool):
        text = explained(tool, place)
        if not is_time(place, text) or zone_beside(place) or _NAMES_A_MESSAGE.search(text):
            continue
        if _is_text_without_zone(place, text) and not says_zone(tool.description):
            yield Hit(
                pointer=place.pointer,
                message=f"{place.name} is a time, and nothing says in which zone",
                fix="use the format date-time, which needs an offset, or say the zone",
            )
        elif {"integer", "number"} & kinds(place) and is_instant(place, text) and not says_unit(place, text):
            yield Hit(
                pointer=place.pointer,
                message=f"{place.name} is an instant as a number, and nothing says whether in seconds or milliseconds",
                fix="say the unit in its name or description, or use the format date-time",
            )


def _is_text_without_zone(place: Place, text: str) -> bool:
    is_open = "string" in kinds(place) and place.resolved.get("format") not in ("date-time", "date")
    return is_open and not place.values and is_instant(place, text) and not says_zone(text + _shown(place))


def _shown(place: Place) -> str:
    """The examples that the schema gives."""
    return f" {place.resolved.get('examples', '')} {place.resolved.get('example', '')}"


RULE = ToolRule(
    id="FF220",
    symbol="time-without-zone",
    severity="warning",
    question="wrong_argument",
    evidence="report",
    sources=(
        "https://github.com/MarimerLLC/calendar-mcp/issues/39",
        "https://github.com/elyxlz/microsoft-mcp/issues/14",
        "https://github.com/mpalermiti/outlook-mcp/pull/43",
    ),
    page=Page.read(__doc__),
    check=_check,
)
