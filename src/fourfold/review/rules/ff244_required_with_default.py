"""A required argument that has a default.

## What it does

Finds arguments, at any depth, that are in `required` and have a `default` other than null. An argument with a single
value is left alone.

## Why it hurts

The two contradict each other. A client that checks calls refuses one without the argument, so the default never
applies; a client that fills in defaults sends a value that nobody chose. Often the schema was made from what the
handler sees after its defaults, not from what a caller has to send.

## Example

```json
{
  "name": "branch_create",
  "description": "Create a branch.",
  "inputSchema": {
    "type": "object",
    "properties": {"name": {"type": "string", "maxLength": 40, "default": "develop"}},
    "required": ["name"],
    "additionalProperties": false
  }
}
```

## Use instead

Take it out of `required`, or drop the default if a caller has to decide.

```json
{
  "name": "branch_create",
  "description": "Create a branch.",
  "inputSchema": {
    "type": "object",
    "properties": {"name": {"type": "string", "maxLength": 40, "default": "develop"}},
    "additionalProperties": false
  }
}
```

## When to ignore

Never: one of the two is not meant.
"""

from __future__ import annotations

from collections.abc import Iterator

from fourfold.review.arguments import arguments
from fourfold.review.rule import Hit, Page, ToolRule
from fourfold.review.view import ToolView

__all__ = ["RULE"]


def _check(tool: ToolView) -> Iterator[Hit]:
    for place in arguments(tool):
        # The tag of a union has one value, which its default repeats.
        if place.required and place.resolved.get("default") is not None and len(place.values) != 1:
            yield Hit(
                pointer=place.pointer,
                message=f"{place.name} is required and has a default, which no valid call can use",
                fix="take it out of required, or drop the default",
            )


RULE = ToolRule(
    id="FF244",
    symbol="required-with-default",
    severity="warning",
    question="wrong_argument",
    evidence="judgement",
    page=Page.read(__doc__),
    check=_check,
)
