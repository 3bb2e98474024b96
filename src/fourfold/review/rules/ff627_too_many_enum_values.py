"""More enum values in one schema than a model API takes.

## What it does

Counts the values of every `enum` in an input schema against the client's limit.

## Why it hurts

OpenAI's strict mode refuses the whole request over 1,000. Each of them costs tokens in every request of every client.

## Example

```json
{
  "name": "airport_show",
  "description": "Show an airport.",
  "inputSchema": {
    "type": "object",
    "properties": {"code": {"type": "string", "enum": [{"$times": [1001, "AP{i}"]}]}},
    "required": ["code"],
    "additionalProperties": false
  }
}
```

## Use instead

Use a pattern, and look the value up in the handler: a value that is not there is answered with those that are near.

```json
{
  "name": "airport_show",
  "description": "Show an airport.",
  "inputSchema": {
    "type": "object",
    "properties": {"code": {"type": "string", "pattern": "^[A-Z]{3}$", "description": "IATA code."}},
    "required": ["code"],
    "additionalProperties": false
  }
}
```

## When to ignore

When strict mode is no client of yours: name those that are under `clients`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sized

from fourfold.review.fit import Misfit, ToolFit, places_of
from fourfold.review.profile import Demand, Profile
from fourfold.review.rule import Page, ToolRule
from fourfold.review.view import ToolView

__all__ = ["RULE"]


def _find(tool: ToolView, _: Profile, demand: Demand) -> Iterator[Misfit]:
    lists = [place.schema.get("enum") for place in places_of(tool, demand)]
    count = sum(len(values) for values in lists if isinstance(values, Sized))
    if count > demand.limit:
        yield Misfit(
            pointer="/inputSchema",
            what=f"the input schema has {count:,} enum values, the limit is {demand.limit:,}",
            fix="use a pattern, and look the value up in the handler",
        )


RULE = ToolRule(
    id="FF627",
    symbol="too-many-enum-values",
    severity="error",
    question="fits",
    evidence="report",
    sources=(
        "https://developers.openai.com/api/docs/guides/structured-outputs",
        "https://jsonschemaprofiles.unitvectorylabs.com/schemas/openai",
    ),
    page=Page.read(__doc__),
    check=ToolFit("too-many-enum-values", _find),
)
