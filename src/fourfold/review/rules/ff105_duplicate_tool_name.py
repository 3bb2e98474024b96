"""Two tools of one catalog with one name.

## What it does

Finds names that a catalog lists more than once.

## Why it hurts

Clients keep tools by name. The later one silently replaces the earlier one, or the whole list is refused, and which of
the two a call reaches depends on the client.

## Example

```json
{
  "tools": [
    {"name": "send_email", "description": "Mail a customer.", "inputSchema": {"type": "object"}},
    {"name": "send_email", "description": "Mail an employee.", "inputSchema": {"type": "object"}}
  ]
}
```

## Use instead

```json
{
  "tools": [
    {"name": "customer_send_email", "description": "Mail a customer.", "inputSchema": {"type": "object"}},
    {"name": "employee_send_email", "description": "Mail an employee.", "inputSchema": {"type": "object"}}
  ]
}
```

## When to ignore

Never.
"""

from __future__ import annotations

from collections.abc import Iterator

from fourfold.review.rule import CatalogRule, Hit, Page
from fourfold.review.view import CatalogView

__all__ = ["RULE"]


def _check(catalog: CatalogView) -> Iterator[Hit]:
    seen: dict[str, int] = {}
    for index, tool in enumerate(catalog.tools):
        first = seen.setdefault(tool.name, index)
        if first != index and tool.name:
            yield Hit(
                tool=tool.name,
                pair=tool.name,
                pointer="/name",
                message=f"tools {first} and {index} of the list are both called {tool.name}",
                fix="give each its own name, with the thing that it acts on in it",
            )


RULE = CatalogRule(
    id="FF105",
    symbol="duplicate-tool-name",
    severity="error",
    question="wrong_tool",
    evidence="report",
    sources=(
        "https://github.com/openai/openai-agents-python/pull/3561",
        "https://github.com/langchain-ai/langchain-mcp-adapters/issues/605",
    ),
    page=Page.read(__doc__),
    check=_check,
)
