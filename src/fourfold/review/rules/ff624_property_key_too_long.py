"""An argument's name is longer than a client takes.

## What it does

Counts the characters of the names of the arguments at the top of an input schema.

## Why it hurts

The Claude API answers 400 to the whole request for a name over 64 characters. Paths of nested fields that a converter
flattened (`settings__meeting__chat__…`) get there easily.

## Example

```json
{
  "name": "meeting_change",
  "description": "Change a meeting.",
  "inputSchema": {
    "type": "object",
    "properties": {
      "settings__continuous__meeting__chat__auto__add__invited__external__users": {"type": "boolean"}
    },
    "additionalProperties": false
  }
}
```

## Use instead

Name what it means, and map the name back in the handler.

```json
{
  "name": "meeting_change",
  "description": "Change a meeting.",
  "inputSchema": {
    "type": "object",
    "properties": {"add_external_users_to_chat": {"type": "boolean"}},
    "additionalProperties": false
  }
}
```

## When to ignore

When the clients that you name under `clients` rename arguments themselves.
"""

from __future__ import annotations

from collections.abc import Iterator

from fourfold.review.fit import Misfit, ToolFit, top_level
from fourfold.review.profile import Demand, Profile
from fourfold.review.rule import Page, ToolRule
from fourfold.review.view import ToolView

__all__ = ["RULE"]


def _find(tool: ToolView, _: Profile, demand: Demand) -> Iterator[Misfit]:
    for place in top_level(tool):
        if len(place.name) > demand.limit:
            yield Misfit(
                pointer=place.pointer,
                what=f"the argument's name has {len(place.name)} characters, {demand.limit} are taken",
                fix="name what it means, and map the name back in the handler",
            )


RULE = ToolRule(
    id="FF624",
    symbol="property-key-too-long",
    severity="error",
    question="fits",
    evidence="report",
    sources=(
        "https://github.com/ComposioHQ/composio/issues/2330",
        "https://github.com/ComposioHQ/composio/pull/3067",
    ),
    page=Page.read(__doc__),
    check=ToolFit("property-key-too-long", _find),
)
