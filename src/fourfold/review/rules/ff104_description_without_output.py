"""Nothing says what the tool answers.

## What it does

Finds tools without an output schema whose description has no word about the result either, and does not begin with a
verb that names it, such as `List` or `Get`.

## Why it hurts

A model that plans a chain of calls has to know what comes back. Several clients do not show it the output schema, so a
sentence is needed even beside one; without both it invents the fields.

## Example

```json
{
  "name": "order_archive",
  "description": "Archive an order.",
  "inputSchema": {"type": "object", "properties": {}}
}
```

## Use instead

```json
{
  "name": "order_archive",
  "description": "Archive an order. Returns its number and the time of archiving.",
  "inputSchema": {"type": "object", "properties": {}}
}
```

## When to ignore

The tool answers nothing but that it is done, and its name says so.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from fourfold.review.rule import Hit, Page, ToolRule
from fourfold.review.view import ToolView

__all__ = ["RULE"]

_RESULT = re.compile(
    r"\b(?:returns?|returned|returning|responds?|response|results?|outputs?|answers?|yields?|gives?|provides?|shows?"
    r"|displays?|produces?|retrieves?|retrieving|includ(?:es?|ing)|contains?|containing"
    r"|as (?:json|markdown|text|html|csv)|reports?|emits?)\b",
    re.IGNORECASE,
)
_READS = re.compile(
    r"\s*(?:lists?|gets?|fetch(?:es)?|reads?|finds?|search(?:es)?|quer(?:y|ies)|looks? up|checks?|counts?|describes?"
    r"|views?|downloads?|browses?|summari[sz]es?|explains?)\b",
    re.IGNORECASE,
)
"""An opening that names the result: who lists invoices answers a list of invoices."""


def _check(tool: ToolView) -> Iterator[Hit]:
    text = tool.description
    if tool.tool.output_schema is None and text.strip() and not _RESULT.search(text) and not _READS.match(text):
        yield Hit(
            pointer="/description",
            message=f"neither an output schema nor the description of {tool.name} says what it answers",
            fix="add a sentence that begins with Returns, and declare an outputSchema",
        )


RULE = ToolRule(
    id="FF104",
    symbol="description-without-output",
    severity="advice",
    question="recoverable",
    evidence="report",
    sources=("https://github.com/anthropics/claude-code/issues/90150",),
    page=Page.read(__doc__),
    check=_check,
)
