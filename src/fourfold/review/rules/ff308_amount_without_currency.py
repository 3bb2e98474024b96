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

from collections.abc import Iterator

from fourfold.review.amounts import has_currency, is_amount
from fourfold.review.rule import Hit, Page, ToolRule
from fourfold.review.view import ToolView

__all__ = ["RULE"]


def _check(tool: ToolView) -> Iterator[Hit]:
    for place in tool.fields:
        is_value = bool({"number", "integer", "string"} & set(place.types))
        if is_amount(place.name) and is_value and not has_currency(place, place.description):
            yield Hit(
                pointer=place.pointer,
                message=f"{place.name} has no currency beside it or around it",
                fix="put a currency field in the same object",
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
