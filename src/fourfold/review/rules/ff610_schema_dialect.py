"""A schema in a dialect that clients need not know.

## What it does

Finds a `$schema` that is not 2020-12, in input and output schemas. No `$schema` is fine: it means 2020-12. Tools that
have the same line are one finding, at the first of them, because one setting of a converter writes them all.

## Why it hurts

A client whose validator knows only 2020-12 lists the tool and then refuses every call, before the server hears of it:
it can't read the output schema. Most clients read past the line in an input schema; the protocol lets them refuse it,
and one report blames it for a 400 to every request. Most servers have it from a converter's default.

## Example

```json
{
  "name": "folder_list",
  "description": "List allowed folders.",
  "inputSchema": {"type": "object", "properties": {}, "additionalProperties": false},
  "outputSchema": {
    "$schema": "http://json-schema.org/draft-07/schema#",
    "type": "object",
    "properties": {"folders": {"type": "array", "maxItems": 50, "items": {"type": "string", "maxLength": 60}}},
    "required": ["folders"],
    "additionalProperties": false
  }
}
```

## Use instead

Leave `$schema` out, or set the converter's target to 2020-12.

```json
{
  "name": "folder_list",
  "description": "List allowed folders.",
  "inputSchema": {"type": "object", "properties": {}, "additionalProperties": false},
  "outputSchema": {
    "type": "object",
    "properties": {"folders": {"type": "array", "maxItems": 50, "items": {"type": "string", "maxLength": 60}}},
    "required": ["folders"],
    "additionalProperties": false
  }
}
```

## When to ignore

In input schemas, when the clients that you name under `clients` are known to read past it.
"""

from __future__ import annotations

from collections.abc import Iterator

from fourfold.review.fit import Misfit, ToolFit, places_of
from fourfold.review.profile import Demand, Profile
from fourfold.review.rule import Page, ToolRule
from fourfold.review.view import ToolView

__all__ = ["RULE"]


def _find(tool: ToolView, _: Profile, demand: Demand) -> Iterator[Misfit]:
    for place in places_of(tool, demand):
        dialect = place.schema.get("$schema")
        if isinstance(dialect, str) and dialect.removesuffix("#") not in demand.words:
            side = "output" if place.pointer.startswith("/outputSchema") else "input"
            yield Misfit(
                pointer=f"{place.pointer}/$schema",
                what=f"the {side} schema is declared as {dialect[:80]!a}",
                fix="leave $schema out, or write the schema in 2020-12",
            )


RULE = ToolRule(
    id="FF610",
    symbol="schema-dialect",
    severity="error",
    question="fits",
    evidence="report",
    sources=(
        "https://github.com/anthropics/claude-code/issues/88882",
        "https://github.com/perplexityai/modelcontextprotocol/issues/132",
        "https://github.com/nataliapc/mcp-openmsx/issues/22",
    ),
    together=True,
    page=Page.read(__doc__),
    check=ToolFit("schema-dialect", _find),
)
