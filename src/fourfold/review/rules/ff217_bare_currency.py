"""A currency that is any text.

## What it does

Finds currency arguments without an enum and without a pattern. Where the description at least says the form, the
finding is advice.

## Why it hurts

`usd` and `USD`, `€` and `EUR` are the same to a person and different branches to code. A model writes each of them
on some day, and the one that the code does not know falls through to a default.

## Example

```json
{
  "name": "balance_get",
  "description": "Balance of the account.",
  "inputSchema": {
    "type": "object",
    "properties": {"currency": {"type": "string", "maxLength": 10}},
    "required": ["currency"],
    "additionalProperties": false
  }
}
```

## Use instead

List the currencies that you accept.

```json
{
  "name": "balance_get",
  "description": "Balance of the account.",
  "inputSchema": {
    "type": "object",
    "properties": {"currency": {"type": "string", "enum": ["EUR", "USD", "CNY"]}},
    "required": ["currency"],
    "additionalProperties": false
  }
}
```

## When to ignore

A converter that takes every ISO 4217 code; give it the pattern `^[A-Z]{3}$`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from fourfold.contracts.names import is_currency
from fourfold.review.arguments import arguments, explained, is_open_text, kinds
from fourfold.review.declared import unwaived
from fourfold.review.rule import Hit, Page, ToolRule
from fourfold.review.view import ToolView

__all__ = ["RULE"]

_FORM = re.compile(r"\bISO[ -]?4217\b|\b(?:three|3)[- ]letter\b", re.IGNORECASE)


def _check(tool: ToolView) -> Iterator[Hit]:
    for place in unwaived(tool, arguments(tool), rule="bare_currency"):
        if is_currency(place.name) and "string" in kinds(place) and is_open_text(place):
            said = _FORM.search(f"{explained(tool, place)}\n{tool.description}") is not None
            yield Hit(
                pointer=place.pointer,
                message=f"{place.name} has its form only in prose"
                if said
                else f"{place.name} is any text: usd, USD and a sign are three values",
                fix="use an enum of the currencies that you accept, or the pattern ^[A-Z]{3}$",
                severity="advice" if said else None,
            )


RULE = ToolRule(
    id="FF217",
    symbol="bare-currency",
    severity="warning",
    question="wrong_argument",
    evidence="judgement",
    page=Page.read(__doc__),
    check=_check,
)
