"""A read with a switch that makes it write.

## What it does

Finds tools that are reads by name or by annotation and take a boolean such as `save`, `overwrite`, `delete_after`
or `update`.

## Why it hurts

Clients let reads run without asking. The switch is inside of the arguments, where no client and no person looks.

## Example

```json
{
  "name": "report_get",
  "description": "Show a report.",
  "inputSchema": {
    "type": "object",
    "properties": {
      "report_reference": {"type": "string", "maxLength": 40},
      "save": {"type": "boolean"}
    },
    "required": ["report_reference"],
    "additionalProperties": false
  },
  "annotations": {
    "readOnlyHint": true,
    "destructiveHint": false,
    "idempotentHint": true,
    "openWorldHint": false
  }
}
```

## Use instead

Make the write a tool of its own.

```json
{
  "tools": [
    {
      "name": "report_get",
      "description": "Show a report.",
      "inputSchema": {
        "type": "object",
        "properties": {"report_reference": {"type": "string", "maxLength": 40}},
        "required": ["report_reference"],
        "additionalProperties": false
      },
      "annotations": {
        "readOnlyHint": true,
        "destructiveHint": false,
        "idempotentHint": true,
        "openWorldHint": false
      }
    },
    {
      "name": "report_save",
      "description": "Save a report.",
      "inputSchema": {
        "type": "object",
        "properties": {
          "report_reference": {"type": "string", "maxLength": 40},
          "idempotency_key": {
            "type": "string",
            "minLength": 16,
            "maxLength": 128,
            "description": "The same when you repeat the call"
          }
        },
        "required": ["report_reference"],
        "additionalProperties": false
      },
      "annotations": {
        "readOnlyHint": false,
        "destructiveHint": false,
        "idempotentHint": false,
        "openWorldHint": false
      }
    }
  ]
}
```

## When to ignore

What it writes is only the caller's own view, such as a cache.
"""

from __future__ import annotations

from collections.abc import Iterator

from fourfold.contracts.names import words
from fourfold.review.rule import Hit, Page, ToolRule
from fourfold.review.view import ToolView

__all__ = ["RULE"]

_SWITCHES = frozenset(
    words(
        "save overwrite delete persist commit update create write apply store remove purge publish send archive execute"
    )
)
_AFTER = frozenset({"after", "if", "missing", "to", "results", "result", "on", "read", "file", "it", "existing"})


def _check(tool: ToolView) -> Iterator[Hit]:
    if tool.action != "read" and not tool.hint("readOnlyHint"):
        return
    for place in tool.arguments:
        first, *rest = words(place.name) or ("",)
        # include_deleted asks for more to read; delete_after does more.
        if "boolean" in place.types and first in _SWITCHES and set(rest) <= _AFTER:
            yield Hit(
                pointer=place.pointer,
                message=f"{place.name} makes a write of what is called a read",
                fix="make the write a tool of its own",
            )


RULE = ToolRule(
    id="FF417",
    symbol="write-switch-on-read",
    severity="warning",
    question="autonomy",
    evidence="judgement",
    page=Page.read(__doc__),
    check=_check,
)
