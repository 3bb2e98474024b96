r"""Binary data that is sent as text.

## What it does

Finds `data:` addresses with base64, and runs of at least 4,096 characters of base64, in a text block or in
`structuredContent`.

## Why it hurts

Clients count it as text: a picture of 600,000 characters is more than a model can read, so that the tool never
works. As an image block it costs about a thousand tokens.

## Example

```json
{
  "tool": {
    "name": "photo_take",
    "description": "Take a photo.",
    "inputSchema": {"type": "object", "properties": {}, "additionalProperties": false}
  },
  "arguments": {},
  "result": {
    "content": [
      {
        "type": "text",
        "text": "data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAQAAAC1HAwCAAAAC0lEQVR42mNk"
      }
    ],
    "isError": false
  }
}
```

## Use instead

Send an image block, or a link to a resource.

```json
{
  "tool": {
    "name": "photo_take",
    "description": "Take a photo.",
    "inputSchema": {"type": "object", "properties": {}, "additionalProperties": false}
  },
  "arguments": {},
  "result": {
    "content": [{"type": "image", "mimeType": "image/png", "data": "iVBORw0KGgo="}],
    "isError": false
  }
}
```

## When to ignore

Never in text.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from fourfold.model.listed import ToolAnswer
from fourfold.review.answers import leaves, structured, texts
from fourfold.review.rule import AnswerRule, Hit, Page
from fourfold.review.view import ToolView

__all__ = ["RULE"]

_RUN = re.compile(r"[A-Za-z0-9+/_-]{4096}|\bdata:[\w.+/-]{1,60};base64,[A-Za-z0-9+/]{40}")


def _check(_tool: ToolView, answer: ToolAnswer) -> Iterator[Hit]:
    # An image block has its data elsewhere, where it belongs.
    for pointer, leaf in (*texts(answer), *leaves(structured(answer), at="/structuredContent")):
        if isinstance(leaf, str) and _RUN.search(leaf):
            yield Hit(
                pointer=pointer,
                message=f"a text of {len(leaf):,} characters holds base64, which models cannot read",
                fix="send an image, audio or resource block, or a link",
            )


RULE = AnswerRule(
    id="FF360",
    symbol="base64-in-text",
    severity="error",
    question="recoverable",
    evidence="report",
    sources=(
        "https://github.com/steve228uk/metro-mcp/issues/69",
        "https://github.com/whoz-oss/coday/issues/347",
    ),
    page=Page.read(__doc__),
    check=_check,
)
