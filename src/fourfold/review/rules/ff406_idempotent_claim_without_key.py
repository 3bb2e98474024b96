"""A write that claims to be repeatable and has nothing to know a repeat by.

## What it does

Finds additions with `idempotentHint: true` that take no idempotency key, and whose subject has no name of its own
that a second one would collide with.

## Why it hurts

Clients may repeat an idempotent call by themselves after a timeout. Without a key the server cannot tell the repeat
from a second order, and places both.

## Example

```json
{
  "name": "order_create",
  "description": "Place an order.",
  "inputSchema": {
    "type": "object",
    "properties": {
      "item": {"type": "string", "maxLength": 40},
      "quantity": {"type": "integer", "minimum": 1, "maximum": 99}
    },
    "required": ["item", "quantity"],
    "additionalProperties": false
  },
  "annotations": {
    "readOnlyHint": false,
    "destructiveHint": false,
    "idempotentHint": true,
    "openWorldHint": false
  }
}
```

## Use instead

Take a key, and answer a repeat with the first outcome.

```json
{
  "name": "order_create",
  "description": "Place an order.",
  "inputSchema": {
    "type": "object",
    "properties": {
      "item": {"type": "string", "maxLength": 40},
      "quantity": {"type": "integer", "minimum": 1, "maximum": 99},
      "idempotency_key": {
        "type": "string",
        "minLength": 16,
        "maxLength": 128,
        "description": "The same when you repeat the call"
      }
    },
    "required": ["item", "quantity"],
    "additionalProperties": false
  },
  "annotations": {
    "readOnlyHint": false,
    "destructiveHint": false,
    "idempotentHint": true,
    "openWorldHint": false
  }
}
```

## When to ignore

The server recognises a repeat by the arguments themselves. Say so in the description.
"""

from __future__ import annotations

from collections.abc import Iterator

from fourfold.review.rule import Hit, Page, ToolRule
from fourfold.review.view import ToolView
from fourfold.review.writes import adds, repeats_safely, takes_key, takes_plan

__all__ = ["RULE"]


def _check(tool: ToolView) -> Iterator[Hit]:
    verb = adds(tool)
    if verb is None or not tool.hint("idempotentHint") or tool.tool.contract is not None:
        return
    # A branch or a file of that name exists once, however often it is asked for.
    if not takes_key(tool) and not takes_plan(tool) and not repeats_safely(tool):
        yield Hit(
            pointer="/annotations/idempotentHint",
            message=f"idempotentHint is true, and nothing tells a repeated {verb} from a second one",
            fix="take an idempotency_key, or set idempotentHint to false",
        )


RULE = ToolRule(
    id="FF406",
    symbol="idempotent-claim-without-key",
    severity="warning",
    question="recoverable",
    evidence="report",
    sources=("https://github.com/hostinger/api-mcp-server/issues/68",),
    page=Page.read(__doc__),
    check=_check,
)
