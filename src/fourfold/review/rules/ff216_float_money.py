"""An amount of money as a floating-point number.

## What it does

Finds arguments whose name means money (`amount`, `price`, `total`, `fee`) and whose type is `number`. It is an error
where the tool moves the money, a warning where it is written down, advice where it is only shown. The bounds of a
filter (`price_gte`, `min_amount`) are left alone.

## Why it hurts

JSON has no decimal type. A sum that the server computes and a sum that the ledger computes differ by a cent; and
where the number stands for minor units, a fraction is cut off without a word. A third of a hundred, 33.333333, fits
the type and is rounded where nobody sees it.

## Example

```json
{
  "name": "refund_create",
  "description": "Refund a payment.",
  "inputSchema": {
    "type": "object",
    "properties": {
      "payment": {"type": "string", "maxLength": 20},
      "amount": {"type": "number", "minimum": 0, "maximum": 10000}
    },
    "required": ["payment", "amount"],
    "additionalProperties": false
  }
}
```

## Use instead

Take an integer in minor units, with the unit in its name and the currency beside it. Where prices have more places
than the currency, take a string with a pattern for decimal numbers.

```json
{
  "name": "refund_create",
  "description": "Refund a payment.",
  "inputSchema": {
    "type": "object",
    "properties": {
      "payment": {"type": "string", "maxLength": 20},
      "amount_minor": {"type": "integer", "minimum": 1, "maximum": 1000000},
      "currency": {"type": "string", "enum": ["EUR", "USD"]}
    },
    "required": ["payment", "amount_minor", "currency"],
    "additionalProperties": false
  }
}
```

## When to ignore

An amount that nothing computes with, where a cent decides nothing.
"""

from __future__ import annotations

from collections.abc import Iterator

from fourfold.contracts.names import is_money, words
from fourfold.model.finding import Severity
from fourfold.review.arguments import arguments, kinds
from fourfold.review.declared import unwaived
from fourfold.review.place import Place
from fourfold.review.rule import Hit, Page, ToolRule
from fourfold.review.view import ToolView
from fourfold.review.writes import moves_money

__all__ = ["RULE"]

_NO_MONEY = frozenset(words("tokens token time tax impact energy balance strike trail net gross minor charge"))
"""Words that stand for money in some names only."""

_BOUNDS = frozenset(words("gte lte gt lt min max minimum maximum above below threshold"))
"""Words of the bounds of a filter, where a cent decides nothing."""

_SURE = frozenset(words("amount price fee cost refund payment salary revenue subtotal payable discount"))


def _check(tool: ToolView) -> Iterator[Hit]:
    for place in unwaived(tool, arguments(tool), rule="float_money"):
        if _is_money(place) and "number" in kinds(place) and not place.values:
            yield Hit(
                pointer=place.pointer,
                message=f"{place.name} is an amount of money and a floating-point number",
                fix="use an integer in minor units, named so, or a decimal string with a pattern; name the currency",
                severity=_severity(tool),
            )


def _severity(tool: ToolView) -> Severity | None:
    if tool.action == "read":
        return "advice"
    return None if moves_money(tool) else "warning"


def _is_money(place: Place) -> bool:
    parts = set(words(place.name))
    if _BOUNDS & parts:
        return False
    # "total" and "balance" count other things as often as money; with one of the sure words they don't.
    return is_money(place.name) and (bool(_SURE & parts) or not _NO_MONEY & parts)


RULE = ToolRule(
    id="FF216",
    symbol="float-money",
    severity="error",
    question="wrong_argument",
    evidence="report",
    sources=("https://github.com/razorpay/razorpay-mcp-server/issues/134",),
    page=Page.read(__doc__),
    check=_check,
)
