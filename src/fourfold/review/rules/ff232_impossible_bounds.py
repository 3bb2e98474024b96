"""Bounds that no value can keep.

## What it does

Finds a minimum above the maximum, a shortest length above the longest, more items at least than at most, and an
enum without values.

## Why it hurts

Whatever the model sends is refused, and the error of one bound sends it to the other.

## Example

```json
{
  "name": "page_get",
  "description": "Get a page.",
  "inputSchema": {
    "type": "object",
    "properties": {"size": {"type": "integer", "minimum": 100, "maximum": 10}},
    "additionalProperties": false
  }
}
```

## Use instead

Put the bounds in order.

```json
{
  "name": "page_get",
  "description": "Get a page.",
  "inputSchema": {
    "type": "object",
    "properties": {"size": {"type": "integer", "minimum": 10, "maximum": 100}},
    "additionalProperties": false
  }
}
```

## When to ignore

Never.
"""

from __future__ import annotations

from collections.abc import Iterator

from fourfold.review.arguments import label, sent
from fourfold.review.place import Place
from fourfold.review.rule import Hit, Page, ToolRule
from fourfold.review.view import ToolView

__all__ = ["RULE"]

_BOUNDS = (
    ("minimum", "maximum"),
    ("exclusiveMinimum", "maximum"),
    ("minimum", "exclusiveMaximum"),
    ("minLength", "maxLength"),
    ("minItems", "maxItems"),
    ("minProperties", "maxProperties"),
)


def _check(tool: ToolView) -> Iterator[Hit]:
    for place in sent(tool):
        for low, high in _BOUNDS:
            least, most = _number(place, low), _number(place, high)
            if least is not None and most is not None and least > most:
                yield Hit(
                    pointer=f"{place.pointer}/{low}",
                    message=f"{label(place)} is at least {least} and at most {most}",
                    fix="put the bounds in order",
                )
        if place.schema.get("enum") == []:
            yield Hit(
                pointer=f"{place.pointer}/enum",
                message=f"{label(place)} is one of no values",
                fix="list its values, or leave enum out",
            )


def _number(place: Place, keyword: str) -> float | None:
    found: object = place.schema.get(keyword)
    return found if isinstance(found, int | float) and not isinstance(found, bool) else None


RULE = ToolRule(
    id="FF232",
    symbol="impossible-bounds",
    severity="error",
    question="wrong_argument",
    evidence="judgement",
    page=Page.read(__doc__),
    check=_check,
)
