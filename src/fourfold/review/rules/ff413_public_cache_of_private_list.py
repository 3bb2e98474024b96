"""A list of tools that depends on the caller and may be cached for everybody.

## What it does

Finds list answers with `cacheScope: public`, of a catalog whose tools need scopes, or that two callers saw
differently.

## Why it hurts

A shared cache hands one tenant's list to another. The other learns which tools there are, calls them, and is
refused; or one has tools missing that it may use.

## Example

```json
{
  "tools": [
    {
      "name": "a_read",
      "description": "Read a.",
      "inputSchema": {"type": "object", "properties": {}, "additionalProperties": false}
    }
  ],
  "cacheScope": "public",
  "by_principal": {"u1": ["a_read"], "u2": ["a_read", "b_admin"]}
}
```

## Use instead

Say `private` whenever anything in the list depends on who asks.

```json
{
  "tools": [
    {
      "name": "a_read",
      "description": "Read a.",
      "inputSchema": {"type": "object", "properties": {}, "additionalProperties": false}
    }
  ],
  "cacheScope": "private",
  "by_principal": {"u1": ["a_read"], "u2": ["a_read", "b_admin"]}
}
```

## When to ignore

Never.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import cast

from fourfold.review.rule import CatalogRule, Hit, Page
from fourfold.review.view import CatalogView

__all__ = ["RULE"]


def _check(catalog: CatalogView) -> Iterator[Hit]:
    if catalog.catalog.facts.get("cacheScope") == "public" and (reason := _why_private(catalog)):
        yield Hit(
            pointer="/cacheScope",
            message=f"the list may be cached for everybody, and {reason}",
            fix="send cacheScope: private",
        )


def _why_private(catalog: CatalogView) -> str | None:
    # A list answer alone does not show that another caller would get another one.
    needy = [tool.name for tool in catalog.tools if tool.tool.contract is not None and tool.tool.contract.needs]
    if needy:
        return f"{needy[0]} is listed only for callers with its scopes"
    seen: object = catalog.catalog.facts.get("by_principal")
    lists = [*cast("Mapping[str, object]", seen).values()] if isinstance(seen, Mapping) else []
    return "two callers saw different lists" if any(found != lists[0] for found in lists) else None


RULE = CatalogRule(
    id="FF413",
    symbol="public-cache-of-private-list",
    severity="error",
    question="autonomy",
    evidence="report",
    sources=(
        "https://github.com/HelpCode-ai/anythingmcp/pull/533",
        "https://github.com/modelcontextprotocol/modelcontextprotocol/pull/2549",
        "https://github.com/redhat-data-and-ai/template-agent/pull/231",
    ),
    page=Page.read(__doc__),
    check=_check,
)
