"""An object named by a sequential number.

## What it does

Finds arguments that identify an object by an integer: `id`, `order_id`, `file_ids`.

## Why it hurts

A number next to a valid one is valid too. A model that mistypes or invents one reads or changes somebody else's
object, unless the server checks the caller's right to each object; tools that run with one service credential often
do not.

## Example

```json
{
  "name": "order_get",
  "description": "Get an order.",
  "inputSchema": {
    "type": "object",
    "properties": {"order_id": {"type": "integer", "minimum": 1, "maximum": 2000000000}},
    "required": ["order_id"],
    "additionalProperties": false
  }
}
```

## Use instead

Name objects by what their users call them, or by a text that cannot be guessed, and check the right to the object
on every call.

```json
{
  "name": "order_get",
  "description": "Get an order.",
  "inputSchema": {
    "type": "object",
    "properties": {"order_reference": {"type": "string", "maxLength": 12, "pattern": "^ORD-[0-9A-Z]{8}$"}},
    "required": ["order_reference"],
    "additionalProperties": false
  }
}
```

## When to ignore

Where the number is what people call the object (an issue number), and every call checks the caller's right to it.
"""

from __future__ import annotations

from collections.abc import Iterator

from fourfold.contracts.names import words
from fourfold.review.arguments import alternatives, arguments
from fourfold.review.place import Place
from fourfold.review.rule import Hit, Page, ToolRule
from fourfold.review.view import ToolView

__all__ = ["RULE"]


def _check(tool: ToolView) -> Iterator[Hit]:
    for place in arguments(tool):
        if words(place.name)[-1:] in (("id",), ("ids",)) and _is_number(place):
            yield Hit(
                pointer=place.pointer,
                message=f"{place.name} is a number that can be guessed or mistyped into somebody else's",
                fix="use a reference that users know or nobody can guess, and check the right to the object each time",
            )


def _is_number(place: Place) -> bool:
    arms = alternatives(place)
    items = [Place(pointer="", schema=each.schema["items"], root=place.root) for each in arms if _is_array(each)]
    return all({"integer", "number"} & set(each.types) and not each.values for each in (items or arms))


def _is_array(place: Place) -> bool:
    return "array" in place.types and isinstance(place.schema.get("items"), dict)


RULE = ToolRule(
    id="FF224",
    symbol="guessable-id",
    severity="advice",
    question="recoverable",
    evidence="report",
    sources=("https://github.com/OWASP/AISVS/issues/1100", "https://github.com/hashicorp/vault-mcp-server/pull/128"),
    page=Page.read(__doc__),
    check=_check,
)
