"""Bad arguments that are refused with a protocol error.

## What it does

A live review sends arguments that break the schema, and looks whether the refusal is a result with `isError` or a
JSON-RPC error.

## Why it hurts

Clients handle protocol errors themselves; the model doesn't see which argument was wrong and can't put it right.
Since the revision of 2025-11-25 the protocol asks for a result.

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
  "result": {},
  "refusal": "Invalid params: limit must be an integer"
}
```

## Use instead

Answer with a result that the model reads.

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
    "content": [
      {
        "type": "text",
        "text": "invalid_arguments: limit: expected an integer from 1 to 50"
      }
    ],
    "isError": true
  }
}
```

## When to ignore

A server that has to serve clients of before that revision, and knows them.
"""

from __future__ import annotations

from collections.abc import Iterator

from fourfold.contracts.conform import misfits
from fourfold.model.listed import ToolAnswer
from fourfold.review.rule import AnswerRule, Hit, Page
from fourfold.review.view import ToolView

__all__ = ["RULE"]


def _check(tool: ToolView, answer: ToolAnswer) -> Iterator[Hit]:
    # An unknown tool or a server that is busy is refused like this as well, and rightly.
    if answer.refusal and answer.arguments is not None and misfits(answer.arguments, tool.tool.input_schema):
        yield Hit(
            pointer="",
            message="bad arguments were refused with a protocol error, which a model does not see",
            fix="answer with isError and a text that names the argument",
        )


RULE = AnswerRule(
    id="FF377",
    symbol="arguments-refused-by-protocol",
    severity="warning",
    question="recoverable",
    evidence="report",
    sources=(
        "https://github.com/modelcontextprotocol/modelcontextprotocol/issues/1303",
        "https://github.com/modelcontextprotocol/typescript-sdk/issues/1956",
    ),
    page=Page.read(__doc__),
    check=_check,
)
