"""A failure whose text says nothing.

## What it does

Finds failures whose whole text is a phrase such as 'Error', 'Internal server error', 'Something went wrong' or
'None', with no code, no reason and nothing to do.

## Why it hurts

The model can't tell a fault that passes from one that stays, or an argument of its own from a server that is down.
It repeats the same call, up to ninety times.

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
  "result": {"content": [{"type": "text", "text": "Something went wrong."}], "isError": true}
}
```

## Use instead

A code, a reason, and the next step.

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
        "text": "upstream_unavailable: the store does not answer. Repeat the call in a minute."
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

import re
from collections.abc import Iterator

from fourfold.model.listed import ToolAnswer
from fourfold.review.answers import is_error, said
from fourfold.review.rule import AnswerRule, Hit, Page
from fourfold.review.view import ToolView

__all__ = ["RULE"]

_EMPTY = re.compile(
    r"""\W*(?:error|failed|failure|none|null|undefined|exception|unknown\ error|internal(?:\ server)?\ error
    |bad\ request|(?:oops\W*)?something\ went\ wrong
    |an?\ (?:unknown\ |unexpected\ |internal\ )?error\ (?:has\ )?occurred
    |(?:the\ )?(?:request|operation|call|tool)\ failed|\[object\ object\]|try\ again(?:\ later)?|please|\W)+""",
    re.IGNORECASE | re.VERBOSE,
)


def _check(_tool: ToolView, answer: ToolAnswer) -> Iterator[Hit]:
    text = said(answer)
    # A failure without any text is error-without-text.
    if is_error(answer) and text.strip() and len(text) <= 200 and _EMPTY.fullmatch(text):
        yield Hit(
            pointer="/content/0/text",
            message="the failure gives neither a code nor a reason nor a next step",
            fix="say a stable code, what is wrong, and whether to change something, to wait or to stop",
        )


RULE = AnswerRule(
    id="FF367",
    symbol="error-says-nothing",
    severity="warning",
    question="recoverable",
    evidence="report",
    sources=(
        "https://github.com/getsentry/sentry-mcp/issues/256",
        "https://github.com/pydantic/pydantic-ai/issues/5217",
    ),
    page=Page.read(__doc__),
    check=_check,
)
