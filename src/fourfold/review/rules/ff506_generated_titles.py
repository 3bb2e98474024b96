"""Titles that a library made from the names, in every argument of every tool.

## What it does

Counts the `title` keywords in the input schemas that say nothing but the name of their property in other letters
(`account_id`, `Account Id`), and reports the catalog if they take 100 tokens or more (characters / 4, an estimate).

## Why it hurts

Models read the name; a title repeats it at every turn. Pydantic writes one for each field unless it is told not to,
so that nobody sees them in the code.

## Example

```json
{
  "tools": [
    {
      "$times": [12, {
        "name": "ledger_{i}",
        "description": "Read ledger {i}.",
        "inputSchema": {
          "type": "object",
          "properties": {
            "account_id": {"type": "string", "maxLength": 40, "title": "Account Id"},
            "booking_day": {"type": "string", "format": "date", "title": "Booking Day"}
          }
        }
      }]
    }
  ]
}
```

## Use instead

Leave them out where the schema is made. In Pydantic: a `json_schema_extra` function that drops `title`.

```json
{
  "tools": [
    {
      "$times": [12, {
        "name": "ledger_{i}",
        "description": "Read ledger {i}.",
        "inputSchema": {
          "type": "object",
          "properties": {
            "account_id": {"type": "string", "maxLength": 40},
            "booking_day": {"type": "string", "format": "date"}
          }
        }
      }]
    }
  ]
}
```

## When to ignore

A form that people fill in may show titles. If yours does, they earn their place.
"""

from __future__ import annotations

from collections.abc import Iterator

from fourfold.budget.rendering import compact
from fourfold.budget.tokens import ESTIMATE
from fourfold.contracts.names import words
from fourfold.review.rule import CatalogRule, Hit, Page
from fourfold.review.view import CatalogView

__all__ = ["RULE"]

_MANY = 100


def _check(view: CatalogView) -> Iterator[Hit]:
    titles = [
        title
        for tool in view.tools
        for place in tool.arguments
        if isinstance(title := place.schema.get("title"), str) and words(title) == words(place.name)
    ]
    tokens = sum(ESTIMATE.count(f'"title":{compact(title)},') for title in titles)
    if tokens >= _MANY:
        yield Hit(
            pointer="/tools",
            message=f"{len(titles)} titles of arguments repeat the names; they take about {tokens:,} tokens",
            fix="leave titles out where the schema is made",
            evidence=f"characters / 4: {tokens} tokens in {len(titles)} titles",
        )


RULE = CatalogRule(
    id="FF506",
    symbol="generated-titles",
    severity="advice",
    question="fits",
    evidence="judgement",
    page=Page.read(__doc__),
    check=_check,
)
