"""A currency that is assumed when nobody names one.

## What it does

Finds currency arguments with a default, in the schema or in their description. Where it is the currency of prices,
which are quoted in one of their own, it is left alone.

## Why it hurts

Whoever forgets the argument gets totals in the wrong currency, and nothing looks wrong: an account priced in EUR is
totalled in USD, until somebody compares it with the bank.

## Example

```json
{
  "name": "quote_total",
  "description": "Total of a quote.",
  "inputSchema": {
    "type": "object",
    "properties": {
      "quote": {"type": "string", "maxLength": 20},
      "currency": {"type": "string", "enum": ["EUR", "USD"], "default": "USD"}
    },
    "required": ["quote"],
    "additionalProperties": false
  }
}
```

## Use instead

Make it required, or take it from the object that the amounts belong to.

```json
{
  "name": "quote_total",
  "description": "Total of a quote, in its own currency.",
  "inputSchema": {
    "type": "object",
    "properties": {"quote": {"type": "string", "maxLength": 20}},
    "required": ["quote"],
    "additionalProperties": false
  }
}
```

## When to ignore

Where only one currency exists; then the argument can go.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from fourfold.contracts.names import is_currency
from fourfold.review.arguments import arguments, explained
from fourfold.review.declared import unwaived
from fourfold.review.place import Place
from fourfold.review.rule import Hit, Page, ToolRule
from fourfold.review.view import ToolView

__all__ = ["RULE"]

_OF_PRICES = re.compile(r"\bprices?\b", re.IGNORECASE)
_SAYS_DEFAULT = re.compile(r"\b[Dd]efaults?\b[^.]{0,20}\b[A-Z]{3}\b|\b[A-Z]{3}\b[^.]{0,12}\b(?:by default|if omitted)")


def _check(tool: ToolView) -> Iterator[Hit]:
    for place in unwaived(tool, arguments(tool), rule="defaulted_currency"):
        if is_currency(place.name) and len(place.values) != 1 and _has_default(place, tool):
            yield Hit(
                pointer=place.pointer,
                message=f"{place.name} has a default, so that a forgotten one goes unnoticed",
                fix="make it required, or take it from what the amounts belong to",
            )


def _has_default(place: Place, tool: ToolView) -> bool:
    text = explained(tool, place)
    if _OF_PRICES.search(text):
        return False
    if place.resolved.get("default"):
        return True
    return not place.required and bool(_SAYS_DEFAULT.search(text))


RULE = ToolRule(
    id="FF218",
    symbol="defaulted-currency",
    severity="warning",
    question="wrong_argument",
    evidence="judgement",
    page=Page.read(__doc__),
    check=_check,
)
