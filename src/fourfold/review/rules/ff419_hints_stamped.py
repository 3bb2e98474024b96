"""The same hints on every tool, reads and writes alike.

## What it does

Finds catalogs of at least four annotated tools, reads and writes among them by their names, whose hints are all the
same.

## Why it hurts

Hints that are stamped on say nothing. A client that trusts them runs deletes like lists, or asks before lists as
before deletes.

## Example

```json
{
  "tools": [
    {
      "name": "app_list",
      "description": "Does it.",
      "inputSchema": {"type": "object", "properties": {}, "additionalProperties": false},
      "annotations": {
        "readOnlyHint": false,
        "destructiveHint": false,
        "idempotentHint": false,
        "openWorldHint": false
      }
    },
    {
      "name": "app_get",
      "description": "Does it.",
      "inputSchema": {"type": "object", "properties": {}, "additionalProperties": false},
      "annotations": {
        "readOnlyHint": false,
        "destructiveHint": false,
        "idempotentHint": false,
        "openWorldHint": false
      }
    },
    {
      "name": "app_create",
      "description": "Does it.",
      "inputSchema": {"type": "object", "properties": {}, "additionalProperties": false},
      "annotations": {
        "readOnlyHint": false,
        "destructiveHint": false,
        "idempotentHint": false,
        "openWorldHint": false
      }
    },
    {
      "name": "app_delete",
      "description": "Does it.",
      "inputSchema": {"type": "object", "properties": {}, "additionalProperties": false},
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

## Use instead

Derive them from what each tool does.

```json
{
  "tools": [
    {
      "name": "app_list",
      "description": "Does it.",
      "inputSchema": {"type": "object", "properties": {}, "additionalProperties": false},
      "annotations": {
        "readOnlyHint": true,
        "destructiveHint": false,
        "idempotentHint": true,
        "openWorldHint": false
      }
    },
    {
      "name": "app_get",
      "description": "Does it.",
      "inputSchema": {"type": "object", "properties": {}, "additionalProperties": false},
      "annotations": {
        "readOnlyHint": true,
        "destructiveHint": false,
        "idempotentHint": true,
        "openWorldHint": false
      }
    },
    {
      "name": "app_create",
      "description": "Does it.",
      "inputSchema": {"type": "object", "properties": {}, "additionalProperties": false},
      "annotations": {
        "readOnlyHint": false,
        "destructiveHint": false,
        "idempotentHint": false,
        "openWorldHint": false
      }
    },
    {
      "name": "app_delete",
      "description": "Does it.",
      "inputSchema": {"type": "object", "properties": {}, "additionalProperties": false},
      "annotations": {
        "readOnlyHint": false,
        "destructiveHint": true,
        "idempotentHint": true,
        "openWorldHint": false
      }
    }
  ]
}
```

## When to ignore

Never.
"""

from __future__ import annotations

from collections.abc import Iterator

from fourfold.review.rule import CatalogRule, Hit, Page
from fourfold.review.view import CatalogView

__all__ = ["RULE"]

_HINTS = ("readOnlyHint", "destructiveHint", "idempotentHint", "openWorldHint")
_FEW = 4


def _check(catalog: CatalogView) -> Iterator[Hit]:
    annotated = [tool for tool in catalog.tools if any(tool.hint(name) is not None for name in _HINTS)]
    kinds = {tuple(tool.hint(name) for name in _HINTS) for tool in annotated}
    # Writes that are annotated as reads are the business of `hint-verb-mismatch`.
    claims_reads = bool(annotated) and annotated[0].hint("readOnlyHint") is True
    actions = {tool.named_action for tool in annotated}
    is_mixed = "read" in actions and bool(actions & {"write", "destroy"})
    if len(annotated) >= _FEW and len(kinds) == 1 and is_mixed and not claims_reads:
        yield Hit(
            pointer="/tools",
            message=f"all {len(annotated)} annotated tools have the same hints, though some read and some write",
            fix="derive the hints of each tool from what it does",
        )


RULE = CatalogRule(
    id="FF419",
    symbol="hints-stamped",
    severity="warning",
    question="autonomy",
    evidence="report",
    sources=(
        "https://github.com/secondsky/sap-skills/pull/103",
        "https://github.com/s-morgan-jeffries/apple-mail-fast-mcp/issues/444",
    ),
    page=Page.read(__doc__),
    check=_check,
)
