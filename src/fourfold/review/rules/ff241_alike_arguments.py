"""Two arguments whose names look alike.

## What it does

Finds arguments of one object whose names differ only in spelling: `userId` and `user_id`, `start` and `stаrt`,
`line1` and `linel`.

## Why it hurts

A model takes one for the other, and both are valid: the value arrives in the wrong place.

## Example

```json
{
  "name": "address_set",
  "description": "Set an address.",
  "inputSchema": {
    "type": "object",
    "properties": {
      "user_id": {"type": "string", "maxLength": 20},
      "userId": {"type": "string", "maxLength": 20},
      "street": {"type": "string", "maxLength": 80}
    },
    "required": ["user_id", "street"],
    "additionalProperties": false
  }
}
```

## Use instead

Keep one of them, or give the other a name of its own.

```json
{
  "name": "address_set",
  "description": "Set an address.",
  "inputSchema": {
    "type": "object",
    "properties": {
      "member_reference": {"type": "string", "maxLength": 20},
      "street": {"type": "string", "maxLength": 80}
    },
    "required": ["member_reference", "street"],
    "additionalProperties": false
  }
}
```

## When to ignore

Never.
"""

from __future__ import annotations

from collections.abc import Iterator

from fourfold.contracts.names import alike
from fourfold.review.arguments import arguments
from fourfold.review.declared import unwaived
from fourfold.review.rule import Hit, Page, ToolRule
from fourfold.review.view import ToolView

__all__ = ["RULE"]


def _check(tool: ToolView) -> Iterator[Hit]:
    seen: dict[tuple[str, str], str] = {}
    for place in unwaived(tool, arguments(tool), rule="alike_arguments"):
        around = place.pointer.rsplit("/", 1)[0]
        twin = seen.setdefault((around, alike(place.name)), place.name)
        if twin != place.name:
            yield Hit(
                pointer=place.pointer,
                message=f"{place.name} and {twin} look alike",
                fix="keep one of them, or give the other a name of its own",
            )


RULE = ToolRule(
    id="FF241",
    symbol="alike-arguments",
    severity="warning",
    question="wrong_argument",
    evidence="judgement",
    page=Page.read(__doc__),
    check=_check,
)
