"""An array without `items`.

## What it does

Finds arrays in an input schema, at any depth, that do not say what their items are.

## Why it hurts

Copilot in VS Code refuses the tool, OpenAI and Gemini the whole request. Conversions from OpenAPI and untyped lists
leave such arrays; clients that are loose about it hide them until somebody uses another one.

## Example

```json
{
  "name": "schedule_set",
  "description": "Set the days of a schedule.",
  "inputSchema": {
    "type": "object",
    "properties": {"days": {"type": "array", "maxItems": 7, "description": "Days of the week."}},
    "required": ["days"],
    "additionalProperties": false
  }
}
```

## Use instead

Say what the items are.

```json
{
  "name": "schedule_set",
  "description": "Set the days of a schedule.",
  "inputSchema": {
    "type": "object",
    "properties": {"days": {"type": "array", "maxItems": 7, "items": {"type": "string", "enum": ["mon", "tue"]}}},
    "required": ["days"],
    "additionalProperties": false
  }
}
```

## When to ignore

Never: an item of any kind is `"items": {}`, though a type helps the model.
"""

from __future__ import annotations

from collections.abc import Iterator

from fourfold.review.fit import Misfit, ToolFit, places_of
from fourfold.review.profile import Demand, Profile
from fourfold.review.rule import Page, ToolRule
from fourfold.review.view import ToolView

__all__ = ["RULE"]


def _find(tool: ToolView, _: Profile, demand: Demand) -> Iterator[Misfit]:
    for place in places_of(tool, demand):
        kind = place.schema.get("type")
        is_array = kind == "array" or (isinstance(kind, list) and "array" in kind)
        if is_array and "items" not in place.schema:
            yield Misfit(
                pointer=place.pointer,
                what=f"the array{f' {place.name}' if place.name else ''} does not say what its items are",
                fix="add items with the type of one item",
            )


RULE = ToolRule(
    id="FF606",
    symbol="array-without-items",
    severity="error",
    question="fits",
    evidence="report",
    sources=(
        "https://github.com/microsoft/vscode/issues/246119",
        "https://github.com/digitalocean-labs/mcp-digitalocean/issues/265",
        "https://github.com/boshyxd/robloxstudio-mcp/issues/72",
    ),
    page=Page.read(__doc__),
    check=ToolFit("array-without-items", _find),
)
