"""An argument without a type.

## What it does

Finds properties and items of input schemas that say neither a type nor anything that stands for one: no union, no
enum, no reference.

## Why it hurts

Gemini wants a type on every property, and one argument without makes every request fail. To any model it says nothing
about what to send.

## Example

```json
{
  "name": "setting_set",
  "description": "Set a setting.",
  "inputSchema": {
    "type": "object",
    "properties": {"value": {"description": "The new value."}},
    "required": ["value"],
    "additionalProperties": false
  }
}
```

## Use instead

Say what it is. A value of several kinds is several arguments, or text.

```json
{
  "name": "setting_set",
  "description": "Set a setting.",
  "inputSchema": {
    "type": "object",
    "properties": {"value": {"type": "string", "maxLength": 200, "description": "The new value, as text."}},
    "required": ["value"],
    "additionalProperties": false
  }
}
```

## When to ignore

When any JSON value is really meant, and Gemini is no client of yours.
"""

from __future__ import annotations

from collections.abc import Iterator

from fourfold.review.fit import Misfit, ToolFit, called, places_of
from fourfold.review.profile import Demand, Profile
from fourfold.review.rule import Page, ToolRule
from fourfold.review.view import ToolView

__all__ = ["RULE"]


_SAYS = frozenset({"type", "$ref", "anyOf", "oneOf", "allOf", "enum", "const"})


def _find(tool: ToolView, _: Profile, demand: Demand) -> Iterator[Misfit]:
    for place in places_of(tool, demand):
        is_value = place.is_property or place.pointer.endswith("/items")
        if is_value and not (_SAYS & place.schema.keys()):
            yield Misfit(
                pointer=place.pointer,
                what=f"{called(place)} has no type",
                fix="say what it is; a value of several kinds is several arguments, or text",
            )


RULE = ToolRule(
    id="FF615",
    symbol="type-missing",
    severity="error",
    question="fits",
    evidence="report",
    sources=(
        "https://github.com/google-gemini/gemini-cli/pull/5694",
        "https://github.com/zereight/gitlab-mcp/issues/166",
    ),
    page=Page.read(__doc__),
    check=ToolFit("type-missing", _find),
)
