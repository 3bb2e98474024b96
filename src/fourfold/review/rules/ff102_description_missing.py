"""A tool without a description.

## What it does

Finds tools whose description is missing, empty, or a placeholder such as `TBD`.

## Why it hurts

The description is what a model chooses a tool by. Where it is missing, some clients refuse to call the tool at all, and
the others guess from its name.

## Example

```json
{"name": "invoice_list", "description": "", "inputSchema": {"type": "object", "properties": {}}}
```

## Use instead

```json
{
  "name": "invoice_list",
  "description": "List open invoices. Use when the user asks what is unpaid. Returns number, amount and due date.",
  "inputSchema": {"type": "object", "properties": {}}
}
```

## When to ignore

Never: one sentence is enough.
"""

from __future__ import annotations

from collections.abc import Iterator

from fourfold.review.rule import Hit, Page, ToolRule
from fourfold.review.view import ToolView

__all__ = ["RULE"]

_PLACEHOLDERS = frozenset({"", "tbd", "to do", "description", "no description", "n/a", "none", "null", "..."})


def _check(tool: ToolView) -> Iterator[Hit]:
    text = tool.description.strip().strip(".").lower()
    if text in _PLACEHOLDERS or text == tool.name.lower():
        yield Hit(
            pointer="/description" if "description" in tool.tool.definition else "",
            message=f"{tool.name or 'the tool'} has no description",
            fix="say what it does, when to use it and when not, and what it returns",
        )


RULE = ToolRule(
    id="FF102",
    symbol="description-missing",
    severity="error",
    question="wrong_tool",
    evidence="report",
    sources=(
        "https://github.com/DavidHDev/react-bits/issues/411",
        "https://github.com/IfcOpenShell/IfcOpenShell/issues/8951",
    ),
    page=Page.read(__doc__),
    check=_check,
)
