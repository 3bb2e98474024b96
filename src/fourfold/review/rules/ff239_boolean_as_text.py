"""A yes or no as text.

## What it does

Finds text arguments whose listed values, default or description are `true` and `false`, `yes` and `no`.

## Why it hurts

`"false"` is true to a program that only asks whether there is text. `True`, `1` and `yes` are sent as well, and
each is read in its own way.

## Example

```json
{
  "name": "job_start",
  "description": "Start a job.",
  "inputSchema": {
    "type": "object",
    "properties": {"dry_run": {"type": "string", "enum": ["true", "false"]}},
    "additionalProperties": false
  }
}
```

## Use instead

Use a boolean.

```json
{
  "name": "job_start",
  "description": "Start a job.",
  "inputSchema": {"type": "object", "properties": {"dry_run": {"type": "boolean"}}, "additionalProperties": false}
}
```

## When to ignore

Where a third value stands beside the two.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from fourfold.review.arguments import arguments, explained, kinds
from fourfold.review.place import Place
from fourfold.review.rule import Hit, Page, ToolRule
from fourfold.review.view import ToolView

__all__ = ["RULE"]

_ANSWERS = frozenset({"true", "false", "yes", "no", "on", "off", "0", "1"})
_SAYS_SO = re.compile(
    r"""\b(?:true["'`]? ?(?:or|/|\|) ?["'`]?false|yes["'`]? ?(?:or|/|\|) ?["'`]?no)\b""", re.IGNORECASE
)


def _check(tool: ToolView) -> Iterator[Hit]:
    for place in arguments(tool):
        if kinds(place) == frozenset({"string"}) and _is_answer(place, tool):
            yield Hit(
                pointer=place.pointer,
                message=f"{place.name} is a yes or no written as text",
                fix="use the type boolean",
            )


def _is_answer(place: Place, tool: ToolView) -> bool:
    if place.name in ("value", "text"):
        # What is typed into a form, whose fields may be boxes to tick.
        return False
    values = {str(value).lower() for value in place.values}
    if values:
        return len(values) == 2 and values <= _ANSWERS
    default: object = place.resolved.get("default")
    return str(default).lower() in ("true", "false") or bool(_SAYS_SO.search(explained(tool, place)))


RULE = ToolRule(
    id="FF239",
    symbol="boolean-as-text",
    severity="warning",
    question="wrong_argument",
    evidence="judgement",
    page=Page.read(__doc__),
    check=_check,
)
