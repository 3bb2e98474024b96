"""An object with any keys.

## What it does

Finds objects below the root of an input schema that name no properties and take any.

## Why it hurts

OpenAI's strict mode has no such object. Conversions to it make one with no keys, which the model can then never fill,
or give strict mode up for the tool; nothing says which.

## Example

```json
{
  "name": "item_tag",
  "description": "Tag an item.",
  "inputSchema": {
    "type": "object",
    "properties": {"labels": {"type": "object", "description": "Any keys and values."}},
    "required": ["labels"],
    "additionalProperties": false
  }
}
```

## Use instead

A list of pairs says the same and survives.

```json
{
  "name": "item_tag",
  "description": "Tag an item.",
  "inputSchema": {
    "type": "object",
    "properties": {
      "labels": {
        "type": "array",
        "maxItems": 20,
        "items": {
          "type": "object",
          "properties": {"key": {"type": "string", "maxLength": 60}, "value": {"type": "string", "maxLength": 60}},
          "required": ["key", "value"],
          "additionalProperties": false
        }
      }
    },
    "required": ["labels"],
    "additionalProperties": false
  }
}
```

## When to ignore

When strict mode is no client of yours: name those that are under `clients`.
"""

from __future__ import annotations

from collections.abc import Iterator

from fourfold.review.fit import Misfit, ToolFit, called, places_of
from fourfold.review.place import Place
from fourfold.review.profile import Demand, Profile
from fourfold.review.rule import Page, ToolRule
from fourfold.review.view import ToolView

__all__ = ["RULE"]


def _find(tool: ToolView, _: Profile, demand: Demand) -> Iterator[Misfit]:
    for place in places_of(tool, demand):
        if place.name and place.schema.get("type") == "object" and _is_open(place):
            yield Misfit(
                pointer=place.pointer,
                what=f"{called(place)} takes any keys",
                fix="name its properties; if the keys are free, use a list of objects with key and value",
            )


def _is_open(place: Place) -> bool:
    # One that names properties keeps them in strict mode, and loses only the others.
    return not place.schema.get("properties") and place.schema.get("additionalProperties") is not False


RULE = ToolRule(
    id="FF619",
    symbol="any-keys-object",
    severity="warning",
    question="fits",
    evidence="report",
    sources=("https://github.com/openai/openai-agents-python/pull/4310",),
    page=Page.read(__doc__),
    check=ToolFit("any-keys-object", _find),
)
