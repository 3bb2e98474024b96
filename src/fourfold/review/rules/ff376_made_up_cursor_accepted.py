"""A cursor that nobody issued, which was answered with a page.

## What it does

A live review sends a cursor that it made up, and looks whether it is refused.

## Why it hurts

A damaged or foreign cursor is answered with page 1, or with whatever stands where it happens to point. The list has
a hole or a loop, and no error says so.

## Example

```json
{
  "tool": {
    "name": "note_list",
    "description": "List notes.",
    "inputSchema": {
      "type": "object",
      "properties": {"cursor": {"type": "string", "maxLength": 200}},
      "additionalProperties": false
    }
  },
  "arguments": {"cursor": "made-up-by-fourfold"},
  "result": {"content": [{"type": "text", "text": "a, b"}]}
}
```

## Use instead

Refuse every cursor that this server has not issued.

```json
{
  "tool": {
    "name": "note_list",
    "description": "List notes.",
    "inputSchema": {
      "type": "object",
      "properties": {"cursor": {"type": "string", "maxLength": 200}},
      "additionalProperties": false
    }
  },
  "arguments": {"cursor": "made-up-by-fourfold"},
  "result": {
    "content": [
      {
        "type": "text",
        "text": "cursor_invalid: leave cursor out for the first page."
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
from fourfold.review.answers import is_error
from fourfold.review.listing import MADE_UP_CURSOR
from fourfold.review.rule import AnswerRule, Hit, Page
from fourfold.review.view import ToolView

__all__ = ["RULE"]


def _check(_tool: ToolView, answer: ToolAnswer) -> Iterator[Hit]:
    made_up = [name for name, value in (answer.arguments or {}).items() if value == MADE_UP_CURSOR]
    if made_up and not is_error(answer):
        yield Hit(
            pointer="",
            message=f"a made-up {made_up[0]} was answered as if it were a real one",
            fix="refuse every cursor that this server has not issued, and say to leave it out for the first page",
        )


RULE = AnswerRule(
    id="FF376",
    symbol="made-up-cursor-accepted",
    severity="error",
    question="recoverable",
    evidence="report",
    sources=(
        "https://github.com/PrefectHQ/fastmcp/issues/5070",
        "https://github.com/MongLong0214/logic-pro-mcp/issues/218",
    ),
    page=Page.read(__doc__),
    check=_check,
)
