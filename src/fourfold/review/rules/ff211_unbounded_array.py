"""A list without a bound on its items.

## What it does

Finds arrays in the input without `maxItems`.

## Why it hurts

An unbounded list invites thousands of items in one call: the server works through them on the thread of the
request, runs into its timeout, and nobody knows which half was done.

## Example

```json
{
  "name": "invoices_send",
  "description": "Send invoices.",
  "inputSchema": {
    "type": "object",
    "properties": {"numbers": {"type": "array", "items": {"type": "string", "maxLength": 20}}},
    "required": ["numbers"],
    "additionalProperties": false
  }
}
```

## Use instead

Say how many one call may have.

```json
{
  "name": "invoices_send",
  "description": "Send invoices.",
  "inputSchema": {
    "type": "object",
    "properties": {"numbers": {"type": "array", "items": {"type": "string", "maxLength": 20}, "maxItems": 50}},
    "required": ["numbers"],
    "additionalProperties": false
  }
}
```

## When to ignore

Where the server refuses more than it can do, and says so in the description.
"""

from __future__ import annotations

from collections.abc import Iterator

from fourfold.review.arguments import label, sent
from fourfold.review.declared import unwaived
from fourfold.review.rule import Hit, Page, ToolRule
from fourfold.review.view import ToolView

__all__ = ["RULE"]


def _check(tool: ToolView) -> Iterator[Hit]:
    for place in unwaived(tool, sent(tool), rule="unbounded_array"):
        is_tuple = "prefixItems" in place.schema and place.schema.get("items") is False
        if "array" in place.types and "maxItems" not in place.schema and not is_tuple and not place.values:
            yield Hit(
                pointer=place.pointer,
                message=f"{label(place)} is a list of any length",
                fix="add maxItems, with what one call can finish in its time",
            )


RULE = ToolRule(
    id="FF211",
    symbol="unbounded-array",
    severity="warning",
    question="wrong_argument",
    evidence="judgement",
    page=Page.read(__doc__),
    check=_check,
)
