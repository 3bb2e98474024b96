"""A next cursor that the schema does not let be absent.

## What it does

Finds outputs that require `next_cursor` and give it no type but text.

## Why it hurts

On the last page the server has to send something, and sends the empty text. Some readers take that for the end and
some for a cursor: one of them asked 170,000 times in 55 seconds.

## Example

```json
{
  "name": "note_list",
  "description": "List notes.",
  "inputSchema": {
    "type": "object",
    "properties": {"cursor": {"type": "string", "maxLength": 200}},
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
    "required": ["items", "next_cursor"]
  }
}
```

## Use instead

Leave it out on the last page, and say `has_more: false`.

```json
{
  "name": "note_list",
  "description": "List notes.",
  "inputSchema": {
    "type": "object",
    "properties": {"cursor": {"type": "string", "maxLength": 200}},
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
      "has_more": {"type": "boolean"},
      "next_cursor": {"type": "string", "maxLength": 200}
    },
    "required": ["items", "has_more"]
  }
}
```

## When to ignore

A list without an end.
"""

from __future__ import annotations

from collections.abc import Iterator

from fourfold.contracts.names import words
from fourfold.review.listing import is_cursor
from fourfold.review.rule import Hit, Page, ToolRule
from fourfold.review.view import ToolView

__all__ = ["RULE"]


def _check(tool: ToolView) -> Iterator[Hit]:
    for place in tool.fields:
        is_next = is_cursor(place.name) and "next" in words(place.name)
        if is_next and place.required and place.types == ("string",):
            yield Hit(
                pointer=place.pointer,
                message=f"{place.name} is required, so that the last page has to send an empty one",
                fix="leave it out on the last page, and say has_more: false",
            )


RULE = ToolRule(
    id="FF317",
    symbol="cursor-always-there",
    severity="advice",
    question="recoverable",
    evidence="report",
    sources=(
        "https://github.com/modelcontextprotocol/java-sdk/issues/628",
        "https://github.com/ChesterRa/cccc/pull/50",
        "https://github.com/PrefectHQ/fastmcp/issues/5025",
    ),
    page=Page.read(__doc__),
    check=_check,
)
