"""Tool definitions that take more of every request than there is to give.

## What it does

Counts the tokens of all tools as a client sends them (name, description, input schema) and compares with a budget:
10,000, or what the file of the catalog says in `budget_tokens`. The count is characters / 4, which is a tenth too high
on average, so that a tenth over the budget is let through. Over it is a warning; over a budget that the file names, or
over 25,000, an error.

## Why it hurts

The definitions are sent with every request of every conversation, before anybody has asked for anything. Users of
servers with 46 to 80 thousand tokens of tools report that there is no room left for their work, and every token is
paid for at every turn. Of 61 widely used servers, 45 stay under 10,000 (counted with OpenAI's o200k vocabulary).

## Example

```json
{
  "budget_tokens": 60,
  "tools": [
    {
      "name": "ticket_find",
      "description": {"$repeat": ["This tool finds tickets in the many situations in which tickets are needed. ", 3]},
      "inputSchema": {"type": "object", "properties": {"text": {"type": "string", "maxLength": 200}}}
    }
  ]
}
```

## Use instead

Name tool sets and list only the one that is needed; say in a sentence what takes a paragraph; put limits in the
schema. `fourfold budget` shows the most expensive fields.

```json
{
  "budget_tokens": 60,
  "tools": [
    {
      "name": "ticket_find",
      "description": "Find tickets whose title or text has these words.",
      "inputSchema": {"type": "object", "properties": {"text": {"type": "string", "maxLength": 200}}}
    }
  ]
}
```

## When to ignore

A client that searches tools and loads a few at a time sends less. If all yours do, set the rule aside.
"""

from __future__ import annotations

from collections.abc import Iterator
from heapq import nlargest

from fourfold.budget.measure import CatalogTokens, measure
from fourfold.budget.rendering import JSON_TOOLS
from fourfold.budget.tokens import ESTIMATE
from fourfold.review.rule import CatalogRule, Hit, Page
from fourfold.review.view import CatalogView

__all__ = ["RULE"]

_BUDGET = 10_000
_MUCH_TOO_MUCH = 25_000
_MARGIN = 10
"""The part of the budget by which the estimate is too high on average."""

_SHOWN = 3


def _check(view: CatalogView) -> Iterator[Hit]:
    stated: object = view.catalog.facts.get("budget_tokens")
    budget = stated if isinstance(stated, int) and not isinstance(stated, bool) else _BUDGET
    counted = measure(view.catalog, profile=ESTIMATE, rendering=JSON_TOOLS)
    if counted.total > budget + budget // _MARGIN:
        yield Hit(
            pointer="/tools",
            message=f"{len(counted.tools)} tools take about {counted.total:,} tokens of every request, "
            f"{counted.mean:,} a tool; the budget is {budget:,}",
            fix="list a named set of tools, or shorten the worst: " + _worst(counted),
            evidence=f"characters / 4 as JSON: total_tokens {counted.total}, tokens_per_tool {counted.mean}, "
            f"description_share {counted.description_percent} %",
            # A budget that somebody wrote down is a promise; the default is a guess until it is plainly passed.
            severity="error" if budget is stated or counted.total > _MUCH_TOO_MUCH else "warning",
        )


def _worst(counted: CatalogTokens) -> str:
    worst = nlargest(_SHOWN, counted.tools, key=lambda tool: tool.total)
    return ", ".join(f"{ascii(tool.name)[1:-1]} ({tool.total:,})" for tool in worst)


RULE = CatalogRule(
    id="FF501",
    symbol="catalog-over-budget",
    severity="error",
    question="fits",
    evidence="report",
    sources=(
        "https://github.com/github/github-mcp-server/issues/1286",
        "https://github.com/microsoft/azure-devops-mcp/issues/755",
        "https://github.com/Dokploy/mcp/issues/52",
    ),
    page=Page.read(__doc__),
    check=_check,
)
