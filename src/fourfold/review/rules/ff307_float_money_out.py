"""An amount of money that is sent as a number with a fraction.

## What it does

Finds output fields whose name means money (`amount`, `unit_price`, `balance_due`) and whose type is `number`.

## Why it hurts

JSON has no decimals. What is added up from floats differs from the ledger by a cent, and a model that sends the
number back as an amount to refund sends another one than it saw.

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
    "properties": {
      "amount": {"type": "number"},
      "currency": {"type": "string", "enum": ["EUR", "USD"]}
    },
    "required": ["amount", "currency"]
  }
}
```

## Use instead

Send the integer number of minor units, with its currency.

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

Estimates and statistics that nobody books: the average price of a flat.
"""

from __future__ import annotations

from collections.abc import Iterator

from fourfold.review.amounts import is_amount
from fourfold.review.rule import Hit, Page, ToolRule
from fourfold.review.view import ToolView

__all__ = ["RULE"]


def _check(tool: ToolView) -> Iterator[Hit]:
    for place in tool.fields:
        # The build of a catalog of ours refuses this, or has a written reason for it.
        if tool.tool.contract is None and is_amount(place.name) and "number" in place.types:
            yield Hit(
                pointer=place.pointer,
                message=f"{place.name} is money as a floating-point number",
                fix="send the integer number of minor units, or a decimal string",
            )


RULE = ToolRule(
    id="FF307",
    symbol="float-money-out",
    severity="error",
    question="wrong_argument",
    evidence="report",
    sources=("https://github.com/razorpay/razorpay-mcp-server/issues/134",),
    page=Page.read(__doc__),
    check=_check,
)
