"""A deletion that its annotations call harmless.

## What it does

Finds tools with `destructiveHint: false` and not `readOnlyHint: true`, whose name says that they delete, drop,
purge or wipe.

## Why it hurts

By the protocol, a write that is not destructive only adds. Clients let such writes run without a word, and offer no
way back.

## Example

```json
{
  "name": "invoice_delete",
  "description": "Delete an invoice.",
  "inputSchema": {
    "type": "object",
    "properties": {"invoice_reference": {"type": "string", "maxLength": 40}},
    "required": ["invoice_reference"],
    "additionalProperties": false
  },
  "annotations": {
    "readOnlyHint": false,
    "destructiveHint": false,
    "idempotentHint": false,
    "openWorldHint": false
  }
}
```

## Use instead

Say what it does.

```json
{
  "name": "invoice_delete",
  "description": "Delete an invoice.",
  "inputSchema": {
    "type": "object",
    "properties": {"invoice_reference": {"type": "string", "maxLength": 40}},
    "required": ["invoice_reference"],
    "additionalProperties": false
  },
  "annotations": {
    "readOnlyHint": false,
    "destructiveHint": true,
    "idempotentHint": true,
    "openWorldHint": false
  }
}
```

## When to ignore

What it deletes can be brought back by another tool of the same server, such as the items of a bin.
"""

from __future__ import annotations

from collections.abc import Iterator

from fourfold.review.rule import Hit, Page, ToolRule
from fourfold.review.view import ToolView
from fourfold.review.writes import destroys

__all__ = ["RULE"]


def _check(tool: ToolView) -> Iterator[Hit]:
    verb = destroys(tool)
    # A read that is named for a deletion is hint-verb-mismatch.
    if tool.hint("destructiveHint") is False and not tool.hint("readOnlyHint") and verb is not None:
        yield Hit(
            pointer="/annotations/destructiveHint",
            message=f"destructiveHint is false, and its name says {verb}",
            fix="set destructiveHint to true, so that a person can be asked",
        )


RULE = ToolRule(
    id="FF403",
    symbol="destructive-hint-mismatch",
    severity="error",
    question="autonomy",
    evidence="report",
    sources=("https://github.com/secondsky/sap-skills/pull/103",),
    page=Page.read(__doc__),
    check=_check,
)
