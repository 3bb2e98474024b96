"""A payment or refund that is made twice when the call is repeated.

## What it does

Finds tools that pay, charge, refund or transfer money and take neither an idempotency key nor a plan that is used
up.

## Why it hurts

The reply is lost after the money went. The agent, or its client, sends the same call again, and it goes once more.
Nothing that the model can read tells the two apart.

## Example

```json
{
  "name": "payment_refund",
  "description": "Refund a payment.",
  "inputSchema": {
    "type": "object",
    "properties": {
      "payment_reference": {"type": "string", "maxLength": 40},
      "amount_minor": {"type": "integer", "minimum": 1, "maximum": 1000000}
    },
    "required": ["payment_reference", "amount_minor"],
    "additionalProperties": false
  },
  "annotations": {
    "readOnlyHint": false,
    "destructiveHint": true,
    "idempotentHint": false,
    "openWorldHint": true
  }
}
```

## Use instead

Take a key, or execute a plan that can be executed once.

```json
{
  "name": "payment_refund",
  "description": "Refund a payment.",
  "inputSchema": {
    "type": "object",
    "properties": {
      "payment_reference": {"type": "string", "maxLength": 40},
      "amount_minor": {"type": "integer", "minimum": 1, "maximum": 1000000},
      "idempotency_key": {
        "type": "string",
        "minLength": 16,
        "maxLength": 128,
        "description": "The same when you repeat the call"
      }
    },
    "required": ["payment_reference", "amount_minor"],
    "additionalProperties": false
  },
  "annotations": {
    "readOnlyHint": false,
    "destructiveHint": true,
    "idempotentHint": false,
    "openWorldHint": true
  }
}
```

## When to ignore

A sandbox in which the money is not real.
"""

from __future__ import annotations

from collections.abc import Iterator

from fourfold.review.rule import Hit, Page, ToolRule
from fourfold.review.view import ToolView
from fourfold.review.writes import moves_money, takes_key, takes_plan

__all__ = ["RULE"]


def _check(tool: ToolView) -> Iterator[Hit]:
    # Claiming to be idempotent is not enough where money moves.
    if moves_money(tool) and tool.tool.contract is None and not takes_key(tool) and not takes_plan(tool):
        yield Hit(
            pointer="",
            message="it takes no idempotency key, so a repeated call makes or records the payment twice",
            fix="take an idempotency_key, hand it on to whoever moves the money, and answer a repeat with the outcome",
        )


RULE = ToolRule(
    id="FF408",
    symbol="money-without-idempotency",
    severity="error",
    question="recoverable",
    evidence="report",
    sources=(
        "https://github.com/hostinger/api-mcp-server/issues/68",
        "https://github.com/NousResearch/hermes-agent/pull/88821",
        "https://github.com/anthropics/claude-code/issues/36149",
    ),
    page=Page.read(__doc__),
    check=_check,
)
