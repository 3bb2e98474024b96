"""A failure that says nothing in its text.

## What it does

Finds results with `isError` and no text, whatever stands in `structuredContent`.

## Why it hurts

Adapters pass only the text of a failure on. The model sees a placeholder: it can't tell a limit that passes from a
fault that stays.

## Example

```json
{
  "tool": {
    "name": "flow_get",
    "description": "Show a workflow.",
    "inputSchema": {
      "type": "object",
      "properties": {"id": {"type": "string", "maxLength": 40}},
      "required": ["id"],
      "additionalProperties": false
    }
  },
  "arguments": {"id": "f1"},
  "result": {
    "content": [],
    "structuredContent": {"code": "RATE_LIMITED", "retry_after": 30},
    "isError": true
  }
}
```

## Use instead

Say the code, and what to do, in the text.

```json
{
  "tool": {
    "name": "flow_get",
    "description": "Show a workflow.",
    "inputSchema": {
      "type": "object",
      "properties": {"id": {"type": "string", "maxLength": 40}},
      "required": ["id"],
      "additionalProperties": false
    }
  },
  "arguments": {"id": "f1"},
  "result": {
    "content": [
      {
        "type": "text",
        "text": "RATE_LIMITED: too many calls. Wait 30 seconds, then repeat the call."
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

from collections.abc import Iterator

from fourfold.model.listed import ToolAnswer
from fourfold.review.answers import is_error, said
from fourfold.review.rule import AnswerRule, Hit, Page
from fourfold.review.view import ToolView

__all__ = ["RULE"]


def _check(_tool: ToolView, answer: ToolAnswer) -> Iterator[Hit]:
    # A picture of an error message is none that a model can act on.
    if is_error(answer) and not said(answer).strip():
        yield Hit(
            pointer="/content",
            message="the failure has no text, which is all that many clients pass on",
            fix="say the code and what to do next in a text block",
        )


RULE = AnswerRule(
    id="FF354",
    symbol="error-without-text",
    severity="error",
    question="recoverable",
    evidence="report",
    sources=("https://github.com/langchain-ai/langchain-mcp-adapters/issues/619",),
    page=Page.read(__doc__),
    check=_check,
)
