"""A number of results, or a place among them, that may be a fraction.

## What it does

Finds arguments that count or page results (`limit`, `per_page`, `page`, `offset`, `count`) with the type `number`
where `integer` is meant.

## Why it hurts

2.5 passes the schema and fails behind it: a search took `"limit": 1.5` and answered "Invalid request body", which says
nothing that a model can mend. With `integer` the client refuses the call and names the argument.

## Example

```json
{
  "name": "order_list",
  "description": "List orders.",
  "inputSchema": {
    "type": "object",
    "properties": {"limit": {"type": "number", "minimum": 1, "maximum": 100}},
    "additionalProperties": false
  }
}
```

## Use instead

Say `integer`, with the smallest and the largest value.

```json
{
  "name": "order_list",
  "description": "List orders.",
  "inputSchema": {
    "type": "object",
    "properties": {"limit": {"type": "integer", "minimum": 1, "maximum": 100}},
    "additionalProperties": false
  }
}
```

## When to ignore

Where a fraction is meant, such as a limit that is a share.
"""

from __future__ import annotations

from collections.abc import Iterator

from fourfold.contracts.names import is_money, words
from fourfold.review.arguments import alternatives, arguments, kinds
from fourfold.review.paging import MEASURED, is_limit
from fourfold.review.place import Place
from fourfold.review.rule import Hit, Page, ToolRule
from fourfold.review.view import ToolView

__all__ = ["RULE"]

_COUNTS = frozenset(words("page offset skip count results"))
"""Last words of the names of what is counted in whole steps."""


def _check(tool: ToolView) -> Iterator[Hit]:
    for place in arguments(tool):
        if _is_counted(place.name) and _may_be_fraction(place):
            yield Hit(
                pointer=place.pointer,
                message=f"{place.name} is a number that may be 2.5, and only whole numbers make sense",
                fix="declare it as an integer",
            )


def _is_counted(name: str) -> bool:
    parts = words(name)
    is_measured = bool(MEASURED & set(parts)) or is_money(name)
    return not is_measured and (is_limit(name) or bool(_COUNTS & set(parts[-1:])))


def _may_be_fraction(place: Place) -> bool:
    """Whether it takes a number of any kind; other keywords may leave only whole ones."""
    taken, found = kinds(place), alternatives(place)
    is_whole = any(each.values or isinstance(each.schema.get("multipleOf"), int) for each in found)
    return "number" in taken and "integer" not in taken and not is_whole


RULE = ToolRule(
    id="FF245",
    symbol="fractional-count",
    severity="warning",
    question="wrong_argument",
    evidence="report",
    sources=(
        "https://github.com/firecrawl/firecrawl-mcp-server/issues/376",
        "https://github.com/nicobailon/pi-web-access/issues/250",
    ),
    page=Page.read(__doc__),
    check=_check,
)
