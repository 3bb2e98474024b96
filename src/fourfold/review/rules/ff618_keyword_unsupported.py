"""A keyword that a model API does not know.

## What it does

Finds keywords in input schemas that a client's dialect does not have, such as `exclusiveMinimum` for Gemini or `allOf`
for OpenAI's strict mode.

## Why it hurts

The whole request is refused for one such keyword, and with it every tool of every server. Clients that rewrite schemas
first drop the keyword instead, and the model no longer sees the limit.

## Example

```json
{
  "name": "page_fetch",
  "description": "Fetch a page.",
  "inputSchema": {
    "type": "object",
    "properties": {"max_length": {"type": "integer", "exclusiveMinimum": 0, "exclusiveMaximum": 1000000}},
    "additionalProperties": false
  }
}
```

## Use instead

Use a keyword that every client has; `--fix-schema` does so where nothing is lost. Else say it in the description and
check it at run time.

```json
{
  "name": "page_fetch",
  "description": "Fetch a page.",
  "inputSchema": {
    "type": "object",
    "properties": {"max_length": {"type": "integer", "minimum": 1, "maximum": 999999}},
    "additionalProperties": false
  }
}
```

## When to ignore

When the clients that you name under `clients` know the keyword.
"""

from __future__ import annotations

from collections.abc import Iterator

from fourfold.review.fit import Misfit, ToolFit, places_of
from fourfold.review.place import Place
from fourfold.review.profile import Demand, Profile
from fourfold.review.rule import Page, ToolRule
from fourfold.review.view import ToolView

__all__ = ["RULE"]


def _find(tool: ToolView, _: Profile, demand: Demand) -> Iterator[Misfit]:
    for place in places_of(tool, demand):
        for keyword in sorted(demand.words & place.schema.keys()):
            yield Misfit(
                pointer=f"{place.pointer}/{keyword}",
                what=f"{keyword} is no keyword of every client",
                fix=_fix(place, keyword),
            )


def _fix(place: Place, keyword: str) -> str:
    bound = _BOUNDS.get(keyword)
    if bound is not None:
        whole = f"use {bound[0]}, one {bound[1]}"
        return whole if place.types == ("integer",) else f"use {bound[0]}, and refuse the bound itself at run time"
    if keyword == "propertyNames" and place.schema[keyword] == {"type": "string"}:
        return "leave it out: names are text in any case"
    return _FIXES.get(keyword, "say it in the description, and check it at run time")


_BOUNDS = {"exclusiveMinimum": ("minimum", "more"), "exclusiveMaximum": ("maximum", "less")}
_FIXES = {
    "oneOf": "use anyOf, with arms that exclude each other",
    "allOf": "write the parts as one schema",
}


RULE = ToolRule(
    id="FF618",
    symbol="keyword-unsupported",
    severity="error",
    question="fits",
    evidence="report",
    sources=(
        "https://github.com/danny-avila/LibreChat/pull/13850",
        "https://github.com/hideya/langchain-mcp-tools-ts/issues/36",
        "https://github.com/juspay/neurolink/pull/1691",
    ),
    page=Page.read(__doc__),
    check=ToolFit("keyword-unsupported", _find),
)
