"""A description that says neither when to use the tool nor when not.

## What it does

Finds descriptions without any words about the occasion: `use when`, `use this to`, `only for`, `not for`, `instead`,
`before`, `after`, `if you`, in any spelling.

## Why it hurts

What a tool does tells a model that it can be called, not that it should be. In a server with 53 tools of which five
were ever called, the rewrite began with the words "Use when".

## Example

```json
{
  "name": "customer_get_profile",
  "description": "Returns the profile of a customer.",
  "inputSchema": {"type": "object", "properties": {}}
}
```

## Use instead

```json
{
  "name": "customer_get_profile",
  "description": "Returns the profile of a customer. Use when the user asks who a customer is; not for their invoices.",
  "inputSchema": {"type": "object", "properties": {}}
}
```

## When to ignore

A server of one or two tools that cannot be taken for each other, or for a tool of another server.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from fourfold.review.rule import Hit, Page, ToolRule
from fourfold.review.view import ToolView

__all__ = ["RULE"]

_OCCASION = re.compile(
    r"\b(?:use|used|useful|using|call|prefer|invoke|when|whenever|instead|if (?:you|the user|a user|asked)|not for"
    r"|only for|intended for|best for|ideal for|suitable for|helpful|before|after|rather than|don't|do not|for when"
    r"|start here|first step|should|avoid)\b",
    re.IGNORECASE,
)


def _check(tool: ToolView) -> Iterator[Hit]:
    if tool.description.strip() and not _OCCASION.search(tool.description):
        yield Hit(
            pointer="/description",
            message=f"the description of {tool.name} says neither when to use it nor when not",
            fix="add a sentence that begins with Use when, and one that names the tool to use otherwise",
        )


RULE = ToolRule(
    id="FF103",
    symbol="description-without-use",
    severity="advice",
    question="wrong_tool",
    evidence="report",
    sources=("https://github.com/rohitg00/agentmemory/issues/884",),
    page=Page.read(__doc__),
    check=_check,
)
