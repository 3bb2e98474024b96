"""An input schema has no `properties`.

## What it does

Finds input schemas that are objects and have no `properties`, as tools without arguments often have.

## Why it hurts

Model APIs in the style of OpenAI answer 400, `object schema missing properties`, and every later prompt of the session
fails with it, whatever it asks.

## Example

```json
{
  "name": "service_ping",
  "description": "Check that the service answers.",
  "inputSchema": {"type": "object", "additionalProperties": false}
}
```

## Use instead

Say that there are none.

```json
{
  "name": "service_ping",
  "description": "Check that the service answers.",
  "inputSchema": {"type": "object", "properties": {}, "additionalProperties": false}
}
```

## When to ignore

When none of your clients sends tools to such an API: name them under `clients`.
"""

from __future__ import annotations

from collections.abc import Iterator

from fourfold.review.fit import Misfit, ToolFit
from fourfold.review.profile import Demand, Profile
from fourfold.review.rule import Page, ToolRule
from fourfold.review.view import ToolView

__all__ = ["RULE"]


def _find(tool: ToolView, _: Profile, __: Demand) -> Iterator[Misfit]:
    root = tool.tool.input_schema
    if root.get("type") == "object" and "properties" not in root:
        yield Misfit(
            pointer="/inputSchema",
            what="the input schema has no properties",
            fix='add "properties": {}',
        )


RULE = ToolRule(
    id="FF604",
    symbol="properties-missing",
    severity="error",
    question="fits",
    evidence="report",
    sources=(
        "https://github.com/bnb-chain/bnbchain-mcp/issues/68",
        "https://github.com/github/copilot-cli/issues/1825",
        "https://github.com/openai/openai-agents-python/pull/454",
    ),
    page=Page.read(__doc__),
    check=ToolFit("properties-missing", _find),
)
