"""A list that is written as one text.

## What it does

Finds text arguments whose description says that they hold several values, separated by commas, semicolons or pipes. A
list that is JSON as text is found by `json-as-text`.

## Why it hurts

The schema can check neither the values nor their number: a limit of 100 entries, an enum or a pattern for one of them
stands only in prose. A model sends a real list and is refused, or puts a blank behind the comma, or has a value with a
comma in it.

## Example

```json
{
  "name": "quote_list",
  "description": "Show prices.",
  "inputSchema": {
    "type": "object",
    "properties": {"symbols": {"type": "string", "maxLength": 200, "description": "Comma-separated tickers."}},
    "required": ["symbols"],
    "additionalProperties": false
  }
}
```

## Use instead

Take a list, and join it behind the tool if the API wants text.

```json
{
  "name": "quote_list",
  "description": "Show prices.",
  "inputSchema": {
    "type": "object",
    "properties": {
      "symbols": {
        "type": "array",
        "items": {"type": "string", "pattern": "^[A-Z.]{1,8}$"},
        "minItems": 1,
        "maxItems": 100,
        "description": "Tickers."
      }
    },
    "required": ["symbols"],
    "additionalProperties": false
  }
}
```

## When to ignore

Where the text is stored as it is, commas included.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from fourfold.review.arguments import arguments, explained, kinds
from fourfold.review.rule import Hit, Page, ToolRule
from fourfold.review.view import ToolView

__all__ = ["RULE"]

_SAYS_SO = re.compile(
    r"\b(?:comma|semicolon|pipe)[- ]?(?:separated|delimited)\b"
    r"|\b(?:separated|delimited) (?:by|with) (?:a )?(?:comma|semicolon|pipe)s?\b",
    re.IGNORECASE,
)
_SOMETHING_ELSE = re.compile(
    r"\bJSON\b|\bCSV\b|[- ]separated values\b|\blat(?:itude)?\b|\bcoordinates?\b|\bkey=value\b", re.IGNORECASE
)
"""What has commas and is no list of its own: a table, a point, text that another rule is about."""


def _check(tool: ToolView) -> Iterator[Hit]:
    for place in arguments(tool):
        text = explained(tool, place)
        if kinds(place) != frozenset({"string"}) or place.values or _SOMETHING_ELSE.search(text):
            continue
        if _SAYS_SO.search(text):
            yield Hit(
                pointer=place.pointer,
                message=f"{place.name} is a list written as one text, whose entries no schema checks",
                fix="take an array, with a schema for one entry and maxItems",
            )


RULE = ToolRule(
    id="FF246",
    symbol="list-as-text",
    severity="warning",
    question="wrong_argument",
    evidence="judgement",
    page=Page.read(__doc__),
    check=_check,
)
