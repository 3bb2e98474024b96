"""A period whose boundary nobody states.

## What it does

Finds free-text periods (`period`, `date_range`, `quarter`), and, in reads, pairs of dates from a first to a last
one where neither says whether the last day is included. Two date-times bound each other well enough.

## Why it hurts

One reads "to 2026-03-31" with the 31st, the other without it. A week may begin on Sunday, a quarter with the fiscal
year. A report that drops a day or a week is wrong in a way that nobody sees.

## Example

```json
{
  "name": "revenue",
  "description": "Revenue of a period.",
  "inputSchema": {
    "type": "object",
    "properties": {
      "start_date": {"type": "string", "format": "date"},
      "end_date": {"type": "string", "format": "date"}
    },
    "required": ["start_date", "end_date"],
    "additionalProperties": false
  }
}
```

## Use instead

Say it where the model reads it: first and last day included, or the end excluded; and which week. Name the argument
after it (`last_day`, `before`).

```json
{
  "name": "revenue",
  "description": "Revenue of a period.",
  "inputSchema": {
    "type": "object",
    "properties": {
      "start_date": {"type": "string", "format": "date"},
      "end_date": {"type": "string", "format": "date", "description": "The last day, included."}
    },
    "required": ["start_date", "end_date"],
    "additionalProperties": false
  }
}
```

## When to ignore

Where the range is of text, rows or cells and not of time.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import replace

from fourfold.contracts.names import words
from fourfold.review.arguments import arguments, explained, is_open_text, kinds
from fourfold.review.place import Place
from fourfold.review.rule import Hit, Page, ToolRule
from fourfold.review.times import is_instant, is_time, says_boundary
from fourfold.review.view import ToolView

__all__ = ["RULE"]

_PERIODS = frozenset(words("period quarter week timeframe daterange"))
_RANGES = frozenset(words("date time"))
_DATE_TIME = re.compile(r"date-?time", re.IGNORECASE)
_STARTS = {"end": "start", "to": "from", "until": "since", "stop": "start"}


def _check(tool: ToolView) -> Iterator[Hit]:
    for place in arguments(tool):
        text = explained(tool, place)
        if _is_free_period(place) and not _says_which(f"{text}\n{_said_of(place, tool)}"):
            yield Hit(
                pointer=place.pointer,
                message=f"{place.name} is a period in free text, and nothing says where it begins and ends",
                fix="take a first and a last day, or an enum of periods with their boundaries in the description",
            )
        start = _start_of(place)
        is_span = start and not tool.is_known_write and is_time(place, text) and not _is_moment(place, text)
        if is_span and not says_boundary(text + _about(str(start), place, tool=tool)):
            yield Hit(
                pointer=place.pointer,
                message=f"{start} to {place.name} is a period, and nothing says whether {place.name} is part of it",
                fix="say whether the end is included, or name it after that: last_day, before",
            )


def _is_free_period(place: Place) -> bool:
    parts = words(place.name)
    is_period = parts[-1:] and (parts[-1] in _PERIODS or (parts[-1] == "range" and bool(_RANGES & set(parts))))
    return bool(is_period) and "string" in kinds(place) and is_open_text(place)


def _said_of(place: Place, tool: ToolView) -> str:
    """The tool's description, where it speaks of the period by its name."""
    return tool.description if place.name.lower() in tool.description.lower() else ""


def _is_moment(place: Place, text: str) -> bool:
    return is_instant(place, text) or bool(_DATE_TIME.search(text))


def _says_which(text: str) -> bool:
    """Whether the description gives examples or a form, from which the boundary follows."""
    return says_boundary(text) or any(sign in text for sign in ("e.g.", "YYYY", "'", '"', "`", "|", ":"))


def _start_of(place: Place) -> str | None:
    """The argument beside it that begins the period which `place` ends, spelled in the same way."""
    properties: object = place.parents[0].get("properties")
    if not isinstance(properties, Mapping):
        return None
    for end, start in _STARTS.items():
        for old, new in ((end, start), (end.title(), start.title())):
            name = re.sub(rf"(?<![a-z]){old}(?![a-z])", new, place.name)
            if name != place.name and name in properties:
                return name
    return None


def _about(name: str, place: Place, *, tool: ToolView) -> str:
    beside = replace(place, name=name, schema=place.parents[0]["properties"][name])
    return f"{explained(tool, beside)} {tool.description}"


RULE = ToolRule(
    id="FF221",
    symbol="ambiguous-period",
    severity="warning",
    question="wrong_argument",
    evidence="judgement",
    page=Page.read(__doc__),
    check=_check,
)
