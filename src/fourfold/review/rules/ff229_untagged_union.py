"""A choice of objects that nothing tells apart.

## What it does

Finds unions of objects inside the input that no required member tells apart: neither one of the same name with other
values in each, nor one that each arm has alone.

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
            "properties": {
              "holder": {"type": "string", "maxLength": 80},
              "iban": {"type": "string", "maxLength": 34}
            },
            "required": ["holder"],
            "additionalProperties": false
          },
          {
            "type": "object",
            "properties": {
              "holder": {"type": "string", "maxLength": 80},
              "card": {"type": "string", "maxLength": 20}
            },
            "required": ["holder"],
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
            marked = all(_is_marked(arm, [*arms[:at], *arms[at + 1 :]]) for at, arm in enumerate(arms))
            if place.pointer != "/inputSchema" and len(arms) > 1 and not marked:
                yield Hit(
                    pointer=f"{place.pointer}/{keyword}",
                    message=f"{label(place)} is one of {len(arms)} objects, and nothing required tells them apart",
                    fix="give each a required member of the same name with a value of its own",
                )


def _objects(place: Place, keyword: str) -> list[Place]:
    arms: object = place.schema.get(keyword)
    inner = cast("list[object]", arms) if is_list(arms) else []
    found = [replace(place, schema=cast("JsonObject", arm)) for arm in inner if isinstance(arm, Mapping)]
    return [arm for arm in found if isinstance(arm.resolved.get("properties"), Mapping)]


def _is_marked(arm: Place, others: list[Place]) -> bool:
    """Whether a member that the arm requires is in no other arm, or has other values there."""
    return any(all(_is_other(name, arm, other) for other in others) for name in _required(arm))


def _is_other(name: str, arm: Place, other: Place) -> bool:
    own, theirs = (cast("JsonObject", each.resolved["properties"]).get(name) for each in (arm, other))
    if theirs is None:
        return own is not None
    values, taken = _values(arm, own), _values(other, theirs)
    return bool(values and taken) and not values & taken


def _values(arm: Place, schema: object) -> set[str]:
    if not isinstance(schema, Mapping):
        return set()
    return {str(value) for value in replace(arm, schema=cast("JsonObject", schema)).values}


def _required(arm: Place) -> set[str]:
    names: object = arm.resolved.get("required")
    return {name for name in cast("list[object]", names) if isinstance(name, str)} if is_list(names) else set()


RULE = ToolRule(
    id="FF229",
    symbol="untagged-union",
    severity="warning",
    question="wrong_argument",
    evidence="judgement",
    page=Page.read(__doc__),
    check=_check,
)
