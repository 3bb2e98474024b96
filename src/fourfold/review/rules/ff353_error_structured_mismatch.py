"""A failure with a structured result that the output schema does not know.

## What it does

Finds results with `isError` and a `structuredContent` that does not fit the tool's `outputSchema`.

## Why it hurts

Several clients compare it all the same and show nothing but 'does not match the output schema'. The reason of the
failure is lost, and every write looks broken.

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
    },
    "outputSchema": {
      "type": "object",
      "properties": {"value": {"type": "string", "maxLength": 40}},
      "required": ["value"]
    }
  },
  "arguments": {"id": "f1"},
  "result": {
    "content": [{"type": "text", "text": "permission_denied: needs write scope"}],
    "structuredContent": {"error": {"code": "permission_denied"}},
    "isError": true
  }
}
```

## Use instead

Put the code in the text, and what programs need in `_meta`.

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
    },
    "outputSchema": {
      "type": "object",
      "properties": {"value": {"type": "string", "maxLength": 40}},
      "required": ["value"]
    }
  },
  "arguments": {"id": "f1"},
  "result": {
    "content": [{"type": "text", "text": "permission_denied: needs write scope"}],
    "isError": true
  }
}
```

## When to ignore

The schema has an arm for failures; then it fits, and nothing is found.
"""

from __future__ import annotations

from collections.abc import Iterator

from fourfold.contracts.conform import misfits
from fourfold.model.listed import ToolAnswer
from fourfold.review.answers import is_error, structured
from fourfold.review.rule import AnswerRule, Hit, Page
from fourfold.review.view import ToolView

__all__ = ["RULE"]


def _check(tool: ToolView, answer: ToolAnswer) -> Iterator[Hit]:
    schema, found = tool.tool.output_schema, structured(answer)
    # A schema with an arm for failures lets them through.
    if schema is not None and found is not None and is_error(answer) and misfits(found, schema):
        yield Hit(
            pointer="/structuredContent",
            message="the failure has a structuredContent that breaks the output schema",
            fix="leave structuredContent out of failures; put the code in the text and in _meta",
        )


RULE = AnswerRule(
    id="FF353",
    symbol="error-structured-mismatch",
    severity="error",
    question="recoverable",
    evidence="report",
    sources=(
        "https://github.com/HexSleeves/tailscale-mcp/pull/101",
        "https://github.com/ArcadeAI/arcade-mcp/pull/817",
    ),
    page=Page.read(__doc__),
    check=_check,
)
