"""Two tools that a model may take for each other.

## What it does

Compares the tools of a catalog by the words of their names, descriptions and arguments, and reports a pair whose names
mean the same (`search_invoices` beside `find_invoices`), whose descriptions are the same text, or of which one is the
other with a qualifier that the other does not exclude. The finding gives the pair, its similarity and the shared words.

## Why it hurts

Every argument of a call to the wrong sibling is valid, so nothing fails: the answer is that of another question. A
public server had to rewrite its descriptions because models created a new record where they should have added to one.

## Example

```json
{
  "tools": [
    {"name": "search_invoices", "description": "Search the invoices by text.", "inputSchema": {"type": "object"}},
    {"name": "find_invoices", "description": "Find invoices that match a text.", "inputSchema": {"type": "object"}}
  ]
}
```

## Use instead

One tool with the arguments of both. If they are two tasks, say in each description when to call the other, by its name.

```json
{
  "tools": [
    {
      "name": "invoice_search_lines",
      "description": "Search invoices by text in their lines. Not for a known number: use invoice_find for that.",
      "inputSchema": {"type": "object"}
    },
    {"name": "invoice_find", "description": "Find one invoice by its number.", "inputSchema": {"type": "object"}}
  ]
}
```

## When to ignore

A selection suite over your own prompts shows that models keep the two apart.
"""

from __future__ import annotations

from collections.abc import Iterator

from fourfold.review.nearness import nearness
from fourfold.review.overlap import Overlap, confusable
from fourfold.review.rule import CatalogRule, Hit, Page
from fourfold.review.view import CatalogView

__all__ = ["RULE"]


def _check(catalog: CatalogView) -> Iterator[Hit]:
    for overlap in confusable(catalog.tools):
        yield _hit(overlap, nearness(catalog, one=overlap.first, other=overlap.second))


def _hit(overlap: Overlap, cosine: float | None) -> Hit:
    # The later tool gets the finding: in a growing catalog it is the one that was added.
    first, second = overlap.first.name, overlap.second.name
    in_meaning = f" in words, {cosine:.2f} in meaning" if cosine is not None else ""
    return Hit(
        tool=second,
        pair=first,
        pointer="/description" if overlap.second.description else "/name",
        message=f"{second} reads like {first}, and neither description says when to call the other",
        fix=f"merge the two, or name {first} in the description of {second} and say which is for what",
        evidence=f"similarity {overlap.score:.2f}{in_meaning}, shared words: {', '.join(overlap.shared)}",
    )


RULE = CatalogRule(
    id="FF101",
    symbol="overlapping-tools",
    severity="warning",
    question="wrong_tool",
    evidence="report",
    sources=(
        "https://github.com/modelcontextprotocol/servers/pull/4519",
        "https://github.com/open-metadata/OpenMetadata/issues/32076",
    ),
    page=Page.read(__doc__),
    check=_check,
)
