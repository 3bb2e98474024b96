"""A result of many optional texts, most of which will be empty.

## What it does

Finds results, or items of a list in a result, with at least eight properties, of which at least three quarters are
texts that may be absent, null or empty. An object deeper inside is a part that may be wanting as a whole.

## Why it hurts

The schema costs tokens at every turn and promises nothing: each field may be missing, so a reader has to handle
every combination. Nine fields of which four are always empty say less than five.

## Example

```json
{
  "name": "contact_get",
  "description": "Show one contact.",
  "inputSchema": {
    "type": "object",
    "properties": {"contact_reference": {"type": "string", "maxLength": 40}},
    "required": ["contact_reference"],
    "additionalProperties": false
  },
  "outputSchema": {
    "type": "object",
    "properties": {
      "name": {"type": "string", "maxLength": 80},
      "title": {"type": "string", "maxLength": 80},
      "prefix": {"type": "string", "maxLength": 80},
      "suffix": {"type": "string", "maxLength": 80},
      "nickname": {"type": "string", "maxLength": 80},
      "department": {"type": "string", "maxLength": 80},
      "assistant": {"type": "string", "maxLength": 80},
      "fax": {"type": "string", "maxLength": 80},
      "pager": {"type": "string", "maxLength": 80}
    },
    "required": ["name"]
  }
}
```

## Use instead

Require what is always there, and leave out what hardly ever is.

```json
{
  "name": "contact_get",
  "description": "Show one contact.",
  "inputSchema": {
    "type": "object",
    "properties": {"contact_reference": {"type": "string", "maxLength": 40}},
    "required": ["contact_reference"],
    "additionalProperties": false
  },
  "outputSchema": {
    "type": "object",
    "properties": {
      "name": {"type": "string", "maxLength": 80},
      "title": {"type": "string", "maxLength": 80},
      "department": {"type": "string", "maxLength": 80}
    },
    "required": ["name", "title"]
  }
}
```

## When to ignore

Records of another system that is passed on as they are; a tolerant reader is right there.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import cast

from fourfold.model.contract import JsonObject
from fourfold.review.place import Place
from fourfold.review.rule import Hit, Page, ToolRule
from fourfold.review.view import ToolView

__all__ = ["RULE"]

_MIN_FIELDS = 8
_SHARE = 0.75
_DEPTH = 2
_DEFINED = frozenset({"$defs", "definitions"})


def _check(tool: ToolView) -> Iterator[Hit]:
    fields: dict[int, list[Place]] = {}
    for place in tool.fields:
        if len(place.parents) > _DEPTH or _DEFINED & set(place.pointer.split("/")):
            continue
        fields.setdefault(id(place.parents[0]), []).append(place)
    for inside in fields.values():
        hollow = [place for place in inside if not place.required and _may_be_text(place)]
        if len(inside) >= _MIN_FIELDS and len(hollow) >= _SHARE * len(inside):
            yield Hit(
                pointer=hollow[0].pointer.rsplit("/properties/", 1)[0],
                message=f"{len(hollow)} of its {len(inside)} fields are texts that may be absent",
                fix="require the fields that are always there, and drop those that are hardly ever filled",
            )


def _may_be_text(place: Place) -> bool:
    # A closed vocabulary says something even when it may be absent.
    if place.values:
        return False
    arms: object = place.resolved.get("anyOf")
    union = cast("list[object]", arms) if isinstance(arms, list) else []
    kinds = [cast("JsonObject", arm).get("type") for arm in union if isinstance(arm, Mapping)]
    return "string" in place.types or "string" in kinds


RULE = ToolRule(
    id="FF310",
    symbol="hollow-output",
    severity="advice",
    question="wrong_argument",
    evidence="judgement",
    page=Page.read(__doc__),
    check=_check,
)
