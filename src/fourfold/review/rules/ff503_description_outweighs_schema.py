"""A long description beside a schema that says almost nothing.

## What it does

Finds tools with arguments whose own description takes 400 tokens or more (characters / 4, an estimate) and at least
three times what the whole input schema takes, where half of the arguments or more have no description of their own. A
tool that takes SQL or another query language is left alone.

## Why it hurts

A constraint in the schema is short, and a client or a server checks it. The same constraint in prose is paid for at
every turn and is obeyed less reliably: three currencies as an enum are about four tokens, as a sentence about twenty.

## Example

```json
{
  "name": "report_run",
  "description": {
    "$concat": ["Run a report. ", {"$repeat": ["The format is csv or pdf, and the month is written 2026-01. ", 30]}]
  },
  "inputSchema": {
    "type": "object",
    "properties": {"request": {"type": "string", "maxLength": 2000}},
    "required": ["request"]
  }
}
```

## Use instead

```json
{
  "name": "report_run",
  "description": "Run a monthly report and return its number. Use it when the user wants figures of a whole month.",
  "inputSchema": {
    "type": "object",
    "properties": {
      "format": {"enum": ["csv", "pdf"]},
      "month": {"type": "string", "pattern": "^20[0-9]{2}-[0-9]{2}$", "maxLength": 7}
    },
    "required": ["format", "month"]
  }
}
```

## When to ignore

A tool that takes a text in a language of its own has nowhere else to explain it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from fourfold.budget.measure import tokens_of_tool
from fourfold.budget.rendering import JSON_TOOLS
from fourfold.budget.tokens import ESTIMATE
from fourfold.contracts.names import words
from fourfold.review.place import Place
from fourfold.review.rule import Hit, Page, ToolRule
from fourfold.review.view import ToolView

__all__ = ["RULE"]

_LONG = 400
_TIMES = 3
_LANGUAGE = re.compile(r"\b(?:\w*SQL|GraphQL|Cypher|DSL|\w+QL|query language)\b")


def _check(tool: ToolView) -> Iterator[Hit]:
    bare = sum(not place.description for place in tool.arguments)
    # A tool that takes nothing has no schema to put anything into; a language of its own is explained nowhere else.
    if not tool.arguments or bare * 2 < len(tool.arguments) or any(map(_is_language, tool.arguments)):
        return
    counted = tokens_of_tool(tool.tool, profile=ESTIMATE, rendering=JSON_TOOLS)
    if counted.description >= _LONG and counted.description >= _TIMES * counted.input_schema:
        yield Hit(
            pointer="/description",
            message=f"the description takes about {counted.description:,} tokens, the whole input schema "
            f"{counted.input_schema:,}",
            fix="put what is about one argument into its schema (enum, pattern, minimum, a short description), "
            "and what reads like a manual into a resource",
            evidence=f"characters / 4: {counted.description} to {counted.input_schema}",
        )


def _is_language(place: Place) -> bool:
    named = set(words(place.name))
    return "sql" in named or ("query" in named and _LANGUAGE.search(place.description) is not None)


RULE = ToolRule(
    id="FF503",
    symbol="description-outweighs-schema",
    severity="advice",
    question="fits",
    evidence="judgement",
    page=Page.read(__doc__),
    check=_check,
)
