"""A refusal of arguments that does not say which one.

## What it does

A live review sends arguments that break the schema, and looks whether the refusal names the argument.

## Why it hurts

An error that names the argument is put right at the next attempt. 'Invalid request' is repeated with more words, or
given up on as a problem with the credentials.

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
  "result": {"content": [{"type": "text", "text": "Invalid request."}], "isError": true}
}
```

## Use instead

Name the argument and what it has to be.

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

Never.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from typing import cast

from fourfold.contracts.conform import Misfit, misfits
from fourfold.model.contract import JsonObject
from fourfold.model.listed import ToolAnswer
from fourfold.review.answers import is_error
from fourfold.review.place import property_names
from fourfold.review.rule import AnswerRule, Hit, Page
from fourfold.review.view import ToolView

__all__ = ["RULE"]


def _check(tool: ToolView, answer: ToolAnswer) -> Iterator[Hit]:
    if answer.arguments is None or not is_error(answer):
        return
    schema = tool.tool.input_schema
    sent = answer.arguments
    named = {name for misfit in misfits(sent, schema) for name in _names(misfit, sent, schema)}
    # The name may stand in the text, in _meta, or in a protocol error: a model is helped by each.
    text = f"{json.dumps(answer.result, default=str)} {answer.refusal}"
    if named and not any(name in text for name in named):
        yield Hit(
            pointer="/content",
            message=f"the arguments were refused, and the answer does not name {' or '.join(sorted(named))}",
            fix="name the path of each bad argument and what was expected there",
        )


def _names(misfit: Misfit, arguments: JsonObject, schema: JsonObject) -> Sequence[str]:
    if misfit.pointer:
        return [misfit.pointer.rsplit("/", 1)[-1]]
    required: object = schema.get("required")
    if misfit.keyword == "required" and isinstance(required, list):
        return [str(name) for name in cast("list[object]", required) if name not in arguments]
    known = property_names(schema)
    return [name for name in arguments if name not in known] if misfit.keyword == "additionalProperties" else []


RULE = AnswerRule(
    id="FF374",
    symbol="error-without-path",
    severity="warning",
    question="recoverable",
    evidence="report",
    sources=(
        "https://github.com/getsentry/sentry-mcp/issues/226",
        "https://github.com/getsentry/sentry-mcp/issues/256",
    ),
    page=Page.read(__doc__),
    check=_check,
)
