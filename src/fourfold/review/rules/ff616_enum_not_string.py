"""An enum with values that are no text.

## What it does

Finds `enum` in input schemas with numbers, booleans or null in it.

## Why it hurts

Gemini's function declarations take text only in an enum and refuse the whole request.

## Example

```json
{
  "name": "report_make",
  "description": "Make a report.",
  "inputSchema": {
    "type": "object",
    "properties": {"quarter": {"type": "integer", "enum": [1, 2, 3, 4]}},
    "required": ["quarter"],
    "additionalProperties": false
  }
}
```

## Use instead

A run of whole numbers is a bounded integer (`--fix-schema` writes it); others are text that the handler reads.

```json
{
  "name": "report_make",
  "description": "Make a report.",
  "inputSchema": {
    "type": "object",
    "properties": {"quarter": {"type": "integer", "minimum": 1, "maximum": 4}},
    "required": ["quarter"],
    "additionalProperties": false
  }
}
```

## When to ignore

When Gemini is no client of yours: name those that are under `clients`.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import cast

from fourfold.review.fit import Misfit, ToolFit, called, places_of
from fourfold.review.profile import Demand, Profile
from fourfold.review.rule import Page, ToolRule
from fourfold.review.view import ToolView

__all__ = ["RULE"]


def _find(tool: ToolView, _: Profile, demand: Demand) -> Iterator[Misfit]:
    for place in places_of(tool, demand):
        values = place.schema.get("enum")
        if isinstance(values, list) and not all(isinstance(each, str) for each in cast("list[object]", values)):
            yield Misfit(
                pointer=f"{place.pointer}/enum",
                what=f"{called(place)} has enum values that are no text",
                fix="use minimum and maximum for a run of whole numbers, else text that the handler reads",
            )


RULE = ToolRule(
    id="FF616",
    symbol="enum-not-string",
    severity="error",
    question="fits",
    evidence="report",
    sources=(
        "https://github.com/chrisdoc/hevy-mcp/issues/1161",
        "https://github.com/anomalyco/opencode/issues/2687",
        "https://github.com/kensho-technologies/kfinance/pull/128",
    ),
    page=Page.read(__doc__),
    check=ToolFit("enum-not-string", _find),
)
