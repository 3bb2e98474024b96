"""A schema that contains itself.

## What it does

Finds references that lead round in a circle, whether by `$defs` or by a pointer such as `#/properties/nodes/items`,
and those that lead into one.

## Why it hurts

There is no way to write such a schema without a reference. Resolvers of clients and frameworks run into a
`RecursionError`, and the tool list, or the request to the model, is gone.

## Example

```json
{
  "name": "graph_save",
  "description": "Save a graph.",
  "inputSchema": {
    "type": "object",
    "properties": {
      "nodes": {
        "type": "array",
        "maxItems": 50,
        "items": {
          "type": "object",
          "properties": {
            "label": {"type": "string", "maxLength": 60},
            "children": {"type": "array", "maxItems": 50, "items": {"$ref": "#/properties/nodes/items"}}
          },
          "additionalProperties": false
        }
      }
    },
    "additionalProperties": false
  }
}
```

## Use instead

Make it flat: a list whose entries name their parent.

```json
{
  "name": "graph_save",
  "description": "Save a graph.",
  "inputSchema": {
    "type": "object",
    "properties": {
      "nodes": {
        "type": "array",
        "maxItems": 50,
        "items": {
          "type": "object",
          "properties": {
            "label": {"type": "string", "maxLength": 60},
            "parent": {
              "type": "string",
              "maxLength": 60,
              "description": "Label of the parent; left out at the top."
            }
          },
          "required": ["label"],
          "additionalProperties": false
        }
      }
    },
    "additionalProperties": false
  }
}
```

## When to ignore

When the depth is part of the meaning, and your clients are known to follow it.
"""

from __future__ import annotations

from collections.abc import Iterator

from fourfold.review.fit import Misfit, ToolFit, schemas_of
from fourfold.review.profile import Demand, Profile
from fourfold.review.references import references
from fourfold.review.rule import Page, ToolRule
from fourfold.review.view import ToolView

__all__ = ["RULE"]


def _find(tool: ToolView, _: Profile, demand: Demand) -> Iterator[Misfit]:
    for places in schemas_of(tool, demand):
        for reference in references(places):
            if reference.recursive:
                yield Misfit(
                    pointer=f"{reference.place.pointer}/$ref",
                    what=f"{reference.text} leads into a schema that contains itself",
                    fix="make it flat: a list whose entries name their parent",
                )


RULE = ToolRule(
    id="FF608",
    symbol="recursive-ref",
    severity="warning",
    question="fits",
    evidence="report",
    sources=(
        "https://github.com/PrefectHQ/fastmcp/issues/3893",
        "https://github.com/google/adk-python/issues/3870",
        "https://github.com/OpenHands/software-agent-sdk/issues/1955",
    ),
    page=Page.read(__doc__),
    check=ToolFit("recursive-ref", _find),
)
