r"""A text that was cut, with no word about how much is missing.

## What it does

Finds texts that end with an ellipsis or with a mark such as `[truncated]`, where neither the text nor a field such
as `next_cursor` or `total` says what is missing or how to get it.

## Why it hurts

The model asks for a wider window, sees the same 240 characters, and takes them for all there is.

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
    "content": [
      {
        "type": "text",
        "text": {"$concat": ["a.md: ", {"$repeat": ["word ", 48]}, "\u2026"]}
      }
    ],
    "isError": false
  }
}
```

## Use instead

Say how much is shown, of how much, and how to go on.

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
        "text": {"$concat": ["a.md: ", {"$repeat": ["word ", 48]}, "\u2026 (240 of 900; offset gives the rest)"]}
      }
    ],
    "isError": false
  }
}
```

## When to ignore

Quotes and titles that end like that of themselves.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from fourfold.contracts.names import words
from fourfold.model.listed import ToolAnswer
from fourfold.review.answers import leaves, structured, texts
from fourfold.review.rule import AnswerRule, Hit, Page
from fourfold.review.view import ToolView

__all__ = ["RULE"]

_MIN = 200
"""A shorter text that ends with an ellipsis is a sentence."""

_TAIL = 160
_ELLIPSIS = re.compile(r"(?:\u2026|\.\.\.)[\"'\s}\])]{0,10}$")
_MARK = re.compile(
    r"[\[(<]\s*(?:\.\.\.|\u2026)?\s*(?:content |output |text |message )?truncated\s*[\])>][\"'\s}\])]{0,10}$",
    re.IGNORECASE,
)
_TELLS = re.compile(
    r"\d\s*(?:of|/)\s*\d|\d+ more\b|\bcursor\b|\boffset\b|\bpage\b|\bnext\b|\btotal\b|\bremaining\b", re.IGNORECASE
)
_FIELDS = frozenset({"truncated", "more", "cursor", "total", "remaining"})


def _check(_tool: ToolView, answer: ToolAnswer) -> Iterator[Hit]:
    # The structured result says it, for programs and for most models.
    if any(_FIELDS & set(words(pointer)) for pointer, _ in leaves(structured(answer))):
        return
    for pointer, text in texts(answer):
        tail = text[-_TAIL:]
        is_cut = _MARK.search(tail) or (len(text) >= _MIN and _ELLIPSIS.search(tail))
        if is_cut and not _TELLS.search(tail):
            yield Hit(
                pointer=pointer,
                message="the text is cut and says neither how much is missing nor how to get it",
                fix="say how much is shown of how much, and which argument gives the rest",
            )


RULE = AnswerRule(
    id="FF361",
    symbol="silent-cut",
    severity="warning",
    question="recoverable",
    evidence="report",
    sources=(
        "https://github.com/cyanheads/obsidian-mcp-server/issues/97",
        "https://github.com/nickclyde/duckduckgo-mcp-server/issues/28",
    ),
    page=Page.read(__doc__),
    check=_check,
)
