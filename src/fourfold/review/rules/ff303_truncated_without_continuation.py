"""A result that says it was cut, from a tool that cannot give the rest.

## What it does

Finds outputs with `truncated`, `has_more` or `next_cursor`, of tools that take no cursor, page or offset. A tool is
left alone if it takes a limit with a default and without a maximum, or a default length of its text: that is where it
stopped, and it can be raised.

## Why it hurts

The model is told that something is missing and has no argument to ask for it. It gives up, or repeats the call in
the hope of another answer.

## Example

```json
{
  "name": "pull_request_list",
  "description": "List pull requests.",
  "inputSchema": {
    "type": "object",
    "properties": {"limit": {"type": "integer", "maximum": 100}},
    "additionalProperties": false
  },
  "outputSchema": {
    "type": "object",
    "properties": {
      "items": {
        "type": "array",
        "items": {
          "type": "object",
          "properties": {"number": {"type": "integer"}},
          "required": ["number"]
        },
        "maxItems": 100
      },
      "truncated": {"type": "boolean"}
    },
    "required": ["items", "truncated"]
  }
}
```

## Use instead

Take the place where the rest begins.

```json
{
  "name": "pull_request_list",
  "description": "List pull requests.",
  "inputSchema": {
    "type": "object",
    "properties": {
      "limit": {"type": "integer", "maximum": 100},
      "cursor": {"type": "string", "maxLength": 200}
    },
    "additionalProperties": false
  },
  "outputSchema": {
    "type": "object",
    "properties": {
      "items": {
        "type": "array",
        "items": {
          "type": "object",
          "properties": {"number": {"type": "integer"}},
          "required": ["number"]
        },
        "maxItems": 100
      },
      "truncated": {"type": "boolean"},
      "next_cursor": {"type": "string", "maxLength": 200}
    },
    "required": ["items", "truncated"]
  }
}
```

## When to ignore

A result that is narrowed by its filters rather than continued, where the description says how.
"""

from __future__ import annotations

from collections.abc import Iterator

from fourfold.contracts.names import words
from fourfold.review.listing import continuations, says_cut
from fourfold.review.paging import is_limit
from fourfold.review.place import Place
from fourfold.review.rule import Hit, Page, ToolRule
from fourfold.review.view import ToolView

__all__ = ["RULE"]

_LENGTHS = frozenset({"chars", "characters", "bytes", "tokens", "length"})


def _check(tool: ToolView) -> Iterator[Hit]:
    if any(continuations(tool)) or any(map(_can_be_raised, tool.arguments)):
        return
    for place in tool.fields:
        if says_cut(place):
            yield Hit(
                pointer=place.pointer,
                message=f"{place.name} says that there is more, and no argument asks for it",
                fix="take a cursor, and return the next one beside the list",
            )
            return


def _can_be_raised(place: Place) -> bool:
    found = place.resolved
    if not isinstance(found.get("default"), int):
        return False
    is_capped = bool({"maximum", "exclusiveMaximum"} & set(found))
    return bool(_LENGTHS & set(words(place.name)[-1:])) or (is_limit(place.name) and not is_capped)


RULE = ToolRule(
    id="FF303",
    symbol="truncated-without-continuation",
    severity="error",
    question="recoverable",
    evidence="report",
    sources=("https://github.com/xorbitsai/xagent/pull/1432",),
    page=Page.read(__doc__),
    check=_check,
)
