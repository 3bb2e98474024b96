"""An argument's name has characters that a client refuses.

## What it does

Matches the names of the arguments at the top of an input schema against the client's pattern.

## Why it hurts

Names that were copied from a REST API (`filter[id]`, `$top`, `StartTime<`) make the Claude API answer 400 to the whole
request: no tool of any server is left in the session. It looks at the names at the top only. Gemini's function
declarations take letters, digits and underscores, so that a hyphen or a dot is advice.

## Example

```json
{
  "name": "call_list",
  "description": "List calls.",
  "inputSchema": {
    "type": "object",
    "properties": {"StartTime<": {"type": "string", "maxLength": 60}},
    "additionalProperties": false
  }
}
```

## Use instead

Name it for the model, and map the name back in the handler. Two names must not become one.

```json
{
  "name": "call_list",
  "description": "List calls.",
  "inputSchema": {
    "type": "object",
    "properties": {"started_before": {"type": "string", "maxLength": 60}},
    "additionalProperties": false
  }
}
```

## When to ignore

When the clients that you name under `clients` rename arguments themselves.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from fourfold.review.fit import Misfit, ToolFit, top_level
from fourfold.review.profile import Demand, Profile
from fourfold.review.rule import Page, ToolRule
from fourfold.review.view import ToolView

__all__ = ["RULE"]


def _find(tool: ToolView, _: Profile, demand: Demand) -> Iterator[Misfit]:
    for place in top_level(tool):
        if re.fullmatch(demand.pattern, place.name) is None:
            yield Misfit(
                pointer=place.pointer,
                what=f"the argument's name {place.name[:80]!a} has characters that are refused",
                fix="use letters, digits and underscores, and map the name back in the handler",
            )


RULE = ToolRule(
    id="FF623",
    symbol="property-key-charset",
    severity="error",
    question="fits",
    evidence="report",
    sources=(
        "https://github.com/twilio-labs/mcp/issues/56",
        "https://github.com/erikmaday/unusual-whales-mcp/pull/57",
        "https://github.com/ComposioHQ/composio/issues/3500",
    ),
    page=Page.read(__doc__),
    check=ToolFit("property-key-charset", _find),
)
