"""A number that clients change when they read it.

## What it does

Finds integers beyond 9,007,199,254,740,991 in `structuredContent`, or in JSON that is sent as text.

## Why it hurts

Clients that read numbers as 64-bit floats round it, and the next call names another record. Some turn it into a
BigInt, which ends their process when it is written again.

## Example

```json
{
  "tool": {
    "name": "memory_read",
    "description": "Read eight bytes.",
    "inputSchema": {
      "type": "object",
      "properties": {"address": {"type": "string", "maxLength": 40}},
      "required": ["address"],
      "additionalProperties": false
    },
    "outputSchema": {
      "type": "object",
      "properties": {"value": {"type": "integer"}},
      "required": ["value"]
    }
  },
  "arguments": {"address": "0x10"},
  "result": {
    "content": [{"type": "text", "text": "done"}],
    "structuredContent": {"value": 7959093232313131379},
    "isError": false
  }
}
```

## Use instead

Send it as text.

```json
{
  "tool": {
    "name": "memory_read",
    "description": "Read eight bytes.",
    "inputSchema": {
      "type": "object",
      "properties": {"address": {"type": "string", "maxLength": 40}},
      "required": ["address"],
      "additionalProperties": false
    },
    "outputSchema": {
      "type": "object",
      "properties": {"value": {"type": "string", "maxLength": 40}},
      "required": ["value"]
    }
  },
  "arguments": {"address": "0x10"},
  "result": {
    "content": [{"type": "text", "text": "done"}],
    "structuredContent": {"value": "7959093232313131379"},
    "isError": false
  }
}
```

## When to ignore

Never between programs that you do not know.
"""

from __future__ import annotations

from collections.abc import Iterator

from fourfold.model.listed import ToolAnswer
from fourfold.review.answers import as_json, leaves, structured, texts
from fourfold.review.rule import AnswerRule, Hit, Page
from fourfold.review.view import ToolView

__all__ = ["RULE"]

_MAX_SAFE = 2**53 - 1


def _check(_tool: ToolView, answer: ToolAnswer) -> Iterator[Hit]:
    for pointer, leaf in _numbers(answer):
        if isinstance(leaf, int) and abs(leaf) > _MAX_SAFE:
            yield Hit(
                pointer=pointer,
                message="it is an integer beyond 2^53, which clients round",
                fix="send it as text",
            )


def _numbers(answer: ToolAnswer) -> Iterator[tuple[str, object]]:
    found = structured(answer)
    yield from leaves(found, at="/structuredContent")
    # The text repeats the structured result; one finding is enough.
    for place, text in texts(answer) if found is None else ():
        yield from ((place, leaf) for _, leaf in leaves(as_json(text)))


RULE = AnswerRule(
    id="FF362",
    symbol="unsafe-integer",
    severity="error",
    question="wrong_argument",
    evidence="report",
    sources=("https://github.com/mrexodia/ida-pro-mcp/issues/510",),
    page=Page.read(__doc__),
    check=_check,
)
