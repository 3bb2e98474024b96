"""An object or a list that has to be written as JSON text.

## What it does

Finds text arguments whose description asks for a JSON object, a JSON array or a JSON string. Text that
may be JSON among other forms, or is stored as it comes, is left alone.

## Why it hurts

The model has to write JSON inside of JSON: escape every quote, twice where it nests. Some send the object itself
and are refused, some send text that does not parse, and the schema can check none of it.

## Example

```json
{
  "name": "issue_update",
  "description": "Update an issue.",
  "inputSchema": {
    "type": "object",
    "properties": {
      "key": {"type": "string", "maxLength": 20},
      "fields": {"type": "string", "maxLength": 4000, "description": "JSON string of the fields to set"}
    },
    "required": ["key", "fields"],
    "additionalProperties": false
  }
}
```

## Use instead

Declare the object, with its members.

```json
{
  "name": "issue_update",
  "description": "Update an issue.",
  "inputSchema": {
    "type": "object",
    "properties": {
      "key": {"type": "string", "maxLength": 20},
      "fields": {
        "type": "object",
        "properties": {"summary": {"type": "string", "maxLength": 200}},
        "additionalProperties": false
      }
    },
    "required": ["key", "fields"],
    "additionalProperties": false
  }
}
```

## When to ignore

Where the text is stored as it is, and happens to be JSON.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from fourfold.review.arguments import arguments, explained, kinds
from fourfold.review.place import Place
from fourfold.review.rule import Hit, Page, ToolRule
from fourfold.review.view import ToolView

__all__ = ["RULE"]

_SAYS_SO = re.compile(
    r"\bJSON[- ](?:string|text|encoded|formatted|serialized|object|array|list|dict)"
    r"|\b(?:as|in|valid|stringified|encoded) JSON\b",
    re.IGNORECASE,
)
_AMONG_OTHERS = re.compile(r",? or (?:as )?an? JSON\b|\bvalue to store\b", re.IGNORECASE)


def _check(tool: ToolView) -> Iterator[Hit]:
    for place in arguments(tool):
        if kinds(place) == frozenset({"string"}) and not place.values and _is_json(place, tool):
            yield Hit(
                pointer=place.pointer,
                message=f"{place.name} is JSON written as text, which no schema checks",
                fix="declare the object or the list itself",
            )


def _is_json(place: Place, tool: ToolView) -> bool:
    media: object = place.resolved.get("contentMediaType")
    text = explained(tool, place)
    return media == "application/json" or bool(_SAYS_SO.search(text) and not _AMONG_OTHERS.search(text))


RULE = ToolRule(
    id="FF242",
    symbol="json-as-text",
    severity="warning",
    question="wrong_argument",
    evidence="report",
    sources=("https://github.com/nacos-group/nacos-mcp-router/issues/34",),
    page=Page.read(__doc__),
    check=_check,
)
