"""An object with free keys.

## What it does

Finds objects in the input that name no members: `{"type": "object"}`, a `dict`, a map with values of one type. Keys
that only a description lists count as unnamed. A JSON Schema as an argument (`output_schema`) has none to name.

## Why it hurts

The model cannot know which keys count, and clients that make schemas strict turn the object into one that must be
empty: the argument can then never be filled.

## Example

```json
{
  "name": "item_tag",
  "description": "Tag an item.",
  "inputSchema": {
    "type": "object",
    "properties": {
      "id": {"type": "string", "maxLength": 20},
      "labels": {"type": "object", "description": "Any key/value pairs."}
    },
    "required": ["id", "labels"],
    "additionalProperties": false
  }
}
```

## Use instead

Name the members. Where the keys are free, take a list of key and value.

```json
{
  "name": "item_tag",
  "description": "Tag an item.",
  "inputSchema": {
    "type": "object",
    "properties": {
      "id": {"type": "string", "maxLength": 20},
      "labels": {
        "type": "array",
        "maxItems": 20,
        "items": {
          "type": "object",
          "properties": {"key": {"type": "string", "maxLength": 40}, "value": {"type": "string", "maxLength": 200}},
          "required": ["key", "value"],
          "additionalProperties": false
        }
      }
    },
    "required": ["id", "labels"],
    "additionalProperties": false
  }
}
```

## When to ignore

A gateway that passes on objects whose shape only another system knows.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from fourfold.contracts.names import words
from fourfold.review.arguments import label, sent
from fourfold.review.declared import unwaived
from fourfold.review.place import Place
from fourfold.review.rule import Hit, Page, ToolRule
from fourfold.review.view import ToolView

__all__ = ["RULE"]

_NAMES_MEMBERS = ("properties", "anyOf", "oneOf", "allOf", "enum", "const", "required")


def _check(tool: ToolView) -> Iterator[Hit]:
    for place in unwaived(tool, sent(tool), rule="free_form_object"):
        if place.pointer != "/inputSchema" and _is_free(place) and words(place.name)[-1:] != ("schema",):
            yield Hit(
                pointer=place.pointer,
                message=f"{label(place)} is an object whose keys no schema names",
                fix="name its members, or take a list of objects with a key and a value",
                severity="advice" if _has_typed_values(place) else None,
            )


def _is_free(place: Place) -> bool:
    schema = place.schema
    names_members = any(schema.get(keyword) for keyword in _NAMES_MEMBERS)
    return "object" in place.types and not names_members and schema.get("additionalProperties") is not False


def _has_typed_values(place: Place) -> bool:
    values: object = place.schema.get("additionalProperties")
    return "patternProperties" in place.schema or (isinstance(values, Mapping) and values != {})


RULE = ToolRule(
    id="FF215",
    symbol="free-form-object",
    severity="warning",
    question="wrong_argument",
    evidence="report",
    sources=("https://github.com/openai/openai-agents-python/pull/4310",),
    page=Page.read(__doc__),
    check=_check,
)
