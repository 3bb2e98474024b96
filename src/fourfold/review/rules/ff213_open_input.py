"""Arguments that the tool doesn't know are accepted.

## What it does

Finds input schemas that do not say `additionalProperties: false` (or `unevaluatedProperties: false`), and objects with
named members inside of them that say nothing of others. Such an object that says `additionalProperties: true` is meant
so: something behind the server knows more members.

## Why it hurts

A model misremembers a name, `depth` for `maxDepth`. The server drops what it does not know, uses its default and
answers. The call looks right, its result answers another question, and nothing says so.

## Example

```json
{
  "name": "impact",
  "description": "What a change affects.",
  "inputSchema": {
    "type": "object",
    "properties": {"max_depth": {"type": "integer", "minimum": 1, "maximum": 32}},
    "additionalProperties": true
  }
}
```

## Use instead

Close every object, and refuse what is not declared with an error that names the nearest argument.

```json
{
  "name": "impact",
  "description": "What a change affects.",
  "inputSchema": {
    "type": "object",
    "properties": {"max_depth": {"type": "integer", "minimum": 1, "maximum": 32}},
    "additionalProperties": false
  }
}
```

## When to ignore

Where a client adds fields of its own to every call and the server drops those by name.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from fourfold.review.arguments import label, sent
from fourfold.review.place import Place
from fourfold.review.rule import Hit, Page, ToolRule
from fourfold.review.view import ToolView

__all__ = ["RULE"]


def _check(tool: ToolView) -> Iterator[Hit]:
    for place in sent(tool):
        is_root = place.pointer == "/inputSchema"
        if (is_root or (_has_members(place) and not _is_meant_open(place))) and not _is_closed(place):
            yield Hit(
                pointer=place.pointer,
                message=f"{label(place)} takes members that nobody declared, so a misspelt one may go unnoticed",
                fix="add additionalProperties: false, and refuse unknown arguments by name",
                severity=None if is_root else "advice",
            )


def _has_members(place: Place) -> bool:
    return bool(place.schema.get("properties")) and "/allOf/" not in place.pointer


def _is_meant_open(place: Place) -> bool:
    others: object = place.schema.get("additionalProperties")
    return others is True or isinstance(others, Mapping)


def _is_closed(place: Place) -> bool:
    # Below a union of the root, the root closes what its arms name.
    return place.schema.get("additionalProperties") is False or place.schema.get("unevaluatedProperties") is False


RULE = ToolRule(
    id="FF213",
    symbol="open-input",
    severity="warning",
    question="wrong_argument",
    evidence="report",
    sources=(
        "https://github.com/modelcontextprotocol/python-sdk/issues/3067",
        "https://github.com/abhigyanpatwari/GitNexus/issues/3261",
        "https://github.com/erikdarlingdata/PerformanceMonitor/issues/3870",
    ),
    page=Page.read(__doc__),
    check=_check,
)
