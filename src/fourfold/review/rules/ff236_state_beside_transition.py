"""A state that an update may set, although a tool exists for the step.

## What it does

Finds updates with an argument for a state (`status`, `state`, `stage`), where another tool of the catalog makes a
step of the same thing: `invoice_finalize` beside `update_invoice`. Where the states are
listed, the one that the step leads to has to be among them.

## Why it hurts

The update sets the word and does nothing else: the invoice is "sent" and no mail went out. The model cannot see
which of the two does the work, and takes the one whose name it read first.

## Example

```json
{
  "tools": [
    {
      "name": "update_invoice",
      "description": "Update an invoice.",
      "inputSchema": {
        "type": "object",
        "properties": {
          "number": {"type": "string", "maxLength": 20},
          "status": {"type": "string", "enum": ["draft", "sent"]}
        },
        "required": ["number"],
        "additionalProperties": false
      }
    },
    {
      "name": "send_invoice",
      "description": "Send an invoice to its customer.",
      "inputSchema": {
        "type": "object",
        "properties": {"number": {"type": "string", "maxLength": 20}},
        "required": ["number"],
        "additionalProperties": false
      }
    }
  ]
}
```

## Use instead

Leave states to the tools that make the step, and let the update change what is no state.

```json
{
  "tools": [
    {
      "name": "update_invoice",
      "description": "Change the text of a draft.",
      "inputSchema": {
        "type": "object",
        "properties": {"number": {"type": "string", "maxLength": 20}, "note": {"type": "string", "maxLength": 200}},
        "required": ["number"],
        "additionalProperties": false
      }
    },
    {
      "name": "send_invoice",
      "description": "Send an invoice to its customer.",
      "inputSchema": {
        "type": "object",
        "properties": {"number": {"type": "string", "maxLength": 20}},
        "required": ["number"],
        "additionalProperties": false
      }
    }
  ]
}
```

## When to ignore

Where the update makes the same step, with the same checks.
"""

from __future__ import annotations

from collections.abc import Iterator

from fourfold.contracts.names import words
from fourfold.review.arguments import top_level
from fourfold.review.place import Place
from fourfold.review.rule import CatalogRule, Hit, Page
from fourfold.review.view import CatalogView, ToolView

__all__ = ["RULE"]

_UPDATES = frozenset(words("update edit modify set change patch"))
_STATES = frozenset(words("status state stage archived published closed"))
_STEPS = frozenset(
    words(
        """
        send finalize finalise approve reject cancel close reopen archive unarchive publish unpublish complete pay void
        submit transition start stop resolve accept decline activate deactivate merge enable disable
        """
    )
)


_IRREGULAR = {"send": "sent", "pay": "paid", "void": "void", "stop": "stopp", "merge": "merge", "submit": "submit"}
"""How the state begins that a verb leads to, where it is not the verb without its last letter."""


def _check(view: CatalogView) -> Iterator[Hit]:
    steps: dict[frozenset[str], str] = {}
    for tool in view.tools:
        if _STEPS & set(tool.words):
            steps.setdefault(_thing(tool, _STEPS), tool.name)
    for tool in view.tools:
        thing = _thing(tool, _UPDATES)
        if not thing or not _UPDATES & set(tool.words) or thing not in steps:
            continue
        for place in top_level(tool):
            if words(place.name)[-1:] and words(place.name)[-1] in _STATES and _reaches(place, steps[thing]):
                yield Hit(
                    tool=tool.name,
                    pointer=place.pointer,
                    message=f"{place.name} sets a state for which {steps[thing]} makes the step",
                    fix=f"leave the state to {steps[thing]}, and take it out of the update",
                    pair=steps[thing],
                )


def _reaches(place: Place, step: str) -> bool:
    """Whether the state that the step leads to may be set here; where none is listed, any may."""
    begins = tuple(_IRREGULAR.get(word, word[:-1]) for word in words(step) if word in _STEPS)
    return not place.values or any(str(value).lower().startswith(begins) for value in place.values)


def _thing(tool: ToolView, verbs: frozenset[str]) -> frozenset[str]:
    """What a tool is about: the words of its name without its verb, in the singular."""
    return frozenset(word.removesuffix("s") for word in tool.words if word not in verbs)


RULE = CatalogRule(
    id="FF236",
    symbol="state-beside-transition",
    severity="warning",
    question="wrong_tool",
    evidence="judgement",
    page=Page.read(__doc__),
    check=_check,
)
