"""The root of an output schema is no object.

## What it does

Finds output schemas whose root does not say `"type": "object"`.

## Why it hurts

Up to 2025-11-25 the protocol wants an object there. Clients built on the official TypeScript SDK refuse the whole list
for one such tool. From 2026-07-28 on any root is allowed, but older clients stay.

## Example

```json
{
  "name": "upstream_call",
  "description": "Call an upstream tool.",
  "inputSchema": {
    "type": "object",
    "properties": {"name": {"type": "string", "maxLength": 60}},
    "required": ["name"],
    "additionalProperties": false
  },
  "outputSchema": {"description": "Whatever upstream returned."}
}
```

## Use instead

Put the value in a property of an object.

```json
{
  "name": "upstream_call",
  "description": "Call an upstream tool.",
  "inputSchema": {
    "type": "object",
    "properties": {"name": {"type": "string", "maxLength": 60}},
    "required": ["name"],
    "additionalProperties": false
  },
  "outputSchema": {
    "type": "object",
    "properties": {"answer": {"type": "string", "maxLength": 2000}},
    "required": ["answer"],
    "additionalProperties": false
  }
}
```

## When to ignore

When you serve clients of 2026-07-28 only: name them under `clients`.
"""

from __future__ import annotations

from collections.abc import Iterator

from fourfold.review.fit import Misfit, ToolFit
from fourfold.review.profile import Demand, Profile
from fourfold.review.rule import Page, ToolRule
from fourfold.review.view import ToolView

__all__ = ["RULE"]


def _find(tool: ToolView, _: Profile, __: Demand) -> Iterator[Misfit]:
    schema = tool.tool.output_schema
    if schema is not None and schema.get("type") != "object":
        yield Misfit(
            pointer="/outputSchema",
            what="the output schema's root is no object",
            fix='make it an object ("type": "object") with the value in a property',
        )


RULE = ToolRule(
    id="FF603",
    symbol="output-root-not-object",
    severity="error",
    question="fits",
    evidence="report",
    sources=("https://github.com/opentokenz/mcpx/issues/28",),
    page=Page.read(__doc__),
    check=ToolFit("output-root-not-object", _find),
)
