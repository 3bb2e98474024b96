"""A number without both bounds.

## What it does

Finds numbers that have no minimum or no maximum, and no enum. How many results one page may have is another rule
(limit-without-maximum).

## Why it hurts

A model that misreads a prompt sends what no domain allows: a discount of 150 per cent, a quantity of minus one, a
timeout of a year. Bounds in the schema stop it before the handler does something with it.

## Example

```json
{
  "name": "discount_set",
  "description": "Set a discount.",
  "inputSchema": {
    "type": "object",
    "properties": {"percent": {"type": "integer", "minimum": 0}},
    "required": ["percent"],
    "additionalProperties": false
  }
}
```

## Use instead

Give both bounds, as tight as the domain allows.

```json
{
  "name": "discount_set",
  "description": "Set a discount.",
  "inputSchema": {
    "type": "object",
    "properties": {"percent": {"type": "integer", "minimum": 0, "maximum": 100}},
    "required": ["percent"],
    "additionalProperties": false
  }
}
```

## When to ignore

Where every number has a meaning, such as a coordinate in a plane.
"""

from __future__ import annotations

from collections.abc import Iterator

from fourfold.review.arguments import label, sent
from fourfold.review.declared import unwaived
from fourfold.review.paging import is_limit
from fourfold.review.rule import Hit, Page, ToolRule
from fourfold.review.view import ToolView

__all__ = ["RULE"]


def _check(tool: ToolView) -> Iterator[Hit]:
    for place in unwaived(tool, sent(tool), rule="unbounded_number"):
        if not {"integer", "number"} & set(place.types) or place.values or is_limit(place.name):
            continue
        open_ends = [end for end, keywords in _ENDS.items() if not any(each in place.schema for each in keywords)]
        if open_ends:
            yield Hit(
                pointer=place.pointer,
                message=f"{label(place)} has no {' and no '.join(open_ends)}",
                fix="give it both bounds, as tight as the domain allows",
            )


_ENDS = {"minimum": ("minimum", "exclusiveMinimum"), "maximum": ("maximum", "exclusiveMaximum")}


RULE = ToolRule(
    id="FF212",
    symbol="unbounded-number",
    severity="advice",
    question="wrong_argument",
    evidence="judgement",
    page=Page.read(__doc__),
    check=_check,
)
