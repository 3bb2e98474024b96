"""An object named by a sequential number.

## What it does

Finds arguments that identify an object by a number: `id`, `order_id`, `file_ids`. An optional one of a read is a filter
and left alone; so are ids of a vocabulary (`type_id`) or of what lives as long as a session (`tab_id`).

## Why it hurts

A number beside a valid one is often valid too. A model that mistypes, swaps or invents one reads or changes another
object, and nothing in the call shows it. It is somebody else's object, unless the server checks the caller's right to
each; tools that run with one service credential often do not.

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
on every call. Where an API leaves no choice, take a second mark of the object (its title) and compare it before a
change.

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

_NO_OBJECTS = frozenset(words("type template category status kind role tab frame window page node step"))
"""Words before `id` of a vocabulary, or of what lives as long as a session."""


def _check(tool: ToolView) -> Iterator[Hit]:
    for place in arguments(tool):
        if (place.required or tool.is_known_write) and _is_id(place) and _is_number(place):
            yield Hit(
                pointer=place.pointer,
                message=f"{place.name} is a number, and a mistyped or invented one may be another object's",
                fix="take a reference that users know or nobody can guess, or compare a second mark before a change",
            )


def _is_id(place: Place) -> bool:
    *before, last = words(place.name) or ("",)
    chosen = isinstance(place.resolved.get("default"), int)
    return last in ("id", "ids") and not _NO_OBJECTS & set(before[-1:]) and not chosen


def _is_number(place: Place) -> bool:
    arms = alternatives(place)
    items = [Place(pointer="", schema=each.schema["items"], root=place.root) for each in arms if _is_array(each)]
    numbers = {"integer", "number"}
    return all(numbers & set(each.types) and "string" not in each.types and not each.values for each in (items or arms))


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
