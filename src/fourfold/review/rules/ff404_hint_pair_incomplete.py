"""A read that leaves `destructiveHint` out.

## What it does

Finds tools with `readOnlyHint: true` and no `destructiveHint`.

## Why it hurts

By the protocol the second hint means nothing then. ChatGPT reads it all the same, takes its
default, which is true, and shows every read as destructive.

## Example

```json
{
  "name": "order_query",
  "description": "Query orders.",
  "inputSchema": {"type": "object", "properties": {}, "additionalProperties": false},
  "annotations": {"readOnlyHint": true}
}
```

## Use instead

Publish both.

```json
{
  "name": "order_query",
  "description": "Query orders.",
  "inputSchema": {"type": "object", "properties": {}, "additionalProperties": false},
  "annotations": {"readOnlyHint": true, "destructiveHint": false}
}
```

## When to ignore

Every client that you serve is known to follow the protocol here.
"""

from __future__ import annotations

from collections.abc import Iterator

from fourfold.review.rule import Hit, Page, ToolRule
from fourfold.review.view import ToolView

__all__ = ["RULE"]


def _check(tool: ToolView) -> Iterator[Hit]:
    if tool.hint("readOnlyHint") and tool.hint("destructiveHint") is None:
        yield Hit(
            pointer="/annotations",
            message="readOnlyHint is true and destructiveHint left out, which at least ChatGPT reads as true",
            fix="add destructiveHint: false",
        )


RULE = ToolRule(
    id="FF404",
    symbol="hint-pair-incomplete",
    severity="warning",
    question="autonomy",
    evidence="report",
    sources=("https://github.com/apollographql/apollo-mcp-server/pull/510",),
    page=Page.read(__doc__),
    check=_check,
)
