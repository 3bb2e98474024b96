"""A limit without a maximum.

## What it does

Finds arguments for the number of results (`limit`, `per_page`, `max_results`) without a maximum. Where only the
description names one, the finding is advice. What a write is to change (`count` elements to remove, `rows` of a new
table) and what is measured (`file_size_limit`) is no number of results.

## Why it hurts

A model that was told to get everything asks for 100,000. The server then floods the context, or cuts at a limit of
its own without saying so, and the model takes a part for the whole.

## Example

```json
{
  "name": "list_orders",
  "description": "List orders.",
  "inputSchema": {
    "type": "object",
    "properties": {"limit": {"type": "integer", "minimum": 1}},
    "additionalProperties": false
  }
}
```

## Use instead

Put the maximum into the schema, and refuse more instead of cutting.

```json
{
  "name": "list_orders",
  "description": "List orders.",
  "inputSchema": {
    "type": "object",
    "properties": {"limit": {"type": "integer", "minimum": 1, "maximum": 100}},
    "additionalProperties": false
  }
}
```

## When to ignore

Where the items are so small and so few that no limit is needed.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from fourfold.contracts.names import words
from fourfold.review.arguments import alternatives, arguments, explained, kinds
from fourfold.review.declared import unwaived
from fourfold.review.paging import MEASURED, is_limit
from fourfold.review.place import Place
from fourfold.review.rule import Hit, Page, ToolRule
from fourfold.review.verbs import WEAK, verb_of
from fourfold.review.view import ToolView

__all__ = ["RULE"]

_SAYS_MAXIMUM = re.compile(
    r"\b(?:max(?:imum)?|up to|at most|between|capped|≤|<=)\W{0,3}(?:is |of |at )?\W?\d|\d\s*max|\d[-–]\d", re.IGNORECASE
)
_CHANGES = re.compile(r"\bto (?:remove|delete|process|create|insert|add|scan|index|test)\b", re.IGNORECASE)
_RETURNS = re.compile(r"\b(?:return|results?|per page|one page|list|fetch|retrieve|show)", re.IGNORECASE)
_SURE = frozenset(words("page per results"))
"""Words that only a number of results has."""


def _check(tool: ToolView) -> Iterator[Hit]:
    for place in unwaived(tool, arguments(tool), rule="unbounded_number"):
        if not is_limit(place.name) or not {"integer", "number"} & kinds(place) or _has_maximum(place):
            continue
        if not _is_of_results(place, tool):
            continue
        said = bool(_SAYS_MAXIMUM.search(explained(tool, place)))
        yield Hit(
            pointer=place.pointer,
            message=f"{place.name} has its maximum only in prose" if said else f"{place.name} has no maximum",
            fix="add a maximum to the schema, and refuse more instead of cutting",
            severity="advice" if said else None,
        )


def _is_of_results(place: Place, tool: ToolView) -> bool:
    text, parts = explained(tool, place), set(words(place.name))
    if _CHANGES.search(text) or (parts & MEASURED and "page" not in parts):
        return False
    is_write = tool.is_known_write and verb_of(tool.name) not in WEAK
    return not is_write or bool(parts & _SURE or _RETURNS.search(text))


def _has_maximum(place: Place) -> bool:
    bounded = (each.values or "maximum" in each.schema or "exclusiveMaximum" in each.schema for each in _numbers(place))
    return all(bounded)


def _numbers(place: Place) -> Iterator[Place]:
    return (each for each in alternatives(place) if {"integer", "number"} & set(each.types))


RULE = ToolRule(
    id="FF223",
    symbol="limit-without-maximum",
    severity="warning",
    question="recoverable",
    evidence="report",
    sources=(
        "https://github.com/PagerDuty/pagerduty-mcp-server/issues/62",
        "https://github.com/okta/okta-mcp-server/issues/9",
    ),
    page=Page.read(__doc__),
    check=_check,
)
