"""A tool's name has characters that a client refuses.

## What it does

Matches each tool's name against the client's pattern.

## Why it hurts

Model APIs answer 400 to the whole request for a dot, a slash or a space in one tool's name. The protocol allows the
dot, so that servers find out from their users.

## Example

```json
{
  "name": "invoice.list",
  "description": "List invoices.",
  "inputSchema": {"type": "object", "properties": {}, "additionalProperties": false}
}
```

## Use instead

Letters, digits, underscores and hyphens, a letter first, are taken everywhere.

```json
{
  "name": "invoice_list",
  "description": "List invoices.",
  "inputSchema": {"type": "object", "properties": {}, "additionalProperties": false}
}
```

## When to ignore

When the clients that you name under `clients` rename tools themselves.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from fourfold.review.fit import Misfit, ToolFit
from fourfold.review.profile import Demand, Profile
from fourfold.review.rule import Page, ToolRule
from fourfold.review.view import ToolView

__all__ = ["RULE"]


def _find(tool: ToolView, _: Profile, demand: Demand) -> Iterator[Misfit]:
    if re.fullmatch(demand.pattern, tool.name) is None:
        yield Misfit(
            pointer="/name" if "name" in tool.tool.definition else "",
            what=f"the name {tool.name[:80]!a} has characters that are refused",
            fix="use letters, digits, underscores and hyphens, and a letter first",
        )


RULE = ToolRule(
    id="FF622",
    symbol="name-charset",
    severity="error",
    question="fits",
    evidence="report",
    sources=(
        "https://github.com/github/copilot-cli/issues/2581",
        "https://github.com/openai/codex/issues/8174",
        "https://github.com/modelcontextprotocol/modelcontextprotocol/issues/1345",
    ),
    page=Page.read(__doc__),
    check=ToolFit("name-charset", _find),
)
