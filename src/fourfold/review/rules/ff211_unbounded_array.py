"""A list without a bound on its items.

## What it does

Finds arrays in the input without `maxItems`. A list that the tool cannot do without, and so works through, is a
warning; other lists are advice. Lists that choose from a few names (`fields`, `types`, `include`) are left alone.

## Why it hurts

An unbounded list invites thousands of items in one call: the server works through them on the thread of the
request, runs into its timeout, and nobody knows which half was done. Where there is a limit after all, the server's or
that of an API behind it, a model meets it as an error that the schema could have spared.

## Example

```json
{
  "name": "invoices_send",
  "description": "Send invoices.",
  "inputSchema": {
    "type": "object",
    "properties": {"numbers": {"type": "array", "items": {"type": "string", "maxLength": 20}}},
    "required": ["numbers"],
    "additionalProperties": false
  }
}
```

## Use instead

Say how many one call may have.

```json
{
  "name": "invoices_send",
  "description": "Send invoices.",
  "inputSchema": {
    "type": "object",
    "properties": {"numbers": {"type": "array", "items": {"type": "string", "maxLength": 20}, "maxItems": 50}},
    "required": ["numbers"],
    "additionalProperties": false
  }
}
```

## When to ignore

Where the server refuses more than it can do, and says so in the description.
"""

from __future__ import annotations

from collections.abc import Iterator

from fourfold.contracts.names import words
from fourfold.review.arguments import label, sent
from fourfold.review.declared import unwaived
from fourfold.review.place import Place
from fourfold.review.rule import Hit, Page, ToolRule
from fourfold.review.view import ToolView

__all__ = ["RULE"]

_CHOICES = {
    (word,)
    for word in words("fields columns type types kind kinds state states status statuses include exclude expand")
}
"""Last words of lists that choose what comes back, of which there is no more than that."""


def _check(tool: ToolView) -> Iterator[Hit]:
    for place in unwaived(tool, sent(tool), rule="unbounded_array"):
        is_tuple = "prefixItems" in place.schema and place.schema.get("items") is False
        is_open = "array" in place.types and "maxItems" not in place.schema and not place.values
        if is_open and not is_tuple and not _chooses(place):
            yield Hit(
                pointer=place.pointer,
                message=f"{label(place)} is a list of any length",
                fix="add maxItems, with what one call can take and finish in its time",
                severity=None if _is_worked_through(place) else "advice",
            )


def _chooses(place: Place) -> bool:
    # A fortieth field changes nothing; a fortieth recipient does.
    return words(place.name)[-1:] in _CHOICES and not place.required


def _is_worked_through(place: Place) -> bool:
    return place.required and len(place.parents) == 1


RULE = ToolRule(
    id="FF211",
    symbol="unbounded-array",
    severity="warning",
    question="wrong_argument",
    evidence="judgement",
    page=Page.read(__doc__),
    check=_check,
)
