"""The root of an input schema is no object.

## What it does

Finds input schemas whose root does not say `"type": "object"`: a bare union, another type, no type, no schema at all.

## Why it hurts

Every revision of the protocol wants an object there. Clients that check the list throw all of it away for one such
tool: the server looks healthy, its log too, and the model has none of its tools.

## Example

```json
{
  "name": "room_book",
  "description": "Book one room by id or by name.",
  "inputSchema": {
    "anyOf": [
      {
        "type": "object",
        "properties": {"room_id": {"type": "string", "maxLength": 60}},
        "required": ["room_id"],
        "additionalProperties": false
      },
      {
        "type": "object",
        "properties": {"room_name": {"type": "string", "maxLength": 60}},
        "required": ["room_name"],
        "additionalProperties": false
      }
    ]
  }
}
```

## Use instead

Write one object with every property, say in the descriptions which go together, and check that at run time.

```json
{
  "name": "room_book",
  "description": "Book one room. Give exactly one of room_id and room_name.",
  "inputSchema": {
    "type": "object",
    "properties": {
      "room_id": {"type": "string", "maxLength": 60, "description": "Required unless room_name is given."},
      "room_name": {"type": "string", "maxLength": 60, "description": "Required unless room_id is given."}
    },
    "additionalProperties": false
  }
}
```

## When to ignore

Never: the protocol itself demands it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import cast

from fourfold.model.contract import JsonObject
from fourfold.review.fit import Misfit, ToolFit
from fourfold.review.profile import Demand, Profile
from fourfold.review.rule import Page, ToolRule
from fourfold.review.view import ToolView

__all__ = ["RULE"]


def _find(tool: ToolView, _: Profile, __: Demand) -> Iterator[Misfit]:
    what = _what(tool.tool.definition.get("inputSchema"))
    if what:
        yield Misfit(
            pointer="/inputSchema" if "inputSchema" in tool.tool.definition else "",
            what=what,
            fix='make the root one object ("type": "object") with every property in it',
        )


def _what(schema: object) -> str:
    if not isinstance(schema, Mapping):
        return "there is no input schema that is an object"
    kind = cast("JsonObject", schema).get("type")
    if kind == "object":
        return ""
    return "the input schema's root names no type" if kind is None else "the input schema's root is no object"


RULE = ToolRule(
    id="FF601",
    symbol="root-not-object",
    severity="error",
    question="fits",
    evidence="report",
    sources=(
        "https://github.com/anthropics/claude-code/issues/88049",
        "https://github.com/coddingtonbear/obsidian-local-rest-api/issues/352",
        "https://github.com/kirodotdev/Kiro/issues/11027",
    ),
    page=Page.read(__doc__),
    check=ToolFit("root-not-object", _find),
)
