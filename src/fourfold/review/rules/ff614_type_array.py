"""Several types in one `type`.

## What it does

Finds a list under `type` in input schemas, such as `["array", "null"]`.

## Why it hurts

Gemini's function declarations take one type and refuse the whole request for a list.

## Example

```json
{
  "name": "rows_write",
  "description": "Write rows.",
  "inputSchema": {
    "type": "object",
    "properties": {
      "rows": {"type": ["array", "null"], "maxItems": 50, "items": {"type": "string", "maxLength": 60}}
    },
    "additionalProperties": false
  }
}
```

## Use instead

Give the one type that is meant. An argument that may be absent is not in `required`.

```json
{
  "name": "rows_write",
  "description": "Write rows.",
  "inputSchema": {
    "type": "object",
    "properties": {"rows": {"type": "array", "maxItems": 50, "items": {"type": "string", "maxLength": 60}}},
    "additionalProperties": false
  }
}
```

## When to ignore

When Gemini is no client of yours: name those that are under `clients`.
"""

from __future__ import annotations

from collections.abc import Iterator

from fourfold.review.fit import Misfit, ToolFit, called, places_of
from fourfold.review.profile import Demand, Profile
from fourfold.review.rule import Page, ToolRule
from fourfold.review.view import ToolView

__all__ = ["RULE"]


def _find(tool: ToolView, _: Profile, demand: Demand) -> Iterator[Misfit]:
    for place in places_of(tool, demand):
        kinds = place.schema.get("type")
        if isinstance(kinds, list):
            yield Misfit(
                pointer=f"{place.pointer}/type",
                what=f"{called(place)} has several types",
                fix=_NULL if "null" in kinds else "give one type; a number can be sent as text",
            )


_NULL = (
    "give the one type beside null and leave it out of required; if null has a meaning, take a word or a flag for it"
)


RULE = ToolRule(
    id="FF614",
    symbol="type-array",
    severity="error",
    question="fits",
    evidence="report",
    sources=(
        "https://github.com/zed-industries/zed/issues/32429",
        "https://github.com/github/copilot-cli/issues/4623",
        "https://github.com/sbroenne/mcp-server-excel/issues/672",
    ),
    page=Page.read(__doc__),
    check=ToolFit("type-array", _find),
)
