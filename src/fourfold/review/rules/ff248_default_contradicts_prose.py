"""A default in the schema, and another one in the description.

## What it does

Finds arguments whose description states a plain default that is not the `default` of the schema.

## Why it hurts

A model reads both and believes one. The handler has a third place where the value may stand, so that nobody can tell
which of the two is old. Whoever leaves the argument out gets something else than the sentence says.

## Example

```json
{
  "name": "label_list",
  "description": "List labels.",
  "inputSchema": {
    "type": "object",
    "properties": {
      "limit": {"type": "integer", "minimum": 1, "maximum": 100, "default": 50, "description": "How many (default 20)."}
    },
    "additionalProperties": false
  }
}
```

## Use instead

State it once, in the schema.

```json
{
  "name": "label_list",
  "description": "List labels.",
  "inputSchema": {
    "type": "object",
    "properties": {
      "limit": {"type": "integer", "minimum": 1, "maximum": 100, "default": 50, "description": "How many."}
    },
    "additionalProperties": false
  }
}
```

## When to ignore

Never: one of the two is wrong.
"""

from __future__ import annotations

import json
from collections.abc import Iterator

from fourfold.review.arguments import arguments
from fourfold.review.rule import Hit, Page, ToolRule
from fourfold.review.said_default import Plain, said_default
from fourfold.review.view import ToolView

__all__ = ["RULE"]


def _check(tool: ToolView) -> Iterator[Hit]:
    for place in arguments(tool):
        default: object = place.resolved.get("default")
        said = said_default(tool, place) if isinstance(default, str | int | float) else None
        if said is not None and isinstance(default, str | int | float) and not _is_same(said, default):
            yield Hit(
                pointer=f"{place.pointer}/default",
                message=f"the default of {place.name} is {json.dumps(default)[:80]} in the schema "
                f"and {json.dumps(said)} in its description",
                fix="correct the wrong one, or state it in the schema only",
            )


def _is_same(said: Plain, default: Plain) -> bool:
    # Prose writes ASC for asc.
    return said == default or str(said).casefold() == str(default).casefold()


RULE = ToolRule(
    id="FF248",
    symbol="default-contradicts-prose",
    severity="warning",
    question="wrong_argument",
    evidence="judgement",
    page=Page.read(__doc__),
    check=_check,
)
