"""A format that a model API does not know.

## What it does

Finds `format` in input schemas with a value outside of the client's list.

## Why it hurts

OpenAI's strict mode and Gemini refuse the whole request for an unknown format. `uri`, on any argument that is an
address, is enough.

## Example

```json
{
  "name": "page_fetch",
  "description": "Fetch a page.",
  "inputSchema": {
    "type": "object",
    "properties": {"url": {"type": "string", "format": "uri", "maxLength": 200}},
    "required": ["url"],
    "additionalProperties": false
  }
}
```

## Use instead

Say it in the description and check it at run time. `--fix-schema` moves it there.

```json
{
  "name": "page_fetch",
  "description": "Fetch a page.",
  "inputSchema": {
    "type": "object",
    "properties": {"url": {"type": "string", "maxLength": 200, "description": "An absolute URL (https)."}},
    "required": ["url"],
    "additionalProperties": false
  }
}
```

## When to ignore

When the clients that you name under `clients` read past formats.
"""

from __future__ import annotations

from collections.abc import Iterator

from fourfold.review.fit import Misfit, ToolFit, called, places_of
from fourfold.review.profile import Demand, Profile
from fourfold.review.rule import Page, ToolRule
from fourfold.review.view import ToolView

__all__ = ["RULE"]


def _find(tool: ToolView, _: Profile, demand: Demand) -> Iterator[Misfit]:
    for place in places_of(tool, demand):
        name = place.schema.get("format")
        if isinstance(name, str) and name not in demand.words:
            yield Misfit(
                pointer=f"{place.pointer}/format",
                what=f"{called(place)} has the format {name[:40]!a}",
                fix="leave it out, say it in the description, and check it at run time",
            )


RULE = ToolRule(
    id="FF617",
    symbol="format-unsupported",
    severity="error",
    question="fits",
    evidence="report",
    sources=(
        "https://github.com/hideya/langchain-mcp-tools-ts/issues/36",
        "https://github.com/posit-dev/chatlas/pull/255",
    ),
    page=Page.read(__doc__),
    check=ToolFit("format-unsupported", _find),
)
