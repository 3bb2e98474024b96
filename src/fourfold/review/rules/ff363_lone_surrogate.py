r"""Half a character in an answer.

## What it does

Finds surrogates without their other half (U+D800 to U+DFFF) in any text of an answer.

## Why it hurts

It is no Unicode. The next request to the model is invalid JSON, and so is every one after it, because the answer
stays in the conversation.

## Example

```json
{
  "tool": {
    "name": "snapshot",
    "description": "Show the text of the page.",
    "inputSchema": {"type": "object", "properties": {}, "additionalProperties": false}
  },
  "arguments": {},
  "result": {"content": [{"type": "text", "text": "ok \ud83d end"}], "isError": false}
}
```

## Use instead

Replace it with U+FFFD, and cut texts between characters.

```json
{
  "tool": {
    "name": "snapshot",
    "description": "Show the text of the page.",
    "inputSchema": {"type": "object", "properties": {}, "additionalProperties": false}
  },
  "arguments": {},
  "result": {"content": [{"type": "text", "text": "ok \ufffd end"}], "isError": false}
}
```

## When to ignore

Never.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from fourfold.model.listed import ToolAnswer
from fourfold.review.answers import leaves
from fourfold.review.rule import AnswerRule, Hit, Page
from fourfold.review.view import ToolView

__all__ = ["RULE"]

_SURROGATE = re.compile("[\ud800-\udfff]")


def _check(_tool: ToolView, answer: ToolAnswer) -> Iterator[Hit]:
    # Anywhere in the result: one of them breaks the request as a whole.
    for pointer, leaf in leaves(answer.result):
        if isinstance(leaf, str) and (found := _SURROGATE.findall(leaf)):
            yield Hit(
                pointer=pointer,
                message=f"it holds {len(found)} surrogates without their other half, the first U+{ord(found[0]):04X}",
                fix="replace them with U+FFFD, and cut texts between characters",
            )


RULE = AnswerRule(
    id="FF363",
    symbol="lone-surrogate",
    severity="error",
    question="recoverable",
    evidence="report",
    sources=(
        "https://github.com/microsoft/playwright-mcp/issues/1410",
        "https://github.com/anthropics/claude-code/issues/86560",
    ),
    page=Page.read(__doc__),
    check=_check,
)
