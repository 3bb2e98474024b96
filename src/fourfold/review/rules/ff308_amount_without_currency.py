"""An amount of money in a result that has no currency.

## What it does

Finds output fields whose name means money, with no field for the currency in the same object or in one around it,
and no currency in their own name or description.

## Why it hurts

An account in euros gets totalled in dollars, because dollars are what the reader assumed. Nothing in the result
says otherwise.

## Example

```json
{
  "name": "invoice_get",
  "description": "Show one invoice.",
  "inputSchema": {
    "type": "object",
    "properties": {"invoice_reference": {"type": "string", "maxLength": 40}},
    "required": ["invoice_reference"],
    "additionalProperties": false
  },
  "outputSchema": {
    "type": "object",
    "properties": {"amount_minor": {"type": "integer"}},
    "required": ["amount_minor"]
  }
}
```

## Use instead

Put the currency beside the amount.

```json
{
  "name": "invoice_get",
  "description": "Show one invoice.",
  "inputSchema": {
    "type": "object",
    "properties": {"invoice_reference": {"type": "string", "maxLength": 40}},
    "required": ["invoice_reference"],
    "additionalProperties": false
  },
  "outputSchema": {
    "type": "object",
    "properties": {
      "amount_minor": {"type": "integer"},
      "currency": {"type": "string", "enum": ["EUR", "USD"]}
    },
    "required": ["amount_minor", "currency"]
  }
}
```

## When to ignore

A server of a single currency that says so in its instructions.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from fourfold.contracts.names import is_currency, words
from fourfold.review.amounts import is_amount
from fourfold.review.place import Place, property_names
from fourfold.review.rule import Hit, Page, ToolRule
from fourfold.review.view import ToolView

__all__ = ["RULE"]

_CURRENCY = re.compile(
    r"\b(?:USD|EUR|GBP|JPY|CNY|CHF|INR|dollars?|euros?|pounds?|currency|cents)\b|[$€£¥]", re.IGNORECASE
)
_CODES = frozenset({"usd", "eur", "gbp", "jpy", "cny", "chf", "inr", "currency"})


def _check(tool: ToolView) -> Iterator[Hit]:
    for place in tool.fields:
        if is_amount(place.name) and {"number", "integer", "string"} & set(place.types) and not _is_told(place):
            yield Hit(
                pointer=place.pointer,
                message=f"{place.name} has no currency beside it or around it",
                fix="put a currency field in the same object",
            )


def _is_told(place: Place) -> bool:
    # A currency of the invoice holds for each of its lines.
    around = [name for parent in place.parents for name in property_names(parent)]
    return (
        any(is_currency(name) for name in around)
        or bool(_CODES & set(words(place.name)))
        or _CURRENCY.search(place.description) is not None
    )


RULE = ToolRule(
    id="FF308",
    symbol="amount-without-currency",
    severity="warning",
    question="wrong_argument",
    evidence="judgement",
    page=Page.read(__doc__),
    check=_check,
)
