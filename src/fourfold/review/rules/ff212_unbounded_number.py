"""A number without both bounds.

## What it does

Finds numbers that have no minimum or no maximum, and no enum. A place in a list (`page`, `offset`, `row_index`) and a
version need only a minimum. Numbers that count nothing are left alone: ids, coordinates, vectors, the bounds of a
filter (`price_gte`), a `value` of whatever field. How many results one page may have is another rule
(limit-without-maximum).

## Why it hurts

A model that misreads a prompt sends what no domain allows: a discount of 150 per cent, a quantity of minus one, a
timeout of a year. Bounds in the schema stop it before the handler does something with it.

## Example

```json
{
  "name": "discount_set",
  "description": "Set a discount.",
  "inputSchema": {
    "type": "object",
    "properties": {"percent": {"type": "integer", "minimum": 0}},
    "required": ["percent"],
    "additionalProperties": false
  }
}
```

## Use instead

Give both bounds, as tight as the domain allows.

```json
{
  "name": "discount_set",
  "description": "Set a discount.",
  "inputSchema": {
    "type": "object",
    "properties": {"percent": {"type": "integer", "minimum": 0, "maximum": 100}},
    "required": ["percent"],
    "additionalProperties": false
  }
}
```

## When to ignore

Where every number has a meaning, such as the value of a formula.
"""

from __future__ import annotations

from collections.abc import Iterator

from fourfold.contracts.names import words
from fourfold.review.arguments import label, sent
from fourfold.review.declared import unwaived
from fourfold.review.paging import is_limit
from fourfold.review.place import Place
from fourfold.review.rule import Hit, Page, ToolRule
from fourfold.review.view import ToolView

__all__ = ["RULE"]

_LEAST = {"minimum": ("minimum", "exclusiveMinimum")}
_MOST = {"maximum": ("maximum", "exclusiveMaximum")}
_NO_MEASURE = frozenset(
    words(
        """
        id ids iid iids pid uid gid value values x y z vector embedding coordinates location translation seed
        gte lte gt lt
        """
    )
)
"""Last words of numbers that name something, or of which each has a meaning."""

_PLACES = frozenset(
    words(
        """
        page offset index skip start begin end at from to after before cursor position row col column line number
        version revision timestamp time order since until
        """
    )
)
"""Last words of places in something that ends somewhere, which the schema cannot know."""

_VECTORS = ("/items/items", "/items/anyOf/1/items")
"""How the pointers of lists of lists of numbers end."""


def _check(tool: ToolView) -> Iterator[Hit]:
    for place in unwaived(tool, sent(tool), rule="unbounded_number"):
        if not {"integer", "number"} & set(place.types) or place.values or is_limit(place.name):
            continue
        open_ends = [
            end for end, keywords in _ends(place).items() if not any(each in place.schema for each in keywords)
        ]
        if open_ends:
            yield Hit(
                pointer=place.pointer,
                message=f"{label(place)} has no {' and no '.join(open_ends)}",
                fix="bound it, as tightly as the domain allows",
            )


def _ends(place: Place) -> dict[str, tuple[str, str]]:
    """The ends that numbers of that name have, each with the keywords for it."""
    last = (words(place.name) or ("",))[-1]
    if last in _NO_MEASURE or any(place.pointer.endswith(end) for end in _VECTORS):
        return {}
    return _LEAST if last in _PLACES else _LEAST | _MOST


RULE = ToolRule(
    id="FF212",
    symbol="unbounded-number",
    severity="advice",
    question="wrong_argument",
    evidence="judgement",
    page=Page.read(__doc__),
    check=_check,
)
