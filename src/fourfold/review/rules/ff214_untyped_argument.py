"""An argument of any type.

## What it does

Finds arguments for which the schema names no type, no values and no alternatives: `{}`, or a description and
nothing else.

## Why it hurts

Nothing can be checked before the handler, so the model invents a shape, and another one the next time. Some model
APIs refuse a function with such a parameter.

## Example

```json
{
  "name": "record_set",
  "description": "Set a field of a record.",
  "inputSchema": {
    "type": "object",
    "properties": {"field": {"type": "string", "maxLength": 40}, "value": {"description": "The new value."}},
    "required": ["field", "value"],
    "additionalProperties": false
  }
}
```

## Use instead

Name the type. Where there are several, one argument for each, or a union with a tag.

```json
{
  "name": "record_set",
  "description": "Set a field of a record.",
  "inputSchema": {
    "type": "object",
    "properties": {"field": {"type": "string", "maxLength": 40}, "value": {"type": "string", "maxLength": 400}},
    "required": ["field", "value"],
    "additionalProperties": false
  }
}
```

## When to ignore

A gateway that passes on values whose shape only another system knows.
"""

from __future__ import annotations

from collections.abc import Iterator

from fourfold.review.arguments import arguments, kinds
from fourfold.review.declared import unwaived
from fourfold.review.place import Place
from fourfold.review.rule import Hit, Page, ToolRule
from fourfold.review.view import ToolView

__all__ = ["RULE"]

_SAYS_MORE = frozenset({"not", "if", "then", "else", "$dynamicRef", "$ref"})


def _check(tool: ToolView) -> Iterator[Hit]:
    for place in unwaived(tool, arguments(tool), rule="untyped_value"):
        if not kinds(place) and not _is_known_otherwise(place):
            yield Hit(
                pointer=place.pointer,
                message=f"{place.name} may be anything: the schema names no type",
                fix="name its type or its types, or make it one argument for each type",
            )


def _is_known_otherwise(place: Place) -> bool:
    return bool(_SAYS_MORE & place.resolved.keys()) or bool(place.values) or "null" in place.types


RULE = ToolRule(
    id="FF214",
    symbol="untyped-argument",
    severity="warning",
    question="wrong_argument",
    evidence="judgement",
    page=Page.read(__doc__),
    check=_check,
)
