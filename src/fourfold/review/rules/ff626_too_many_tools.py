"""More tools than a client sends.

## What it does

Counts the tools of the catalog against each client's limit, which holds for the tools of all servers together.

## Why it hurts

Copilot's request is refused over 128 tools; Cursor sends the first 40 and says nothing of the others. Choosing among
so many is also where models go wrong.

## Example

```json
{
  "tools": [
    {
      "$times": [
        41,
        {
          "name": "thing_{i}_show",
          "description": "Show thing {i}.",
          "inputSchema": {"type": "object", "properties": {}, "additionalProperties": false}
        }
      ]
    }
  ]
}
```

## Use instead

Offer named sets of tools, and list one set by default.

```json
{
  "tools": [
    {
      "name": "invoice_list",
      "description": "List invoices.",
      "inputSchema": {"type": "object", "properties": {}, "additionalProperties": false}
    },
    {
      "name": "invoice_show",
      "description": "Show an invoice.",
      "inputSchema": {"type": "object", "properties": {}, "additionalProperties": false}
    }
  ]
}
```

## When to ignore

When the server lists fewer to each caller than to the review, or the clients under `clients` search for tools.
"""

from __future__ import annotations

from collections.abc import Iterator

from fourfold.review.fit import CatalogFit, Misfit
from fourfold.review.profile import Demand, Profile
from fourfold.review.rule import CatalogRule, Page
from fourfold.review.view import CatalogView

__all__ = ["RULE"]


def _find(catalog: CatalogView, _: Profile, demand: Demand) -> Iterator[Misfit]:
    count = len(catalog.tools)
    if count > demand.limit:
        yield Misfit(
            pointer="/tools",
            what=f"there are {count} tools, the limit is {demand.limit}",
            fix="offer named sets of tools, and list one set by default",
        )


RULE = CatalogRule(
    id="FF626",
    symbol="too-many-tools",
    severity="error",
    question="fits",
    evidence="report",
    sources=(
        "https://github.com/microsoft/vscode-copilot-release/issues/9375",
        "https://github.com/microsoft/vscode/issues/337428",
        "https://github.com/anyproto/anytype-mcp/issues/5",
    ),
    page=Page.read(__doc__),
    check=CatalogFit("too-many-tools", _find),
)
