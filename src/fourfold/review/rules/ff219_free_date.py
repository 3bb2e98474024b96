"""A date that is any text.

## What it does

Finds date arguments that neither a format nor a pattern nor an enum narrows. Where the description or an example at
least says the form, the finding is advice. A timestamp that names a message is no date.

## Why it hurts

`2026-03-04`, `04/03/2026`, `March 4`, `tomorrow`: a model writes each of them, and a parser that is kind to all of
them reads one of them as another day.

## Example

```json
{
  "name": "invoice_due",
  "description": "Set when an invoice is due.",
  "inputSchema": {
    "type": "object",
    "properties": {"number": {"type": "string", "maxLength": 20}, "due_date": {"type": "string", "maxLength": 30}},
    "required": ["number", "due_date"],
    "additionalProperties": false
  }
}
```

## Use instead

Use the format `date` or `date-time`, or a pattern where a client refuses formats.

```json
{
  "name": "invoice_due",
  "description": "Set when an invoice is due.",
  "inputSchema": {
    "type": "object",
    "properties": {"number": {"type": "string", "maxLength": 20}, "due_date": {"type": "string", "format": "date"}},
    "required": ["number", "due_date"],
    "additionalProperties": false
  }
}
```

## When to ignore

A tool whose work is to read dates as people write them.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from fourfold.review.arguments import arguments, explained, is_open_text, kinds
from fourfold.review.rule import Hit, Page, ToolRule
from fourfold.review.times import is_time, says_form
from fourfold.review.view import ToolView

__all__ = ["RULE"]

_OF_A_MESSAGE = re.compile(r"\btimestamp of (?:the|a) (?:[\w-]+ )?(?:message|thread|comment)\b", re.IGNORECASE)


def _check(tool: ToolView) -> Iterator[Hit]:
    for place in arguments(tool):
        text = explained(tool, place)
        if not is_time(place, text) or "string" not in kinds(place) or not is_open_text(place):
            continue
        if _OF_A_MESSAGE.search(text):
            continue
        said = says_form(text) or bool(place.resolved.get("examples"))
        yield Hit(
            pointer=place.pointer,
            message=f"{place.name} is a date in any form" if not said else f"{place.name} has its form only in prose",
            fix="use the format date or date-time, a pattern, or an enum of the words that it takes",
            severity="advice" if said else None,
        )


RULE = ToolRule(
    id="FF219",
    symbol="free-date",
    severity="warning",
    question="wrong_argument",
    evidence="report",
    sources=("https://github.com/olympkusai/metis/issues/3", "https://github.com/mattt/iMCP/issues/118"),
    page=Page.read(__doc__),
    check=_check,
)
