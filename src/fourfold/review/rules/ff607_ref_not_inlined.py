"""A reference that could be written out.

## What it does

Finds `$ref` to another part of the same schema, where nothing recurses.

## Why it hurts

One release of Claude Code could not resolve references and fetched no tool of the server at all; Gemini's function
declarations have no references. Written out, the schema is longer; `--fix-schema` does it and says by how much.

## Example

```json
{
  "name": "screen_place",
  "description": "Place a screen.",
  "inputSchema": {
    "type": "object",
    "properties": {"screen": {"$ref": "#/$defs/Screen"}},
    "required": ["screen"],
    "additionalProperties": false,
    "$defs": {
      "Screen": {
        "type": "object",
        "properties": {"x": {"type": "integer", "minimum": 0}},
        "required": ["x"],
        "additionalProperties": false
      }
    }
  }
}
```

## Use instead

Write the schema where it is used. What stands beside a reference limits it further, and is kept.

```json
{
  "name": "screen_place",
  "description": "Place a screen.",
  "inputSchema": {
    "type": "object",
    "properties": {
      "screen": {
        "type": "object",
        "properties": {"x": {"type": "integer", "minimum": 0}},
        "required": ["x"],
        "additionalProperties": false
      }
    },
    "required": ["screen"],
    "additionalProperties": false
  }
}
```

## When to ignore

When one definition is used many times, and the clients that you name under `clients` follow references.
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
            if reference.target is not None and not reference.recursive:
                yield Misfit(
                    pointer=f"{reference.place.pointer}/$ref",
                    what=f"{reference.text} is a reference",
                    fix="write out what it stands for; what stands beside it still applies",
                )


RULE = ToolRule(
    id="FF607",
    symbol="ref-not-inlined",
    severity="warning",
    question="fits",
    evidence="report",
    sources=(
        "https://github.com/anthropics/claude-code/issues/76881",
        "https://github.com/anthropics/claude-code/issues/76040",
        "https://github.com/Goldziher/basemind/issues/50",
    ),
    page=Page.read(__doc__),
    check=ToolFit("ref-not-inlined", _find),
)
