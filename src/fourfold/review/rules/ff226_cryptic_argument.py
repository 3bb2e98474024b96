"""An argument whose name says nothing.

## What it does

Finds arguments of one or two letters without a word of explanation, coordinates and colours apart, and
the `k` of a search.

## Why it hurts

The name is often the only thing that a model has. `n` may be a count, a page or a number of the object; it takes
the meaning that fits its sentence.

## Example

```json
{
  "name": "news",
  "description": "Latest news.",
  "inputSchema": {
    "type": "object",
    "properties": {"n": {"type": "integer", "minimum": 1, "maximum": 50}},
    "required": ["n"],
    "additionalProperties": false
  }
}
```

## Use instead

Name it after what it means.

```json
{
  "name": "news",
  "description": "Latest news.",
  "inputSchema": {
    "type": "object",
    "properties": {"max_results": {"type": "integer", "minimum": 1, "maximum": 50}},
    "required": ["max_results"],
    "additionalProperties": false
  }
}
```

## When to ignore

Names that everybody in the domain uses, such as the variables of a formula.
"""

from __future__ import annotations

from collections.abc import Iterator

from fourfold.review.arguments import arguments, explained, siblings
from fourfold.review.rule import Hit, Page, ToolRule
from fourfold.review.view import ToolView

__all__ = ["RULE"]

_CLEAR = frozenset({"x", "y", "z", "id", "to", "cc", "by", "at", "in", "on", "of", "ip", "os", "db", "r", "g", "b", "a",
                    "w", "h", "op", "pr", "mr", "vm", "ui", "no", "up", "q"})  # fmt: skip

_ASKED = frozenset({"query", "q", "intent", "question"})
"""Arguments beside which `k` is the number of results."""


def _check(tool: ToolView) -> Iterator[Hit]:
    for place in arguments(tool):
        if len(place.name) <= 2 and place.name.lower() not in _CLEAR and not explained(tool, place):
            if place.name == "k" and _ASKED & set(siblings(place)):
                continue
            yield Hit(
                pointer=place.pointer,
                message=f"{place.name} says nothing of what it means, and nothing else does",
                fix="name it after what it means, or describe it",
            )


RULE = ToolRule(
    id="FF226",
    symbol="cryptic-argument",
    severity="advice",
    question="wrong_argument",
    evidence="judgement",
    page=Page.read(__doc__),
    check=_check,
)
