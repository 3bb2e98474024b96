"""An enum of more than 25 values.

## What it does

Finds enums in the input with more than 25 values. A vocabulary of the server's own kinds (`column_type`, `function`) is
left alone up to three times as many: no model could guess it.

## Why it hurts

Each value is paid for in every request of every conversation, used or not. A new value is a new release, and until
then the model cannot send it.

## Example

```json
{
  "name": "city_weather",
  "description": "Weather of a city.",
  "inputSchema": {
    "type": "object",
    "properties": {
      "city": {
        "type": "string",
        "enum": [
          "city-1",
          "city-2",
          "city-3",
          "city-4",
          "city-5",
          "city-6",
          "city-7",
          "city-8",
          "city-9",
          "city-10",
          "city-11",
          "city-12",
          "city-13",
          "city-14",
          "city-15",
          "city-16",
          "city-17",
          "city-18",
          "city-19",
          "city-20",
          "city-21",
          "city-22",
          "city-23",
          "city-24",
          "city-25",
          "city-26",
          "city-27",
          "city-28",
          "city-29",
          "city-30"
        ]
      }
    },
    "required": ["city"],
    "additionalProperties": false
  }
}
```

## Use instead

A vocabulary that lives in a table is a pattern and a lookup on the server, with an error that names the nearest
values.

```json
{
  "name": "city_weather",
  "description": "Weather of a city.",
  "inputSchema": {
    "type": "object",
    "properties": {"city": {"type": "string", "maxLength": 40, "pattern": "^[a-z0-9-]{2,40}$"}},
    "required": ["city"],
    "additionalProperties": false
  }
}
```

## When to ignore

A vocabulary that never changes and that the model would otherwise get wrong.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import cast

from fourfold.contracts.names import words
from fourfold.contracts.rules_of_shape import MAX_ENUM
from fourfold.review.arguments import is_list, label, sent
from fourfold.review.declared import unwaived
from fourfold.review.rule import Hit, Page, ToolRule
from fourfold.review.view import ToolView

__all__ = ["RULE"]

_OWN = frozenset(words("type types kind kinds function operator event action"))
"""Last words of a vocabulary that only the server knows."""

_OWN_FACTOR = 3


def _check(tool: ToolView) -> Iterator[Hit]:
    for place in unwaived(tool, sent(tool), rule="large_enum"):
        values: object = place.schema.get("enum")
        count = len(cast("Sequence[object]", values)) if is_list(values) else 0
        if count > MAX_ENUM * (_OWN_FACTOR if _OWN & set(words(label(place))[-1:]) else 1):
            yield Hit(
                pointer=f"{place.pointer}/enum",
                message=f"{label(place)} has {count} values, and each is paid for in every request",
                fix="use a pattern and look the value up on the server, with the nearest values in the error",
            )


RULE = ToolRule(
    id="FF225",
    symbol="long-enum",
    severity="advice",
    question="wrong_argument",
    evidence="judgement",
    page=Page.read(__doc__),
    check=_check,
)
