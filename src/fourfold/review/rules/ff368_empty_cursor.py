"""A next cursor that is there and empty.

## What it does

Finds results with a `next_cursor` that is the empty text.

## Why it hurts

Some readers take it for the end, some for a cursor. One client asked for the same page 170,000 times in 55 seconds
and ran out of memory; another lost the rest of the list.

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
  "arguments": {},
  "result": {
    "content": [{"type": "text", "text": "a"}],
    "structuredContent": {"items": ["a"], "next_cursor": ""}
  }
}
```

## Use instead

Leave it out on the last page.

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
  "arguments": {},
  "result": {
    "content": [{"type": "text", "text": "a"}],
    "structuredContent": {"items": ["a"], "has_more": false}
  }
}
```

## When to ignore

Every reader is known to take it for the end, and `has_more` says the same beside it.
"""

from __future__ import annotations

from collections.abc import Iterator

from fourfold.contracts.names import words
from fourfold.model.listed import ToolAnswer
from fourfold.review.answers import as_json, leaves, said, structured
from fourfold.review.listing import is_cursor
from fourfold.review.rule import AnswerRule, Hit, Page
from fourfold.review.view import ToolView

__all__ = ["RULE"]


def _check(_tool: ToolView, answer: ToolAnswer) -> Iterator[Hit]:
    value = structured(answer)
    at = "/structuredContent" if value is not None else "/content/0/text"
    for pointer, leaf in leaves(value if value is not None else as_json(said(answer))):
        name = pointer.rsplit("/", 1)[-1]
        # A cursor that echoes what was asked for may be empty on the first page.
        if leaf == "" and is_cursor(name) and "next" in words(name):
            yield Hit(
                pointer=at + pointer if value is not None else at,
                message=f"{name} is empty, which some readers take for the end and some for a cursor",
                fix="leave it out on the last page, and say has_more: false",
            )


RULE = AnswerRule(
    id="FF368",
    symbol="empty-cursor",
    severity="warning",
    question="recoverable",
    evidence="report",
    sources=(
        "https://github.com/ChesterRa/cccc/pull/50",
        "https://github.com/modelcontextprotocol/java-sdk/issues/628",
        "https://github.com/PrefectHQ/fastmcp/issues/5025",
    ),
    page=Page.read(__doc__),
    check=_check,
)
