"""A yes or no that is named after its opposite.

## What it does

Finds booleans whose name begins with a negation: `no_cache`, `disable_notifications`, `without_tax`.

## Why it hurts

To leave the thing on, one has to say no to its absence. Models and people get a double negation wrong more often
than a plain question.

## Example

```json
{
  "name": "mail_send",
  "description": "Send a mail.",
  "inputSchema": {
    "type": "object",
    "properties": {"body": {"type": "string", "maxLength": 2000}, "disable_tracking": {"type": "boolean"}},
    "required": ["body"],
    "additionalProperties": false
  }
}
```

## Use instead

Name the thing, and let false turn it off.

```json
{
  "name": "mail_send",
  "description": "Send a mail.",
  "inputSchema": {
    "type": "object",
    "properties": {"body": {"type": "string", "maxLength": 2000}, "tracking": {"type": "boolean"}},
    "required": ["body"],
    "additionalProperties": false
  }
}
```

## When to ignore

Where the negation is the word of the domain, such as `nofollow`.
"""

from __future__ import annotations

from collections.abc import Iterator

from fourfold.contracts.names import words
from fourfold.review.arguments import arguments, kinds
from fourfold.review.rule import Hit, Page, ToolRule
from fourfold.review.view import ToolView

__all__ = ["RULE"]

_NEGATIONS = frozenset(words("no not disable disabled without dont never"))


def _check(tool: ToolView) -> Iterator[Hit]:
    for place in arguments(tool):
        parts = words(place.name)
        if len(parts) > 1 and parts[0] in _NEGATIONS and "boolean" in kinds(place):
            yield Hit(
                pointer=place.pointer,
                message=f"{place.name} is true when something is off",
                fix="name the thing itself, and let false turn it off",
            )


RULE = ToolRule(
    id="FF238",
    symbol="negated-boolean",
    severity="advice",
    question="wrong_argument",
    evidence="judgement",
    page=Page.read(__doc__),
    check=_check,
)
