"""A choice of objects that nothing tells apart.

## What it does

Finds unions of objects inside the input whose arms share no required member with values of its own.

## Why it hurts

A model mixes the members of two arms, and no error can say which one it meant: a validator lists the faults of all
of them.

## Example

```json
{
  "name": "pay",
  "description": "Pay.",
  "inputSchema": {
    "type": "object",
    "properties": {
      "method": {
        "anyOf": [
          {
            "type": "object",
            "properties": {"iban": {"type": "string", "maxLength": 34}},
            "required": ["iban"],
            "additionalProperties": false
          },
          {
            "type": "object",
            "properties": {"card": {"type": "string", "maxLength": 20}},
            "required": ["card"],
            "additionalProperties": false
          }
        ]
      }
    },
    "required": ["method"],
    "additionalProperties": false
  }
}
```

## Use instead

Give every arm a required member with one value, of the same name in all.

```json
{
  "name": "pay",
  "description": "Pay.",
  "inputSchema": {
    "type": "object",
    "properties": {
      "method": {
        "anyOf": [
          {
            "type": "object",
            "properties": {
              "kind": {"type": "string", "enum": ["transfer"]},
              "iban": {"type": "string", "maxLength": 34}
            },
            "required": ["kind", "iban"],
            "additionalProperties": false
          },
          {
            "type": "object",
            "properties": {
              "kind": {"type": "string", "enum": ["card"]},
              "card": {"type": "string", "maxLength": 20}
            },
            "required": ["kind", "card"],
            "additionalProperties": false
          }
        ]
      }
    },
    "required": ["method"],
    "additionalProperties": false
  }
}
```

## When to ignore

Where two arms differ so much that they can't be mixed.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import cast

from fourfold.model.contract import JsonObject
from fourfold.review.arguments import is_list, label, sent
from fourfold.review.declared import unwaived
from fourfold.review.place import Place
from fourfold.review.rule import Hit, Page, ToolRule
from fourfold.review.view import ToolView

__all__ = ["RULE"]


def _check(tool: ToolView) -> Iterator[Hit]:
    for place in unwaived(tool, sent(tool), rule="untagged_union"):
        for keyword in ("anyOf", "oneOf"):
            arms = _objects(place, keyword)
            if place.pointer != "/inputSchema" and len(arms) > 1 and not _have_tag(arms):
                yield Hit(
                    pointer=f"{place.pointer}/{keyword}",
                    message=f"{label(place)} is one of {len(arms)} objects, and nothing tells them apart",
                    fix="give each a required member of the same name with a value of its own",
                )


def _objects(place: Place, keyword: str) -> list[Place]:
    arms: object = place.schema.get(keyword)
    inner = cast("list[object]", arms) if is_list(arms) else []
    found = [replace(place, schema=cast("JsonObject", arm)) for arm in inner if isinstance(arm, Mapping)]
    return [arm for arm in found if isinstance(arm.resolved.get("properties"), Mapping)]


def _have_tag(arms: list[Place]) -> bool:
    return any(_is_tag(name, arms) for name in cast("JsonObject", arms[0].resolved["properties"]))


def _is_tag(name: str, arms: list[Place]) -> bool:
    """Whether `name` is required in every arm, with values that no other arm has."""
    seen: set[str] = set()
    for arm in arms:
        schema: object = arm.resolved["properties"].get(name)
        required: object = arm.resolved.get("required")
        if not isinstance(schema, Mapping) or not is_list(required) or name not in cast("list[object]", required):
            return False
        values = {str(value) for value in replace(arm, schema=cast("JsonObject", schema)).values}
        if not values or values & seen:
            return False
        seen |= values
    return True


RULE = ToolRule(
    id="FF229",
    symbol="untagged-union",
    severity="warning",
    question="wrong_argument",
    evidence="judgement",
    page=Page.read(__doc__),
    check=_check,
)
