"""A structured result that breaks its own output schema.

## What it does

Compares `structuredContent` of a success with the tool's `outputSchema`.

## Why it hurts

Clients check it and throw the whole result away, for one row of another shape. Those that do not check hand on what
the reader does not expect.

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
    "content": [{"type": "text", "text": "on"}],
    "structuredContent": {"value": 7},
    "isError": false
  }
}
```

## Use instead

Send what was declared; check it in a test, and before it is sent.

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
    "content": [{"type": "text", "text": "on"}],
    "structuredContent": {"value": "on"},
    "isError": false
  }
}
```

## When to ignore

Never. Widen the schema if the result is right.
"""

from __future__ import annotations

from collections.abc import Iterator

from fourfold.contracts.conform import misfits
from fourfold.model.listed import ToolAnswer
from fourfold.review.answers import is_error, structured
from fourfold.review.rule import AnswerRule, Hit, Page
from fourfold.review.view import ToolView

__all__ = ["RULE"]

_SHOWN = 5


def _check(tool: ToolView, answer: ToolAnswer) -> Iterator[Hit]:
    schema, found = tool.tool.output_schema, structured(answer)
    if schema is None or found is None or is_error(answer):
        return
    # A row of another shape breaks the schema once for each row.
    for misfit in misfits(found, schema)[:_SHOWN]:
        yield Hit(
            pointer=f"/structuredContent{misfit.pointer}",
            message=f"it breaks {misfit.keyword} of the output schema",
            fix="send what the schema says, or change the schema",
            evidence=f"{misfit.keyword}: {misfit.expected}",
        )


RULE = AnswerRule(
    id="FF352",
    symbol="structured-mismatch",
    severity="error",
    question="recoverable",
    evidence="report",
    sources=(
        "https://github.com/PrefectHQ/fastmcp/issues/5030",
        "https://github.com/cloudflare/mcp-server-cloudflare/issues/270",
    ),
    page=Page.read(__doc__),
    check=_check,
)
