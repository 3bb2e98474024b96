"""A read by its name, a write by its annotations.

## What it does

Finds tools whose name says that they get, list or search, with `readOnlyHint: false`.

## Why it hurts

Clients ask a person before each call, and people learn to say yes without looking. If the hint is right, the name
hides a write, and the model calls it as if it cost nothing.

## Example

```json
{
  "name": "app_list",
  "description": "List apps.",
  "inputSchema": {"type": "object", "properties": {}, "additionalProperties": false},
  "annotations": {
    "readOnlyHint": false,
    "destructiveHint": false,
    "idempotentHint": false,
    "openWorldHint": false
  }
}
```

## Use instead

Say that it reads.

```json
{
  "name": "app_list",
  "description": "List apps.",
  "inputSchema": {"type": "object", "properties": {}, "additionalProperties": false},
  "annotations": {
    "readOnlyHint": true,
    "destructiveHint": false,
    "idempotentHint": true,
    "openWorldHint": false
  }
}
```

## When to ignore

It does write, and everybody who uses it knows. Rename it all the same.
"""

from __future__ import annotations

from collections.abc import Iterator

from fourfold.review.rule import Hit, Page, ToolRule
from fourfold.review.view import ToolView
from fourfold.review.writes import READS, WRITES

__all__ = ["RULE"]

_RUNS = frozenset({"execute", "run"})


def _check(tool: ToolView) -> Iterator[Hit]:
    verb = next((word for word in tool.words[:2] if word in READS), None)
    # find_and_replace begins like a read and is none; a query that is executed may be any statement.
    if tool.hint("readOnlyHint") is False and verb is not None and not (WRITES | _RUNS) & set(tool.words):
        yield Hit(
            pointer="/annotations/readOnlyHint",
            message=f"readOnlyHint is false, and its name says {verb}",
            fix="set readOnlyHint to true; if it does write, name it after that, or make the write a tool of its own",
        )


RULE = ToolRule(
    id="FF418",
    symbol="read-marked-as-write",
    severity="warning",
    question="autonomy",
    evidence="report",
    sources=("https://github.com/argoproj-labs/mcp-for-argocd/issues/137",),
    page=Page.read(__doc__),
    check=_check,
)
