"""An optional argument as a union with null.

## What it does

Finds `anyOf` and `oneOf` with an arm for `null` in input schemas.

## Why it hurts

Gemini's function declarations know no null type and refuse the whole request. Python's `str | None` becomes such a
union for every optional argument.

## Example

```json
{
  "name": "document_edit",
  "description": "Edit a document.",
  "inputSchema": {
    "type": "object",
    "properties": {"after": {"anyOf": [{"type": "string", "maxLength": 60}, {"type": "null"}], "default": null}},
    "additionalProperties": false
  }
}
```

## Use instead

Leave the argument out of `required` and give it its plain type. Keep null only where it has a meaning of its own, such
as clearing a value.

```json
{
  "name": "document_edit",
  "description": "Edit a document.",
  "inputSchema": {
    "type": "object",
    "properties": {"after": {"type": "string", "maxLength": 60}},
    "additionalProperties": false
  }
}
```

## When to ignore

When null has a meaning, or Gemini is no client of yours: name those that are under `clients`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import cast

from fourfold.review.fit import Misfit, ToolFit, called, places_of
from fourfold.review.profile import Demand, Profile
from fourfold.review.rule import Page, ToolRule
from fourfold.review.view import ToolView

__all__ = ["RULE"]


def _find(tool: ToolView, _: Profile, demand: Demand) -> Iterator[Misfit]:
    for place in places_of(tool, demand):
        for keyword in ("anyOf", "oneOf"):
            arms = place.schema.get(keyword)
            if isinstance(arms, list) and any(_is_null(arm) for arm in cast("list[object]", arms)):
                yield Misfit(
                    pointer=f"{place.pointer}/{keyword}",
                    what=f"{called(place)} is a union with null",
                    fix="leave it out of required and give it its plain type, unless null has a meaning",
                )


def _is_null(arm: object) -> bool:
    return isinstance(arm, Mapping) and cast("Mapping[str, object]", arm).get("type") == "null"


RULE = ToolRule(
    id="FF613",
    symbol="nullable-union",
    severity="error",
    question="fits",
    evidence="report",
    sources=(
        "https://github.com/taylorwilsdon/google_workspace_mcp/issues/1099",
        "https://github.com/zereight/gitlab-mcp/issues/166",
    ),
    page=Page.read(__doc__),
    check=ToolFit("nullable-union", _find),
)
