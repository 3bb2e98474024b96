"""A cursor that is a number or an offset in disguise.

## What it does

Finds arguments and output fields that are named as a cursor or page token and are integers, or are described as an
offset, an index, a page number or a plain record id.

## Why it hurts

A model that sees what a cursor is made of makes its own. A made-up one gives a page from the middle or page 1
again, rows that were added meanwhile shift every page, and a caller can ask for places it was never led to.

## Example

```json
{
  "name": "order_list",
  "description": "List orders.",
  "inputSchema": {
    "type": "object",
    "properties": {"cursor": {"type": "integer", "minimum": 0, "maximum": 100000}},
    "additionalProperties": false
  },
  "outputSchema": {
    "type": "object",
    "properties": {
      "items": {
        "type": "array",
        "items": {
          "type": "object",
          "properties": {"number": {"type": "integer"}},
          "required": ["number"]
        },
        "maxItems": 100
      },
      "next_cursor": {"type": "integer", "maximum": 100000}
    },
    "required": ["items"]
  }
}
```

## Use instead

Return an opaque text, sealed for this caller and these filters.

```json
{
  "name": "order_list",
  "description": "List orders.",
  "inputSchema": {
    "type": "object",
    "properties": {
      "cursor": {
        "type": "string",
        "maxLength": 200,
        "description": "next_cursor of the page before"
      }
    },
    "additionalProperties": false
  },
  "outputSchema": {
    "type": "object",
    "properties": {
      "items": {
        "type": "array",
        "items": {
          "type": "object",
          "properties": {"number": {"type": "integer"}},
          "required": ["number"]
        },
        "maxItems": 100
      },
      "next_cursor": {"type": "string", "maxLength": 200}
    },
    "required": ["items"]
  }
}
```

## When to ignore

Public data in an order that never changes. Call the argument `offset` there; that is what it is.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from fourfold.review.listing import is_cursor
from fourfold.review.place import Place
from fourfold.review.rule import Hit, Page, ToolRule
from fourfold.review.view import ToolView

__all__ = ["RULE"]

_PLAIN = re.compile(
    r"\b(?:numeric|page number|offset|row number|index of|record id|base64.encoded (?:offset|id))\b", re.IGNORECASE
)


def _check(tool: ToolView) -> Iterator[Hit]:
    for place in (*tool.arguments, *tool.fields):
        if is_cursor(place.name) and (reason := _why(place)):
            yield Hit(
                pointer=place.pointer,
                message=f"{place.name} {reason}, so that anybody can make one up",
                fix="use an opaque text that the server has sealed, and refuse every other",
            )


def _why(place: Place) -> str | None:
    # The type is what is sent, whatever the description says.
    if {"integer", "number"} & set(place.types):
        return "is a number"
    found = _PLAIN.search(place.description)
    return f"is described as {found[0].lower()}" if found else None


RULE = ToolRule(
    id="FF315",
    symbol="guessable-cursor",
    severity="warning",
    question="autonomy",
    evidence="report",
    sources=(
        "https://github.com/PrefectHQ/fastmcp/issues/5070",
        "https://github.com/MongLong0214/logic-pro-mcp/issues/218",
    ),
    page=Page.read(__doc__),
    check=_check,
)
