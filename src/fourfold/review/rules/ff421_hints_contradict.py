"""Hints that contradict each other.

## What it does

Finds tools with `readOnlyHint: true` and `destructiveHint: true`.

## Why it hurts

Nothing that only reads destroys. One client looks at the first hint and runs it unasked, the other at the second
and asks each time; one of them is wrong.

## Example

```json
{
  "name": "file_find",
  "description": "Find files.",
  "inputSchema": {"type": "object", "properties": {}, "additionalProperties": false},
  "annotations": {"readOnlyHint": true, "destructiveHint": true}
}
```

## Use instead

Decide which it is.

```json
{
  "name": "file_find",
  "description": "Find files.",
  "inputSchema": {"type": "object", "properties": {}, "additionalProperties": false},
  "annotations": {"readOnlyHint": true, "destructiveHint": false}
}
```

## When to ignore

Never.
"""

from __future__ import annotations

from collections.abc import Iterator

from fourfold.review.rule import Hit, Page, ToolRule
from fourfold.review.view import ToolView

__all__ = ["RULE"]


def _check(tool: ToolView) -> Iterator[Hit]:
    # idempotentHint and openWorldHint mean something for reads as well.
    if tool.hint("readOnlyHint") and tool.hint("destructiveHint"):
        yield Hit(
            pointer="/annotations/destructiveHint",
            message="it is annotated as read-only and as destructive",
            fix="set destructiveHint to false, or readOnlyHint if it does write",
        )


RULE = ToolRule(
    id="FF421",
    symbol="hints-contradict",
    severity="error",
    question="autonomy",
    evidence="report",
    sources=("https://github.com/secondsky/sap-skills/pull/103",),
    page=Page.read(__doc__),
    check=_check,
)
