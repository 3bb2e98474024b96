"""A list of tools that changes from one call to the next.

## What it does

Compares two answers to `tools/list` of the same server in the same session, which a live review asks for one after
the other.

## Why it hurts

The definitions stand at the front of every request to the model. If their order or text changes, nothing of it is
cached and all of it is paid for again; a client that compares them with what was approved asks again each time.

## Example

```json
{
  "tools": [
    {
      "name": "a_get",
      "description": "Show a.",
      "inputSchema": {"type": "object", "properties": {}, "additionalProperties": false}
    },
    {
      "name": "b_get",
      "description": "Show b.",
      "inputSchema": {"type": "object", "properties": {}, "additionalProperties": false}
    }
  ],
  "listed_again": [
    {
      "name": "b_get",
      "description": "Show b.",
      "inputSchema": {"type": "object", "properties": {}, "additionalProperties": false}
    },
    {
      "name": "a_get",
      "description": "Show a.",
      "inputSchema": {"type": "object", "properties": {}, "additionalProperties": false}
    }
  ]
}
```

## Use instead

List them in one order, and without times or counters in their text.

```json
{
  "tools": [
    {
      "name": "a_get",
      "description": "Show a.",
      "inputSchema": {"type": "object", "properties": {}, "additionalProperties": false}
    },
    {
      "name": "b_get",
      "description": "Show b.",
      "inputSchema": {"type": "object", "properties": {}, "additionalProperties": false}
    }
  ],
  "listed_again": [
    {
      "name": "a_get",
      "description": "Show a.",
      "inputSchema": {"type": "object", "properties": {}, "additionalProperties": false}
    },
    {
      "name": "b_get",
      "description": "Show b.",
      "inputSchema": {"type": "object", "properties": {}, "additionalProperties": false}
    }
  ]
}
```

## When to ignore

The catalog was deployed anew between the two calls.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import cast

from fourfold.model.contract import JsonObject
from fourfold.review.rule import CatalogRule, Hit, Page
from fourfold.review.view import CatalogView

__all__ = ["RULE"]


def _check(catalog: CatalogView) -> Iterator[Hit]:
    again: object = catalog.catalog.facts.get("listed_again")
    if not isinstance(again, Sequence) or isinstance(again, str):
        return
    first = [tool.tool.definition for tool in catalog.tools]
    second = [cast("JsonObject", tool) for tool in cast("Sequence[object]", again) if isinstance(tool, Mapping)]
    if (difference := _difference(first, second)) is not None:
        yield Hit(
            pointer="/tools",
            message=f"a second tools/list answered otherwise: {difference}",
            fix="list the tools in one order, with nothing in them that changes between calls",
        )


def _difference(first: Sequence[JsonObject], second: Sequence[JsonObject]) -> str | None:
    before, after = ([str(tool.get("name")) for tool in tools] for tools in (first, second))
    # The set first, then the order, then the text: the worst change is the one to name.
    if sorted(before) != sorted(after):
        return f"{len(set(before) ^ set(after))} tools came or went"
    if before != after:
        return "the order is another one"
    changed = [name for name, old, new in zip(before, first, second, strict=True) if old != new]
    return f"the definition of {changed[0]} changed" if changed else None


RULE = CatalogRule(
    id="FF371",
    symbol="list-unstable",
    severity="error",
    question="fits",
    evidence="report",
    sources=(
        "https://github.com/pgEdge/pgedge-postgres-mcp/issues/211",
        "https://github.com/openai/codex/pull/2611",
    ),
    page=Page.read(__doc__),
    check=_check,
)
