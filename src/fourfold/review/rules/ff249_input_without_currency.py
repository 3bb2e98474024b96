"""An amount of money as an argument, and no currency anywhere.

## What it does

Finds arguments whose name means an amount of money, where no currency stands in the same object, in one around it, in
their name, or in what is said of them and of the tool. Prices that bound an order or a filter (`limit_price`,
`max_price`) are left alone: what is traded or searched has its own currency.

## Why it hurts

"Refund 50" is 50 of whatever the handler takes for granted. The model was asked in euros, the account is in dollars,
and the call is valid either way.

## Example

```json
{
  "name": "refund_issue",
  "description": "Pay money back.",
  "inputSchema": {
    "type": "object",
    "properties": {
      "payment_reference": {"type": "string", "maxLength": 40},
      "amount_minor": {"type": "integer", "minimum": 1, "maximum": 1000000}
    },
    "required": ["payment_reference", "amount_minor"],
    "additionalProperties": false
  }
}
```

## Use instead

Take the currency as well, and refuse another one than the payment has.

```json
{
  "name": "refund_issue",
  "description": "Pay money back.",
  "inputSchema": {
    "type": "object",
    "properties": {
      "payment_reference": {"type": "string", "maxLength": 40},
      "amount_minor": {"type": "integer", "minimum": 1, "maximum": 1000000},
      "currency": {"type": "string", "enum": ["EUR", "USD"]}
    },
    "required": ["payment_reference", "amount_minor", "currency"],
    "additionalProperties": false
  }
}
```

## When to ignore

A server of a single currency; say which in the description.
"""

from __future__ import annotations

from collections.abc import Iterator

from fourfold.contracts.names import words
from fourfold.review.amounts import has_currency, is_amount
from fourfold.review.arguments import arguments, explained, kinds
from fourfold.review.place import Place
from fourfold.review.rule import Hit, Page, ToolRule
from fourfold.review.view import ToolView

__all__ = ["RULE"]

_ENDS = frozenset(words("amount price fee cost salary revenue subtotal payable payout balance due minor"))
"""Last words of an amount. `payment_option` is something else, and a `payment` is as often its reference."""

_BOUNDS = frozenset(words("limit stop strike trail profit loss bid ask min max minimum maximum"))
"""Words of prices at which an order is filled, and of the ends of a filter."""


def _check(tool: ToolView) -> Iterator[Hit]:
    for place in arguments(tool):
        if _is_sum(place) and not has_currency(place, f"{explained(tool, place)} {tool.description}"):
            yield Hit(
                pointer=place.pointer,
                message=f"{place.name} is an amount of money, and nothing says in which currency",
                fix="require a currency in the same object",
            )


def _is_sum(place: Place) -> bool:
    parts = words(place.name)
    is_named = is_amount(place.name) and parts[-1] in _ENDS and not _BOUNDS & set(parts)
    return is_named and bool(kinds(place) & {"number", "integer", "string"}) and not place.values


RULE = ToolRule(
    id="FF249",
    symbol="input-without-currency",
    severity="warning",
    question="wrong_argument",
    evidence="judgement",
    page=Page.read(__doc__),
    check=_check,
)
