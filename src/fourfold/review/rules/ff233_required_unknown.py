"""A required argument that is not declared.

## What it does

Finds names in `required` that are no property of the same object, and a `required` that is no list of names.

## Why it hurts

The model is not told what the argument is, and the validator refuses every call without it; where unknown members
are refused too, no call can succeed. A `required` that is no list makes the schema itself invalid, and validators
refuse every call.

## Example

```json
{
  "name": "mail_read",
  "description": "Read a mail.",
  "inputSchema": {
    "type": "object",
    "properties": {"mail_id": {"type": "string", "maxLength": 20}},
    "required": ["mail_id", "user_id"],
    "additionalProperties": false
  }
}
```

## Use instead

Declare what is required, or require what is declared.

```json
{
  "name": "mail_read",
  "description": "Read a mail.",
  "inputSchema": {
    "type": "object",
    "properties": {"mail_id": {"type": "string", "maxLength": 20}},
    "required": ["mail_id"],
    "additionalProperties": false
  }
}
```

## When to ignore

Never.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import cast

from fourfold.review.arguments import is_list, label, sent
from fourfold.review.place import Place
from fourfold.review.rule import Hit, Page, ToolRule
from fourfold.review.view import ToolView

__all__ = ["RULE"]


def _check(tool: ToolView) -> Iterator[Hit]:
    for place in sent(tool):
        required: object = place.schema.get("required")
        if required is not None and not is_list(required):
            yield Hit(
                pointer=f"{place.pointer}/required",
                message=f"required of {label(place)} is no list of names",
                fix="list the names of the required properties on the object around them",
            )
            continue
        for name in _undeclared(place):
            yield Hit(
                pointer=f"{place.pointer}/required",
                message=f"{name} is required and not declared",
                fix=f"declare {name}, or take it out of required",
            )


def _undeclared(place: Place) -> Iterator[str]:
    properties: object = place.schema.get("properties")
    # An arm of a union may require what the object around it declares.
    if not isinstance(properties, Mapping) or any(f"/{word}/" in place.pointer for word in ("allOf", "then", "else")):
        return
    known = cast("Mapping[str, object]", properties)
    for name in cast("list[object]", place.schema.get("required") or []):
        if isinstance(name, str) and name not in known:
            yield name


RULE = ToolRule(
    id="FF233",
    symbol="required-unknown",
    severity="error",
    question="wrong_argument",
    evidence="report",
    sources=("https://github.com/MarkusPfundstein/mcp-gsuite/issues/48",),
    page=Page.read(__doc__),
    check=_check,
)
