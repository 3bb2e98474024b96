"""A price that the model sets.

## What it does

Finds prices among the arguments: `unit_price`, `price_minor`, `sale_price`. Prices that only limit or filter are
left alone: `max_price`, `limit_price`, `strike_price_gte`, and so are those of a tool that maintains the price list
(`update_item`, `set_product_price`). With a Fourfold contract, a price that is declared as an
`Offer` is silent, because it is checked against the list price and the floor.

## Why it hurts

A price belongs to the system that keeps prices. A model takes it from the conversation, from last month's quote or
from nowhere, and every value that fits the type is accepted.

## Example

```json
{
  "name": "quote_create",
  "description": "Create a quote.",
  "inputSchema": {
    "type": "object",
    "properties": {
      "sku": {"type": "string", "maxLength": 20},
      "unit_price_minor": {"type": "integer", "minimum": 0, "maximum": 100000000}
    },
    "required": ["sku", "unit_price_minor"],
    "additionalProperties": false
  }
}
```

## Use instead

Look the price up on the server. If customers do negotiate, take the offer, and check it against the list price and
a floor.

```json
{
  "name": "quote_create",
  "description": "Create a quote at list prices.",
  "inputSchema": {
    "type": "object",
    "properties": {"sku": {"type": "string", "maxLength": 20}},
    "required": ["sku"],
    "additionalProperties": false
  }
}
```

## When to ignore

A tool that maintains the price list under another name, for people who may do that; or an offer that the server
checks.
"""

from __future__ import annotations

from collections.abc import Iterator

from fourfold.contracts.names import is_price, words
from fourfold.review.arguments import arguments, kinds
from fourfold.review.declared import is_offer, unwaived
from fourfold.review.place import Place
from fourfold.review.rule import Hit, Page, ToolRule
from fourfold.review.verbs import verb_of
from fourfold.review.view import ToolView

__all__ = ["RULE"]

_LIMITS = frozenset(
    words(
        """
        limit stop trail trailing strike min max minimum maximum gte lte gt lt from to target threshold below above take
        range cap ceiling floor bid filter offered
        """
    )
)
"""Words of a price that only bounds what somebody else decides."""

_LISTED = frozenset(words("item items product products article articles sku variant variants price prices pricing"))
"""What a price list consists of."""


def _check(tool: ToolView) -> Iterator[Hit]:
    if _keeps_the_list(tool):
        return
    for place in unwaived(tool, arguments(tool), rule="authoritative_price"):
        if _is_set(place) and not is_offer(tool, place):
            yield Hit(
                pointer=place.pointer,
                message=f"{place.name} is a price, and the model sets it",
                fix="look the price up on the server; check an offer against list price and floor",
            )


def _keeps_the_list(tool: ToolView) -> bool:
    # create-item prices an article; order_item_add and add_item_to_cart sell one.
    verb = verb_of(tool.name)
    return bool(tool.words) and {word for word in tool.words if word != verb} <= _LISTED


def _is_set(place: Place) -> bool:
    is_amount = bool({"integer", "number", "string"} & kinds(place))
    return is_amount and is_price(place.name) and not _LIMITS & set(words(place.name))


RULE = ToolRule(
    id="FF205",
    symbol="authoritative-price",
    severity="warning",
    question="autonomy",
    evidence="judgement",
    page=Page.read(__doc__),
    check=_check,
)
