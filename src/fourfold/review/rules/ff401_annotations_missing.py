"""A tool that says nothing about its effect.

## What it does

Finds tools without annotations, or with a title and none of the four hints. It is a warning where all of them only
read by their names, and an error where one of them may write.

## Why it hurts

A list and a delete look the same. Clients that fail closed ask a person before each read; clients that fail open
run deletes unasked. What counts then is the worst: it may write, may destroy, may not be repeated, and reaches
outside.

## Example

```json
{
  "name": "app_delete",
  "description": "Delete an app.",
  "inputSchema": {
    "type": "object",
    "properties": {"name": {"type": "string", "maxLength": 40}},
    "required": ["name"],
    "additionalProperties": false
  }
}
```

## Use instead

Publish all four hints, as they are.

```json
{
  "name": "app_delete",
  "description": "Delete an app.",
  "inputSchema": {
    "type": "object",
    "properties": {"name": {"type": "string", "maxLength": 40}},
    "required": ["name"],
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

Never. They cost ten tokens.
"""

from __future__ import annotations

from collections.abc import Iterator

from fourfold.review.rule import CatalogRule, Hit, Page
from fourfold.review.view import CatalogView

__all__ = ["RULE"]

_HINTS = ("readOnlyHint", "destructiveHint", "idempotentHint", "openWorldHint")


def _check(catalog: CatalogView) -> Iterator[Hit]:
    # A title alone is an annotation, and says nothing about the effect.
    silent = [tool for tool in catalog.tools if all(tool.hint(name) is None for name in _HINTS)]
    reads_alone = all(tool.named_action == "read" for tool in silent)
    for tool in silent:
        yield Hit(
            tool=tool.name,
            pointer="/annotations",
            message="no hint says what it does, so it counts as destructive, unrepeatable and open to the world",
            fix="publish readOnlyHint, destructiveHint, idempotentHint and openWorldHint",
            severity="warning" if reads_alone else None,
        )


RULE = CatalogRule(
    id="FF401",
    symbol="annotations-missing",
    severity="error",
    question="autonomy",
    evidence="report",
    sources=(
        "https://github.com/argoproj-labs/mcp-for-argocd/issues/137",
        "https://github.com/open-mercato/open-mercato/issues/5283",
        "https://github.com/openai/codex/pull/15519",
    ),
    page=Page.read(__doc__),
    check=_check,
)
