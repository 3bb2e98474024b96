"""A change of state to a state that nobody lists.

## What it does

Finds tools that transition, move or change the status of something, take the new state as free text, and have no
tool beside them that lists the states.

## Why it hurts

The model writes `closed` where the server says `done`. It tries words until one is taken, or one is taken that
means something else.

## Example

```json
{
  "tools": [
    {
      "name": "ticket_transition",
      "description": "Move a ticket to another state.",
      "inputSchema": {
        "type": "object",
        "properties": {
          "ticket_reference": {"type": "string", "maxLength": 40},
          "status": {"type": "string", "maxLength": 40}
        },
        "required": ["ticket_reference", "status"],
        "additionalProperties": false
      },
      "annotations": {
        "readOnlyHint": false,
        "destructiveHint": false,
        "idempotentHint": true,
        "openWorldHint": false
      }
    }
  ]
}
```

## Use instead

List the states, as an enum or as allowed_actions of the read.

```json
{
  "tools": [
    {
      "name": "ticket_transition",
      "description": "Move a ticket to another state.",
      "inputSchema": {
        "type": "object",
        "properties": {
          "ticket_reference": {"type": "string", "maxLength": 40},
          "status": {
            "type": "string",
            "enum": ["open", "waiting", "done"]
          }
        },
        "required": ["ticket_reference", "status"],
        "additionalProperties": false
      },
      "annotations": {
        "readOnlyHint": false,
        "destructiveHint": false,
        "idempotentHint": true,
        "openWorldHint": false
      }
    }
  ]
}
```

## When to ignore

The states differ from project to project and the description says how to find them.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from fourfold.contracts.names import words
from fourfold.review.place import Place
from fourfold.review.rule import CatalogRule, Hit, Page
from fourfold.review.verbs import verb_of
from fourfold.review.view import CatalogView

__all__ = ["RULE"]

_STATES = frozenset({("status",), ("state",), ("new", "status"), ("new", "state"), ("transition",),
                     ("target", "status"), ("target", "state"), ("stage",)})  # fmt: skip
_CHANGES = frozenset(words("update set change move transition mark edit patch modify"))
_LISTS = frozenset({"statuses", "states", "transitions", "stages", "workflow", "workflows"})
_TELLS = re.compile(
    r"\bone of\b|\be\.g\.|\bvalid\b|\ballowed\b|\boptions?\b|\bpossible\b|[\"'`]\w+[\"'`],? (?:or |and )?[\"'`]|\||/",
    re.IGNORECASE,
)


def _check(catalog: CatalogView) -> Iterator[Hit]:
    if any(_LISTS & set(tool.words) for tool in catalog.tools):
        return
    for tool in catalog.tools:
        for place in tool.arguments if verb_of(tool.name) in _CHANGES else ():
            # A tool that creates something sets its first state, which is no transition.
            if words(place.name) in _STATES and _is_free(place):
                yield Hit(
                    tool=tool.name,
                    pointer=place.pointer,
                    message=f"{place.name} is free text, and nothing lists the states that there are",
                    fix="make it an enum, or return the allowed next states from the tool that reads it",
                )


def _is_free(place: Place) -> bool:
    return place.types == ("string",) and not place.values and _TELLS.search(place.description) is None


RULE = CatalogRule(
    id="FF416",
    symbol="transition-without-states",
    severity="advice",
    question="wrong_argument",
    evidence="judgement",
    page=Page.read(__doc__),
    check=_check,
)
