"""An output schema that is far larger than everything else that the tool says.

## What it does

Finds output schemas of 1,400 tokens or more (characters / 4, an estimate) that take more than five times what name,
description and input schema take together.

## Why it hurts

Most model APIs have no place for an output schema, so that clients keep it to check results. A client that hands on
the list as it is pays for it at every turn, and a schema of every field of an upstream API tells a model nothing that
the result itself doesn't. Of 61 widely used servers, one has an output schema of 16 thousand tokens.

## Example

```json
{
  "name": "place_get",
  "description": "Read a place.",
  "inputSchema": {"type": "object", "properties": {"place": {"type": "string", "maxLength": 40}}},
  "outputSchema": {
    "type": "object",
    "properties": {
      "raw": {
        "type": "object",
        "description": {"$repeat": ["A field of the upstream service, as it comes. ", 130]}
      }
    }
  }
}
```

## Use instead

Return the fields that somebody acts on, and describe those.

```json
{
  "name": "place_get",
  "description": "Read a place.",
  "inputSchema": {"type": "object", "properties": {"place": {"type": "string", "maxLength": 40}}},
  "outputSchema": {
    "type": "object",
    "properties": {"name": {"type": "string", "maxLength": 80}, "is_open": {"type": "boolean"}},
    "required": ["name", "is_open"]
  }
}
```

## When to ignore

If the schema is what programs are generated from, and no client of yours shows it to a model, it costs nothing.
"""

from __future__ import annotations

from collections.abc import Iterator

from fourfold.budget.measure import tokens_of_tool
from fourfold.budget.rendering import JSON_TOOLS
from fourfold.budget.tokens import ESTIMATE
from fourfold.review.rule import Hit, Page, ToolRule
from fourfold.review.view import ToolView

__all__ = ["RULE"]

_LARGE = 1_400
_TIMES = 5


def _check(tool: ToolView) -> Iterator[Hit]:
    counted = tokens_of_tool(tool.tool, profile=ESTIMATE, rendering=JSON_TOOLS)
    if counted.output_schema >= _LARGE and counted.output_schema > _TIMES * counted.total:
        yield Hit(
            pointer="/outputSchema",
            message=f"the output schema takes about {counted.output_schema:,} tokens where a client sends it, "
            f"everything else {counted.total:,}",
            fix="return and describe the fields that somebody acts on",
            evidence=f"characters / 4 as JSON: {counted.output_schema} to {counted.total}",
        )


RULE = ToolRule(
    id="FF505",
    symbol="heavy-output-schema",
    severity="advice",
    question="fits",
    evidence="judgement",
    page=Page.read(__doc__),
    check=_check,
)
