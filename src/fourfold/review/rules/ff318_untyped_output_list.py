"""A list in a result, of anything.

## What it does

Finds arrays in an output schema that do not say what their items are: no `items`, or one that takes everything. One
finding for each tool.

## Why it hurts

The schema promises a list and leaves out the part that somebody reads. Generated code gets a list of anything, a check
of the result passes whatever comes, and the model learns the fields only by calling.

## Example

```json
{
  "name": "task_overview",
  "description": "Show what is to be done.",
  "inputSchema": {"type": "object", "properties": {}, "additionalProperties": false},
  "outputSchema": {
    "type": "object",
    "properties": {"tasks": {"type": "array", "maxItems": 50}},
    "required": ["tasks"]
  }
}
```

## Use instead

Say what one item is.

```json
{
  "name": "task_overview",
  "description": "Show what is to be done.",
  "inputSchema": {"type": "object", "properties": {}, "additionalProperties": false},
  "outputSchema": {
    "type": "object",
    "properties": {
      "tasks": {
        "type": "array",
        "items": {"type": "object", "properties": {"title": {"type": "string", "maxLength": 80}}},
        "maxItems": 50
      }
    },
    "required": ["tasks"]
  }
}
```

## When to ignore

A list that passes through what another system sends, and whose reader is a person.
"""

from __future__ import annotations

from collections.abc import Iterator

from fourfold.review.arguments import label
from fourfold.review.place import Place
from fourfold.review.rule import Hit, Page, ToolRule
from fourfold.review.view import ToolView

__all__ = ["RULE"]


def _check(tool: ToolView) -> Iterator[Hit]:
    untyped = [place for place in tool.outputs if "array" in place.types and _takes_anything(place)]
    if untyped:
        first, more = untyped[0], len(untyped) - 1
        others = f" ({more} more like it)" if more else ""
        yield Hit(
            pointer=first.pointer,
            message=f"{label(first) if first.name else 'the result'} is a list of anything{others}",
            fix="add items with the schema of one item",
        )


def _takes_anything(place: Place) -> bool:
    """Whether nothing is said of the items; before 2020-12 a tuple stood in `items`, now in `prefixItems`."""
    items: object = place.resolved.get("items", {})
    return (items is True or items == {}) and not place.resolved.get("prefixItems")


RULE = ToolRule(
    id="FF318",
    symbol="untyped-output-list",
    severity="advice",
    question="wrong_argument",
    evidence="judgement",
    page=Page.read(__doc__),
    check=_check,
)
