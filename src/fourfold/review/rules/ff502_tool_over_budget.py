"""A single tool whose definition takes 1,500 tokens or more.

## What it does

Counts the tokens of each tool as a client sends it (name, description, input schema; characters / 4, an estimate).

## Why it hurts

A definition is read at every turn, by every user of the server, whether or not the tool is used. The median tool of
61 widely used servers takes 189 tokens, and 97 of 100 take less than 1,500. A definition this long is a manual: what
it says about one argument stands far from that argument.

## Example

```json
{
  "name": "document_update",
  "description": "Change a document.",
  "inputSchema": {
    "type": "object",
    "properties": {
      "operations": {
        "type": "string",
        "maxLength": 20000,
        "description": {
          "$concat": ["A JSON list. ", {"$repeat": ["An operation of kind insert takes a place and a text. ", 120]}]
        }
      }
    },
    "required": ["operations"]
  }
}
```

## Use instead

Make a tool for each operation, give every argument its own schema, and serve the manual as a resource.

```json
{
  "name": "document_append",
  "description": "Add a paragraph at the end of a document.",
  "inputSchema": {
    "type": "object",
    "properties": {
      "document": {"type": "string", "maxLength": 40},
      "text": {"type": "string", "maxLength": 20000}
    },
    "required": ["document", "text"]
  }
}
```

## When to ignore

The one tool that a server is about may be worth it: a query tool with its grammar. `fourfold budget` says what it
costs a month.
"""

from __future__ import annotations

from collections.abc import Iterator

from fourfold.budget.measure import tokens_of_tool
from fourfold.budget.rendering import JSON_TOOLS
from fourfold.budget.tokens import ESTIMATE
from fourfold.review.rule import Hit, Page, ToolRule
from fourfold.review.view import ToolView

__all__ = ["RULE"]

_MOST = 1_500
_PROSE = "move what reads like a manual to a resource, or split the tool"
_SCHEMA = "shorten what the schema says of each argument, or split the tool"


def _check(tool: ToolView) -> Iterator[Hit]:
    counted = tokens_of_tool(tool.tool, profile=ESTIMATE, rendering=JSON_TOOLS)
    if counted.total >= _MOST:
        yield Hit(
            pointer="",
            message=f"the definition takes about {counted.total:,} tokens: {counted.description:,} of description, "
            f"{counted.input_schema:,} of input schema; the limit is {_MOST:,}",
            fix=_PROSE if counted.description > counted.input_schema else _SCHEMA,
            evidence=f"characters / 4 as JSON: {counted.total}",
        )


RULE = ToolRule(
    id="FF502",
    symbol="tool-over-budget",
    severity="warning",
    question="fits",
    evidence="judgement",
    page=Page.read(__doc__),
    check=_check,
)
