"""An argument that is a number or free text.

## What it does

Finds arguments that take a number and free text alike. A number or a name (`slug_or_id`) is left alone, and so is a
value whose description shows what text it takes.

## Why it hurts

The schema checks nothing: any text passes, a name where an id is meant, `"all"` where a count is. And models prefer
the form without quotes. An id of 19 digits then goes through a JSON parser as a floating-point number, and its last
digits are gone before the server sees it.

## Example

```json
{
  "name": "note_get",
  "description": "Get a note.",
  "inputSchema": {
    "type": "object",
    "properties": {"id": {"type": ["string", "number"]}},
    "required": ["id"],
    "additionalProperties": false
  }
}
```

## Use instead

Take text only, with a pattern.

```json
{
  "name": "note_get",
  "description": "Get a note.",
  "inputSchema": {
    "type": "object",
    "properties": {"id": {"type": "string", "maxLength": 20, "pattern": "^[0-9]{1,20}$"}},
    "required": ["id"],
    "additionalProperties": false
  }
}
```

## When to ignore

A value that a store keeps or a filter compares, of whatever type it has.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from fourfold.contracts.names import words
from fourfold.review.arguments import alternatives, arguments, explained
from fourfold.review.declared import unwaived
from fourfold.review.place import Place
from fourfold.review.rule import Hit, Page, ToolRule
from fourfold.review.view import ToolView

__all__ = ["RULE"]

_KEYS = frozenset(words("id ids key number iid uuid ref reference"))
_ANYTHING = frozenset(words("value values element member default content cell"))
"""What a store or a filter takes of whatever type it has."""

_SHOWS_TEXT = re.compile(r"""["'`]|\bslug\b|\bname\b""", re.IGNORECASE)


def _check(tool: ToolView) -> Iterator[Hit]:
    for place in unwaived(tool, arguments(tool), rule="number_or_text"):
        if _takes_both(place) and not _SHOWS_TEXT.search(explained(tool, place)):
            is_key = _KEYS & set(words(place.name)[-1:])
            yield Hit(
                pointer=place.pointer,
                message=f"{place.name} is a number or any text, so that the schema refuses next to nothing",
                fix="take text only, with a pattern" if is_key else "take the number only, with its bounds",
            )


def _takes_both(place: Place) -> bool:
    if _ANYTHING & set(words(place.name)[-1:]):
        return False
    open_kinds = [set(each.types) for each in alternatives(place) if not each.values]
    found = set[str]().union(*open_kinds)
    return "string" in found and bool(found & {"integer", "number"})


RULE = ToolRule(
    id="FF240",
    symbol="number-or-text",
    severity="warning",
    question="wrong_argument",
    evidence="report",
    sources=("https://github.com/iswalle/getnote-mcp/issues/15",),
    page=Page.read(__doc__),
    check=_check,
)
