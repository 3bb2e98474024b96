"""A tool near in meaning to another one, with no case that keeps the two apart.

## What it does

Needs `--embeddings`. Compares names and descriptions by a sentence embedding model, and reports of each tool the
nearest one listed before it, where the cosine is 0.85 or more and neither description names the other tool. Other words
for the same thing are seen (`client_remove` beside `customer_delete`); so are siblings that only their things tell
apart.

## Why it hurts

A model chooses by meaning. Two tools that mean nearly the same are chosen for each other when a request is worded
loosely, and every argument of the wrong one may be valid. On 527 published tools of 70 servers, 106 had a neighbour
above 0.8, and nine of ten such pairs stood in one server, where a prefix does not tell them apart.

## Example

```json
{
  "tools": [
    {"name": "customer_delete", "description": "Delete a customer and all their invoices.", "inputSchema": {}},
    {"name": "client_remove", "description": "Delete a customer and all of their invoices.", "inputSchema": {}}
  ]
}
```

## Use instead

```json
{
  "tools": [
    {"name": "customer_delete", "description": "Delete a customer and all their invoices.", "inputSchema": {}},
    {"name": "invoice_send", "description": "Send an invoice by mail.", "inputSchema": {}}
  ]
}
```

## When to ignore

The selection suite has a near-neighbour case for the pair, and models pass it.
"""

from __future__ import annotations

from collections.abc import Iterator

from fourfold.review.nearness import near
from fourfold.review.rule import CatalogRule, Hit, Page
from fourfold.review.view import CatalogView

__all__ = ["RULE"]


def _check(catalog: CatalogView) -> Iterator[Hit]:
    for pair in near(catalog):
        tool, nearest = pair.tool.name, pair.nearest.name
        shared = ", ".join(sorted({*pair.tool.words} & {*pair.nearest.words}))
        yield Hit(
            tool=tool,
            pair=nearest,
            pointer="/description" if pair.tool.description else "/name",
            message=f"{tool} is near in meaning to {nearest}",
            fix=f"say in its description when to call {nearest}, or keep a near_neighbour case for the two",
            evidence=f"cosine {pair.score:.2f}, shared words: {shared or 'none'}",
        )


RULE = CatalogRule(
    id="FF121",
    symbol="near-in-meaning",
    severity="advice",
    question="wrong_tool",
    evidence="judgement",
    page=Page.read(__doc__),
    check=_check,
)
