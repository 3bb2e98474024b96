"""Every schema names the dialect that it would have anyway.

## What it does

Counts input schemas with `"$schema": "https://json-schema.org/draft/2020-12/schema"`, and reports the catalog if these
lines take 100 tokens or more (characters / 4, an estimate). Other dialects are left alone: there the line means
something.

## Why it hurts

The protocol says that a schema without `$schema` is 2020-12. The line is an address of 17 tokens in each tool, at
every turn.

## Example

```json
{
  "tools": [
    {
      "$times": [8, {
        "name": "chart_{i}",
        "description": "Draw a chart of kind {i}.",
        "inputSchema": {
          "$schema": "https://json-schema.org/draft/2020-12/schema",
          "type": "object",
          "properties": {"year": {"type": "integer", "minimum": 2000, "maximum": 2100}}
        }
      }]
    }
  ]
}
```

## Use instead

```json
{
  "tools": [
    {
      "$times": [8, {
        "name": "chart_{i}",
        "description": "Draw a chart of kind {i}.",
        "inputSchema": {
          "type": "object",
          "properties": {"year": {"type": "integer", "minimum": 2000, "maximum": 2100}}
        }
      }]
    }
  ]
}
```

## When to ignore

A client of an old revision that takes a schema without `$schema` for another dialect.
"""

from __future__ import annotations

from collections.abc import Iterator

from fourfold.budget.tokens import ESTIMATE
from fourfold.review.rule import CatalogRule, Hit, Page
from fourfold.review.view import CatalogView

__all__ = ["RULE"]

_MANY = 100
_DEFAULT = "https://json-schema.org/draft/2020-12/schema"


def _check(view: CatalogView) -> Iterator[Hit]:
    found = sum(tool.tool.input_schema.get("$schema") == _DEFAULT for tool in view.tools)
    tokens = found * ESTIMATE.count(f'"$schema":"{_DEFAULT}",')
    if tokens >= _MANY:
        yield Hit(
            pointer="/tools",
            message=f"{found} input schemas name the default dialect; the lines take about {tokens:,} tokens",
            fix="leave $schema out of tool schemas",
            evidence=f"characters / 4: {tokens}",
        )


RULE = CatalogRule(
    id="FF508",
    symbol="needless-dialect",
    severity="advice",
    question="fits",
    evidence="judgement",
    page=Page.read(__doc__),
    check=_check,
)
