"""An answer of more than 25,000 tokens.

## What it does

Adds up the text of an answer; four characters are taken for a token. The largest client limit known is about 25,000
tokens.

## Why it hurts

The client refuses it, or keeps the first 2 KB of it. What the server did for it is lost, and so may be the
conversation before.

## Example

```json
{
  "tool": {
    "name": "status_get",
    "description": "Show the status.",
    "inputSchema": {"type": "object", "properties": {}, "additionalProperties": false}
  },
  "arguments": {},
  "result": {
    "content": [
      {
        "type": "text",
        "text": {"$repeat": ["annotation: check this paragraph again. ", 2501]}
      }
    ],
    "isError": false
  }
}
```

## Use instead

Send the first page, and the way to the next one.

```json
{
  "tool": {
    "name": "status_get",
    "description": "Show the status.",
    "inputSchema": {"type": "object", "properties": {}, "additionalProperties": false}
  },
  "arguments": {},
  "result": {
    "content": [
      {
        "type": "text",
        "text": "120 annotations, 20 shown; for more call again with cursor c-20."
      }
    ],
    "isError": false
  }
}
```

## When to ignore

A tool whose only caller is a program.
"""

from __future__ import annotations

import json
from collections.abc import Iterator

from fourfold.model.listed import ToolAnswer
from fourfold.review.answers import said, structured
from fourfold.review.rule import AnswerRule, Hit, Page
from fourfold.review.view import ToolView

__all__ = ["RULE"]

_MAX_TOKENS = 25_000
_CHARACTERS = 4


def _check(_tool: ToolView, answer: ToolAnswer) -> Iterator[Hit]:
    text = said(answer)
    # Clients count what they pass on to the model, which is the text where there is any.
    size = len(text) or len(json.dumps(structured(answer)))
    if size > _MAX_TOKENS * _CHARACTERS:
        yield Hit(
            pointer="/content",
            message=f"the answer is about {size // _CHARACTERS:,} tokens long, more than clients take",
            fix="send a page of it with has_more and next_cursor, and details only on request",
            evidence=f"{size:,} characters",
        )


RULE = AnswerRule(
    id="FF364",
    symbol="answer-too-large",
    severity="error",
    question="recoverable",
    evidence="report",
    sources=(
        "https://github.com/Pimzino/spec-workflow-mcp/issues/107",
        "https://github.com/anthropics/claude-code/issues/45766",
        "https://github.com/TencentCloudBase/CloudBase-AI-Toolkit/issues/331",
    ),
    page=Page.read(__doc__),
    check=_check,
)
