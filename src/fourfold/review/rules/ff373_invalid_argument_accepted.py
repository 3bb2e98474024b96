"""A call whose arguments break the schema, which ran all the same.

## What it does

A live review calls a read with one argument of the wrong type, or without a required one, and looks whether the
call is refused.

## Why it hurts

What is coerced is guessed: `true` becomes 1, `100.75` becomes 100. The published schema says one thing and the
server does another, so that nobody can rely on it.

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
  "arguments": {"query": "tax", "limit": "5"},
  "result": {"content": [{"type": "text", "text": "12 notes"}]}
}
```

## Use instead

Refuse it, and say what was expected where.

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
  "arguments": {"query": "tax", "limit": "5"},
  "result": {
    "content": [{"type": "text", "text": "invalid_arguments: limit: expected an integer"}],
    "isError": true
  }
}
```

## When to ignore

Text that holds a number, where clients of yours are known to send it and nothing can be lost.
"""

from __future__ import annotations

from collections.abc import Iterator

from fourfold.contracts.conform import misfits
from fourfold.model.listed import ToolAnswer
from fourfold.review.answers import is_error
from fourfold.review.rule import AnswerRule, Hit, Page
from fourfold.review.view import ToolView

__all__ = ["RULE"]

_UNKNOWN = frozenset({"additionalProperties", "unevaluatedProperties"})
"""Reported by `unknown-argument-ignored`."""


def _check(tool: ToolView, answer: ToolAnswer) -> Iterator[Hit]:
    if answer.arguments is None or is_error(answer):
        return
    # A validator decides, not a guess at what the server might have meant.
    found = misfits(answer.arguments, tool.tool.input_schema)
    broken = [misfit for misfit in found if misfit.keyword not in _UNKNOWN]
    if broken:
        first = broken[0]
        yield Hit(
            pointer="",
            message=f"the arguments break {first.keyword} at {first.pointer or 'the top'}, and the call ran",
            fix="check the arguments against the published schema before anything runs",
            evidence=f"{first.keyword}: {first.expected}",
        )


RULE = AnswerRule(
    id="FF373",
    symbol="invalid-argument-accepted",
    severity="warning",
    question="wrong_argument",
    evidence="report",
    sources=(
        "https://github.com/PrefectHQ/fastmcp/issues/5139",
        "https://github.com/razorpay/razorpay-mcp-server/issues/134",
    ),
    page=Page.read(__doc__),
    check=_check,
)
