r"""A description that is a manual.

## What it does

Finds descriptions of more than 250 words that also hold a block of code, numbered steps, headings, or several examples.

## Why it hurts

Every word is sent with every request, whether the tool is called or not. One server's single description took 13,000
tokens. What decides about the call drowns in it, and some clients cut the end.

## Example

```json
{
  "name": "report_run",
  "description": {
    "$concat": [
      "Run a report.\n\n## Usage\n\n1. Choose a metric.\n2. Choose a range.\n\n## Metrics\n\n",
      {"$repeat": ["The metric may be any of those that the warehouse knows, in any of their spellings. ", 20]}
    ]
  },
  "inputSchema": {"type": "object", "properties": {}}
}
```

## Use instead

What it does, when to use it, what it returns. Constraints belong into the schema, the rest into a resource.

```json
{
  "name": "report_run",
  "description": "Run a report. Use for figures over time. Returns rows of date and value.",
  "inputSchema": {
    "type": "object",
    "properties": {"metric": {"type": "string", "enum": ["revenue", "orders"], "description": "What is counted."}},
    "required": ["metric"]
  }
}
```

## When to ignore

A measurement of yours shows that models fail without the text, and that the schema cannot carry it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from fourfold.review.rule import Hit, Page, ToolRule
from fourfold.review.view import ToolView

__all__ = ["RULE"]

_WORDS = 250
"""Words from which a description with examples or steps counts as a manual: five times the median of 1,786 tools."""

_PARTS = {
    "blocks of code": (re.compile(r"```"), 2),
    "numbered steps": (re.compile(r"^[ \t]*(?:\d+[.)]|step \d+)", re.IGNORECASE | re.MULTILINE), 3),
    "headings": (re.compile(r"^[ \t]*#{1,5} ", re.MULTILINE), 2),
    "examples": (re.compile(r"\bexamples?\b", re.IGNORECASE), 3),
}


def _check(tool: ToolView) -> Iterator[Hit]:
    count = len(tool.description.split())
    if count <= _WORDS:
        return
    parts = [name for name, (pattern, least) in _PARTS.items() if len(pattern.findall(tool.description)) >= least]
    if parts:
        yield Hit(
            pointer="/description",
            message=f"the description of {tool.name} is a manual: {count:,} words with {' and '.join(parts)}",
            fix="keep use, non-use and result; move constraints into the schema and examples into a resource",
            evidence=f"{count:,} words",
        )


RULE = ToolRule(
    id="FF116",
    symbol="tutorial-in-description",
    severity="advice",
    question="fits",
    evidence="report",
    sources=(
        "https://github.com/remorses/playwriter/issues/60",
        "https://github.com/kesslerio/vibe-check-mcp/pull/236",
    ),
    page=Page.read(__doc__),
    check=_check,
)
