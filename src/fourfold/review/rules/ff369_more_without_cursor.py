"""A result that says there is more and not how to get it.

## What it does

Finds results with `has_more: true` or `truncated: true` and no cursor, of tools that take one.

## Why it hurts

The model knows that something is missing and has no value to ask with. It repeats the call, makes a cursor up, or
goes on without the rest.

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
    "structuredContent": {"items": ["a"], "has_more": true}
  }
}
```

## Use instead

Send the cursor of the next page with it.

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
    "structuredContent": {"items": ["a"], "has_more": true, "next_cursor": "c2"}
  }
}
```

## When to ignore

Never.
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

_SAYS = (("has", "more"), ("truncated",), ("is", "truncated"), ("has", "next"), ("has", "next", "page"))


def _check(tool: ToolView, answer: ToolAnswer) -> Iterator[Hit]:
    # Without a cursor to send it is truncated-without-continuation.
    if not any(is_cursor(place.name) for place in tool.arguments):
        return
    value = structured(answer)
    found = [*leaves(value if value is not None else as_json(said(answer)))]
    if any(leaf and is_cursor(pointer.rsplit("/", 1)[-1]) for pointer, leaf in found):
        return
    for pointer, leaf in found:
        if leaf is True and words(pointer.rsplit("/", 1)[-1]) in _SAYS:
            yield Hit(
                pointer=f"/structuredContent{pointer}" if value is not None else "/content/0/text",
                message="it says that there is more, and gives no cursor to get it with",
                fix="send next_cursor whenever has_more is true",
            )
            return


RULE = AnswerRule(
    id="FF369",
    symbol="more-without-cursor",
    severity="error",
    question="recoverable",
    evidence="report",
    sources=(
        "https://github.com/quarkiverse/quarkus-mcp-server/issues/672",
        "https://github.com/xorbitsai/xagent/pull/1432",
    ),
    page=Page.read(__doc__),
    check=_check,
)
