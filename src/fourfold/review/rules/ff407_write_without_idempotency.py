"""A write that runs twice when it is repeated.

## What it does

Finds additions (`create`, `send`, `submit`, `append`) that take no idempotency key, execute no plan, are not
annotated as idempotent, and whose subject has no name of its own that a second one would collide with.

## Why it hurts

Agents repeat calls: after a timeout, after a lost connection, and some clients send each call twice. Every repeat
makes another record, and nobody can tell afterwards which one was meant.

## Example

```json
{
  "name": "site_create",
  "description": "Create a website.",
  "inputSchema": {
    "type": "object",
    "properties": {
      "order": {"type": "integer", "minimum": 1, "maximum": 100000},
      "domain": {"type": "string", "maxLength": 40}
    },
    "required": ["order", "domain"],
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

Take a key and keep the outcome under it.

```json
{
  "name": "site_create",
  "description": "Create a website.",
  "inputSchema": {
    "type": "object",
    "properties": {
      "order": {"type": "integer", "minimum": 1, "maximum": 100000},
      "domain": {"type": "string", "maxLength": 40},
      "idempotency_key": {
        "type": "string",
        "minLength": 16,
        "maxLength": 128,
        "description": "The same when you repeat the call"
      }
    },
    "required": ["order", "domain"],
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

A second one does no harm, such as a line in a log.
"""

from __future__ import annotations

from collections.abc import Iterator

from fourfold.review.rule import Hit, Page, ToolRule
from fourfold.review.view import ToolView
from fourfold.review.writes import adds, hides_fields, moves_money, repeats_safely, takes_key, takes_plan

__all__ = ["RULE"]


def _check(tool: ToolView) -> Iterator[Hit]:
    verb = adds(tool)
    if verb is None or tool.tool.contract is not None or tool.hint("idempotentHint") or moves_money(tool):
        return
    # A branch or a file of that name exists once, however often it is asked for.
    if not hides_fields(tool) and not takes_key(tool) and not takes_plan(tool) and not repeats_safely(tool):
        yield Hit(
            pointer="",
            message=f"nothing tells a repeated {verb} from a second one: it takes no idempotency key",
            fix="take an idempotency_key and answer a repeat with the first outcome",
        )


RULE = ToolRule(
    id="FF407",
    symbol="write-without-idempotency",
    severity="error",
    question="recoverable",
    evidence="report",
    sources=(
        "https://github.com/hostinger/api-mcp-server/issues/68",
        "https://github.com/SzamosiMate/tapir-archicad-MCP/issues/23",
        "https://github.com/anthropics/claude-code/issues/36149",
    ),
    page=Page.read(__doc__),
    check=_check,
)
