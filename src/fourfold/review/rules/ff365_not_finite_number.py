r"""A number that JSON does not have.

## What it does

Finds NaN and infinite numbers in the structured result, or in JSON that is sent as text.

## Why it hurts

JSON has no word for them. Some libraries write `NaN` all the same; the client's parser then refuses the whole
answer, or the whole connection.

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
  "result": {"content": [{"type": "text", "text": "{\"share\": NaN}"}]}
}
```

## Use instead

Leave the value out, or send null where the schema allows it.

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
  "result": {"content": [{"type": "text", "text": "{\"share\": null}"}]}
}
```

## When to ignore

Never.
"""

from __future__ import annotations

import math
from collections.abc import Iterator

from fourfold.model.listed import ToolAnswer
from fourfold.review.answers import as_json, leaves, structured, texts
from fourfold.review.rule import AnswerRule, Hit, Page
from fourfold.review.view import ToolView

__all__ = ["RULE"]


def _check(_tool: ToolView, answer: ToolAnswer) -> Iterator[Hit]:
    # Python reads and writes NaN unasked, so that a server may not notice.
    found = [*leaves(structured(answer), at="/structuredContent")]
    found += [(place, leaf) for place, text in texts(answer) for _, leaf in leaves(as_json(text))]
    for pointer, leaf in found:
        if isinstance(leaf, float) and not math.isfinite(leaf):
            yield Hit(
                pointer=pointer,
                message="it is a number that JSON does not have",
                fix="leave it out, or send null where the schema allows it",
            )


RULE = AnswerRule(
    id="FF365",
    symbol="not-finite-number",
    severity="error",
    question="recoverable",
    evidence="judgement",
    page=Page.read(__doc__),
    check=_check,
)
