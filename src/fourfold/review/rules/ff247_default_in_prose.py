"""A default that only the description states.

## What it does

Finds optional arguments whose description states a plain default (a number, a listed or a quoted value, true or
false) that the schema leaves out. A default that moves ("the current time") or depends on something else cannot stand
in a schema and is left alone; so is a currency, which should have no default, and an update, where what is left out
stays as it is.

## Why it hurts

Forms, generated code and clients that fill in defaults read the schema. The sentence is what goes stale when the value
changes, and nothing can compare the two.

## Example

```json
{
  "name": "label_list",
  "description": "List labels.",
  "inputSchema": {
    "type": "object",
    "properties": {
      "per_page": {"type": "integer", "minimum": 1, "maximum": 100, "description": "Labels on a page (default: 20)."}
    },
    "additionalProperties": false
  }
}
```

## Use instead

Put the value into the schema; the sentence may stay or go.

```json
{
  "name": "label_list",
  "description": "List labels.",
  "inputSchema": {
    "type": "object",
    "properties": {
      "per_page": {"type": "integer", "minimum": 1, "maximum": 100, "default": 20, "description": "Labels on a page."}
    },
    "additionalProperties": false
  }
}
```

## When to ignore

Where a client is known to send every default that it reads, and the server has to tell a default from a choice.
"""

from __future__ import annotations

import json
from collections.abc import Iterator

from fourfold.contracts.names import is_currency, words
from fourfold.review.arguments import alternatives, arguments
from fourfold.review.place import Place
from fourfold.review.rule import Hit, Page, ToolRule
from fourfold.review.said_default import said_default
from fourfold.review.view import ToolView

__all__ = ["RULE"]

_PATCHES = frozenset(words("update edit modify patch change"))
"""Words of a tool that leaves alone what is left out; a default in its schema would be written."""


def _check(tool: ToolView) -> Iterator[Hit]:
    if _PATCHES & set(tool.words):
        return
    for place in arguments(tool):
        if place.required or is_currency(place.name) or _has_default(place):
            continue
        said = said_default(tool, place)
        if said is not None:
            yield Hit(
                pointer=place.pointer,
                message=f"the default of {place.name}, {json.dumps(said)}, stands only in its description",
                fix="add it to the schema as default",
            )


def _has_default(place: Place) -> bool:
    # A default of null says that there is none.
    return any(each.resolved.get("default") is not None for each in (place, *alternatives(place)))


RULE = ToolRule(
    id="FF247",
    symbol="default-in-prose",
    severity="advice",
    question="wrong_argument",
    evidence="judgement",
    page=Page.read(__doc__),
    check=_check,
)
