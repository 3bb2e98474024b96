"""A change that does not say what it changes.

## What it does

Finds tools that update or delete, by their name, whose arguments are only what is written (`changes`, `data`, `status`)
or how (`force`, `dry_run`), and none that names the thing. Settings, profiles and what else there is one of for each
caller are left alone, and so are tools for all things at once.

## Why it hurts

The id has to be somewhere: inside an object that no schema describes, or in the server's memory of the last call. The
model guesses where, or the change meets whatever was current, which is another thing after the next call.

## Example

```json
{
  "name": "invoice_update",
  "description": "Change an invoice.",
  "inputSchema": {
    "type": "object",
    "properties": {"changes": {"type": "object"}},
    "required": ["changes"]
  }
}
```

## Use instead

Take the name of the thing as an argument of its own, and require it.

```json
{
  "name": "invoice_update",
  "description": "Change an invoice.",
  "inputSchema": {
    "type": "object",
    "properties": {
      "invoice_reference": {"type": "string", "maxLength": 40},
      "due_on": {"type": "string", "format": "date"}
    },
    "required": ["invoice_reference", "due_on"],
    "additionalProperties": false
  }
}
```

## When to ignore

Where there is only one such thing for each caller.
"""

from __future__ import annotations

from collections.abc import Iterator

from fourfold.contracts.names import words
from fourfold.review.arguments import arguments
from fourfold.review.rule import Hit, Page, ToolRule
from fourfold.review.verbs import verb_of
from fourfold.review.view import ToolView

__all__ = ["RULE"]

_CHANGES = frozenset(words("update edit patch modify change overwrite rewrite delete destroy erase"))
_WRITTEN = frozenset(
    words(
        """
        changes change updates update patch data fields values attributes properties payload body content text
        description comment note reason message status state priority amount quantity price currency date
        force confirm dry run validate only idempotency new set
        """
    )
)
"""Words of what is written or how; a name of other words may be the name of the thing."""

_ONE_OF_A_KIND = frozenset(
    words("settings setting preferences preference profile me my self account config configuration options status all")
)
_CURRENT = frozenset(words("current active selected this all every bulk batch"))


def _check(tool: ToolView) -> Iterator[Hit]:
    if tool.action == "read" or verb_of(tool.name) not in _CHANGES or len(tool.words) < 2 or _has_one_target(tool):
        return
    taken = arguments(tool)
    if taken and all(set(words(place.name)) <= _WRITTEN for place in taken):
        yield Hit(
            pointer="/inputSchema",
            message=f"{tool.name} takes what to change and nothing that says which one ({_named(tool)})",
            fix="take the id or the reference of the thing as an argument, and require it",
        )


def _has_one_target(tool: ToolView) -> bool:
    said = set(words(tool.description))
    return bool(_ONE_OF_A_KIND & set(tool.words)) or bool(_CURRENT & (said | set(tool.words)))


def _named(tool: ToolView) -> str:
    names = [place.name for place in arguments(tool)]
    return ", ".join(names[:3]) + (f" and {len(names) - 3} more" if len(names) > 3 else "")


RULE = ToolRule(
    id="FF250",
    symbol="target-not-named",
    severity="warning",
    question="wrong_argument",
    evidence="judgement",
    page=Page.read(__doc__),
    check=_check,
)
