"""A second page that is the first one again.

## What it does

A live review follows the cursor, or asks for page 2, and compares what comes with the page before.

## Why it hurts

The model goes round in a circle: it reads the same entries until it gives up, or counts each of them twice.

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
  "arguments": {"cursor": "c2"},
  "before": {
    "content": [{"type": "text", "text": "a, b"}],
    "structuredContent": {"items": ["a", "b"], "next_cursor": "c2"}
  },
  "result": {
    "content": [{"type": "text", "text": "a, b"}],
    "structuredContent": {"items": ["a", "b"], "next_cursor": "c2"}
  }
}
```

## Use instead

Begin after the last entry of the page before.

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
  "arguments": {"cursor": "c2"},
  "before": {
    "content": [{"type": "text", "text": "a, b"}],
    "structuredContent": {"items": ["a", "b"], "next_cursor": "c2"}
  },
  "result": {"content": [{"type": "text", "text": "c"}], "structuredContent": {"items": ["c"]}}
}
```

## When to ignore

Never.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import cast

from fourfold.contracts.names import words
from fourfold.model.contract import JsonObject
from fourfold.model.listed import ToolAnswer
from fourfold.review.answers import as_json, is_error, said, structured
from fourfold.review.rule import AnswerRule, Hit, Page
from fourfold.review.view import ToolView

__all__ = ["RULE"]

_PLACE = frozenset({"cursor", "next", "page", "offset", "token"})


def _check(_tool: ToolView, answer: ToolAnswer) -> Iterator[Hit]:
    if answer.before is None or is_error(answer):
        return
    page = _page(answer)
    if page and page == _page(ToolAnswer(result=answer.before)):
        yield Hit(
            pointer="/structuredContent" if structured(answer) is not None else "/content",
            message="the page that was asked for next is the page before once more",
            fix="begin after the last entry of the page before",
        )


def _page(answer: ToolAnswer) -> object:
    """What is on a page, without what says where it stands."""
    value = structured(answer)
    if value is None:
        value = as_json(said(answer)) or said(answer)
    # A server that counts its pages returns another number with the same entries.
    if not isinstance(value, Mapping):
        return value
    return {name: inner for name, inner in cast("JsonObject", value).items() if not _PLACE & set(words(name))}


RULE = AnswerRule(
    id="FF375",
    symbol="page-repeats",
    severity="error",
    question="recoverable",
    evidence="report",
    sources=(
        "https://github.com/github/github-mcp-server/issues/430",
        "https://github.com/MongLong0214/logic-pro-mcp/issues/218",
    ),
    page=Page.read(__doc__),
    check=_check,
)
