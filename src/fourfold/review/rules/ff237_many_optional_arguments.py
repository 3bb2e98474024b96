"""A tool with more than 15 optional arguments.

## What it does

Counts the arguments of a tool that may be left out, framework arguments of a Fourfold contract apart. A change
whose optional arguments are the fields of its object (`update`, `format`) is left alone.

## Why it hurts

Every optional argument is a decision on every call, and models fill more of them than they should. They are also
most of the tokens of the definition, paid for whether used or not.

## Example

```json
{
  "name": "issue_search",
  "description": "Search issues.",
  "inputSchema": {
    "type": "object",
    "properties": {
      "filter_1": {"type": "string", "maxLength": 20},
      "filter_2": {"type": "string", "maxLength": 20},
      "filter_3": {"type": "string", "maxLength": 20},
      "filter_4": {"type": "string", "maxLength": 20},
      "filter_5": {"type": "string", "maxLength": 20},
      "filter_6": {"type": "string", "maxLength": 20},
      "filter_7": {"type": "string", "maxLength": 20},
      "filter_8": {"type": "string", "maxLength": 20},
      "filter_9": {"type": "string", "maxLength": 20},
      "filter_10": {"type": "string", "maxLength": 20},
      "filter_11": {"type": "string", "maxLength": 20},
      "filter_12": {"type": "string", "maxLength": 20},
      "filter_13": {"type": "string", "maxLength": 20},
      "filter_14": {"type": "string", "maxLength": 20},
      "filter_15": {"type": "string", "maxLength": 20},
      "filter_16": {"type": "string", "maxLength": 20}
    },
    "additionalProperties": false
  }
}
```

## Use instead

Split the tool by what it is used for, or keep the filters that are used.

```json
{
  "name": "issue_search",
  "description": "Search issues.",
  "inputSchema": {
    "type": "object",
    "properties": {
      "text": {"type": "string", "maxLength": 200},
      "state": {"type": "string", "enum": ["open", "closed"]},
      "limit": {"type": "integer", "minimum": 1, "maximum": 50}
    },
    "additionalProperties": false
  }
}
```

## When to ignore

A search whose filters are all in use, as the run records show.
"""

from __future__ import annotations

from collections.abc import Iterator

from fourfold.contracts.names import words
from fourfold.review.arguments import top_level
from fourfold.review.rule import Hit, Page, ToolRule
from fourfold.review.view import ToolView

__all__ = ["RULE"]

_MANY = 15
"""Optional arguments above which a tool is better split; a judgement."""

_PATCHES = frozenset(words("update edit modify patch change set format style"))
"""Words of a tool that sends only the fields that change."""


def _check(tool: ToolView) -> Iterator[Hit]:
    contract = tool.tool.contract
    known = contract.framework_arguments if contract else ()
    count = sum(not place.required and place.name not in known for place in top_level(tool))
    if count > _MANY and not _PATCHES & set(tool.words):
        yield Hit(
            pointer="/inputSchema/properties",
            message=f"{tool.name} has {count} optional arguments",
            fix="split it by what it is used for, or keep the arguments that are used",
        )


RULE = ToolRule(
    id="FF237",
    symbol="many-optional-arguments",
    severity="advice",
    question="wrong_argument",
    evidence="judgement",
    page=Page.read(__doc__),
    check=_check,
)
