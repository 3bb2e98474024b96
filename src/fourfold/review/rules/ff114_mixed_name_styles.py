"""Tool names of one catalog in more than one style.

## What it does

Finds the names that are written otherwise than most of the catalog: `snake_case`, `kebab-case`, `camelCase` or
`PascalCase`. Names of one lower-case word fit every style.

## Why it hurts

A model fills in names by analogy. In a list of `snake_case` names it writes the one in `kebab-case` as `snake_case`
too, and that tool does not exist.

## Example

```json
{
  "tools": [
    {"name": "invoice_list", "description": "List invoices.", "inputSchema": {}},
    {"name": "invoice_get", "description": "Get an invoice.", "inputSchema": {}},
    {"name": "invoice-send", "description": "Send an invoice.", "inputSchema": {}}
  ]
}
```

## Use instead

```json
{
  "tools": [
    {"name": "invoice_list", "description": "List invoices.", "inputSchema": {}},
    {"name": "invoice_get", "description": "Get an invoice.", "inputSchema": {}},
    {"name": "invoice_send", "description": "Send an invoice.", "inputSchema": {}}
  ]
}
```

## When to ignore

The catalog joins servers of several authors, and the old names are in use.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator

from fourfold.review.rule import CatalogRule, Hit, Page
from fourfold.review.view import CatalogView

__all__ = ["RULE"]

_STYLES = {
    "snake_case": re.compile(r"[a-z0-9]+(?:_[a-z0-9]+)+"),
    "kebab-case": re.compile(r"[a-z0-9]+(?:-[a-z0-9]+)+"),
    "camelCase": re.compile(r"[a-z][a-z0-9]*(?:[A-Z][a-z0-9]*)+"),
    "PascalCase": re.compile(r"(?:[A-Z][a-z0-9]*)+"),
}


def _check(catalog: CatalogView) -> Iterator[Hit]:
    styles = {tool.name: _style(tool.name) for tool in catalog.tools}
    counts = Counter(style for style in styles.values() if style)
    if len(counts) < 2:
        return
    most = max(counts, key=lambda style: (counts[style], style))
    for name, style in styles.items():
        if style not in ("", most):
            yield Hit(
                tool=name,
                pointer="/name",
                message=f"{name} is in {style}, and {counts[most]} other names are in {most}",
                fix=f"write it in {most} like the others",
            )


def _style(name: str) -> str:
    """The style of a name; empty for one that fits all, or none."""
    return next((style for style, pattern in _STYLES.items() if pattern.fullmatch(name)), "")


RULE = CatalogRule(
    id="FF114",
    symbol="mixed-name-styles",
    severity="advice",
    question="wrong_tool",
    evidence="report",
    sources=(
        "https://github.com/google-gemini/gemini-cli/issues/25952",
        "https://github.com/webflow/mcp-server/pull/13",
    ),
    page=Page.read(__doc__),
    check=_check,
)
