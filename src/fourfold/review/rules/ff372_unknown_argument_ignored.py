"""A call with an argument that does not exist, which ran all the same.

## What it does

A live review calls a read with one argument that its schema does not have, and looks whether the call is refused.

## Why it hurts

`depth` instead of `maxDepth`: the argument is dropped, the tool runs with its default, and three different depths
give the same plausible, wrong answer.

## Example

```json
{
  "tool": {
    "name": "note_find",
    "description": "Find notes.",
    "inputSchema": {
      "type": "object",
      "properties": {
        "query": {"type": "string", "maxLength": 40},
        "limit": {"type": "integer", "minimum": 1, "maximum": 50}
      },
      "required": ["query"],
      "additionalProperties": false
    }
  },
  "arguments": {"query": "tax", "limitt": 5},
  "result": {"content": [{"type": "text", "text": "12 notes"}]}
}
```

## Use instead

Refuse it, and name the arguments that there are.

```json
{
  "tool": {
    "name": "note_find",
    "description": "Find notes.",
    "inputSchema": {
      "type": "object",
      "properties": {
        "query": {"type": "string", "maxLength": 40},
        "limit": {"type": "integer", "minimum": 1, "maximum": 50}
      },
      "required": ["query"],
      "additionalProperties": false
    }
  },
  "arguments": {"query": "tax", "limitt": 5},
  "result": {
    "content": [
      {
        "type": "text",
        "text": "invalid_arguments: there is no limitt; did you mean limit?"
      }
    ],
    "isError": true
  }
}
```

## When to ignore

A tool that takes any property on purpose, and says so with `additionalProperties: true`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import cast

from fourfold.model.listed import ToolAnswer
from fourfold.review.answers import is_error
from fourfold.review.rule import AnswerRule, Hit, Page
from fourfold.review.view import ToolView

__all__ = ["RULE"]


def _check(tool: ToolView, answer: ToolAnswer) -> Iterator[Hit]:
    schema = tool.tool.input_schema
    properties: object = schema.get("properties")
    # Without a list of properties nobody can know which ones exist.
    if is_error(answer) or not isinstance(properties, Mapping) or _takes_any(schema):
        return
    unknown = sorted(set(answer.arguments or ()) - set(cast("Mapping[str, object]", properties)))
    if unknown:
        yield Hit(
            pointer="",
            message=f"the call had an argument {unknown[0]}, which does not exist, and was not refused",
            fix="refuse unknown arguments, name those that exist, and publish additionalProperties: false",
        )


def _takes_any(schema: Mapping[str, object]) -> bool:
    more = schema.get("additionalProperties", False)
    return more is True or isinstance(more, Mapping) or "patternProperties" in schema


RULE = AnswerRule(
    id="FF372",
    symbol="unknown-argument-ignored",
    severity="error",
    question="wrong_argument",
    evidence="report",
    sources=(
        "https://github.com/modelcontextprotocol/python-sdk/issues/3067",
        "https://github.com/abhigyanpatwari/GitNexus/issues/3261",
    ),
    page=Page.read(__doc__),
    check=_check,
)
