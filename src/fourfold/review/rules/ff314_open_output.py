"""An output schema that allows anything.

## What it does

Finds output schemas that name no field at all: an object without properties, or one property that may be anything.

## Why it hurts

Such a schema costs tokens and promises nothing. A client that checks results against it checks nothing, and a
change of the result goes unseen.

## Example

```json
{
  "name": "report_get",
  "description": "Show a report.",
  "inputSchema": {"type": "object", "properties": {}, "additionalProperties": false},
  "outputSchema": {"type": "object", "additionalProperties": true}
}
```

## Use instead

Name what is in it.

```json
{
  "name": "report_get",
  "description": "Show a report.",
  "inputSchema": {"type": "object", "properties": {}, "additionalProperties": false},
  "outputSchema": {
    "type": "object",
    "properties": {
      "rows": {
        "type": "array",
        "maxItems": 50,
        "items": {
          "type": "object",
          "properties": {
            "label": {
              "type": "string",
              "maxLength": 40
            },
            "count": {"type": "integer"}
          },
          "required": ["label", "count"]
        }
      }
    },
    "required": ["rows"]
  }
}
```

## When to ignore

A tool that passes on what another system answers, whose shape nobody here knows. Leave the schema out, then.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from fourfold.review.place import Place
from fourfold.review.rule import Hit, Page, ToolRule
from fourfold.review.view import ToolView

__all__ = ["RULE"]

_STRUCTURE = ("properties", "items", "$ref", "anyOf", "oneOf", "allOf", "enum", "const", "patternProperties")


def _check(tool: ToolView) -> Iterator[Hit]:
    # No schema at all is output-schema-missing.
    if not tool.outputs:
        return
    root = tool.outputs[0]
    properties = [place for place in tool.fields if len(place.parents) == 1]
    if not _says_something(root, is_root=True) and not properties:
        yield _hit(root, "the output schema names no field")
    elif len(properties) == 1 and not _says_something(properties[0], is_root=False):
        yield _hit(properties[0], f"{properties[0].name} is the whole result and may be anything")


def _says_something(place: Place, *, is_root: bool) -> bool:
    found = place.resolved
    # A root has to be an object; a property that is just a text says what it is.
    is_scalar = bool(place.types) and not {"object", "array"} & set(place.types)
    # A map from any name to a number says what it holds.
    has_typed_members = isinstance(found.get("additionalProperties"), Mapping) and bool(found["additionalProperties"])
    return has_typed_members or any(found.get(keyword) for keyword in _STRUCTURE) or (is_scalar and not is_root)


def _hit(place: Place, message: str) -> Hit:
    return Hit(pointer=place.pointer, message=message, fix="name the fields of the result, or leave the schema out")


RULE = ToolRule(
    id="FF314",
    symbol="open-output",
    severity="advice",
    question="recoverable",
    evidence="judgement",
    page=Page.read(__doc__),
    check=_check,
)
