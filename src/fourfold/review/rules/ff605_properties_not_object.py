"""`properties` is no object.

## What it does

Finds `null` or a list where `properties` should map names to schemas, at any depth.

## Why it hurts

It is no JSON Schema. A nil map that a server serializes as `null` makes model APIs refuse the whole request.

## Example

```json
{
  "name": "user_show",
  "description": "Show the current user.",
  "inputSchema": {"type": "object", "properties": null}
}
```

## Use instead

An object without properties has an empty map.

```json
{
  "name": "user_show",
  "description": "Show the current user.",
  "inputSchema": {"type": "object", "properties": {}, "additionalProperties": false}
}
```

## When to ignore

Never: no validator reads it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from fourfold.review.fit import Misfit, ToolFit, places_of
from fourfold.review.profile import Demand, Profile
from fourfold.review.rule import Page, ToolRule
from fourfold.review.view import ToolView

__all__ = ["RULE"]


def _find(tool: ToolView, _: Profile, demand: Demand) -> Iterator[Misfit]:
    for place in places_of(tool, demand):
        if "properties" in place.schema and not isinstance(place.schema["properties"], Mapping):
            yield Misfit(
                pointer=f"{place.pointer}/properties",
                what="properties is no object",
                fix="map each name to its schema; with none, write {}",
            )


RULE = ToolRule(
    id="FF605",
    symbol="properties-not-object",
    severity="error",
    question="fits",
    evidence="report",
    sources=(
        "https://github.com/inboxapi/cli/issues/106",
        "https://github.com/mark3labs/mcp-go/issues/224",
    ),
    page=Page.read(__doc__),
    check=ToolFit("properties-not-object", _find),
)
