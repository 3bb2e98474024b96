r"""A success without the structured result that was promised.

## What it does

Finds results that are no error and have no `structuredContent`, of tools that declare an `outputSchema`.

## Why it hurts

A tool that declares an output schema must send a result that fits it. Clients of the SDKs throw here, although the
data may stand in the text.

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
  "result": {"content": [{"type": "text", "text": "{'value': 'on'}"}], "isError": false}
}
```

## Use instead

Send the value that the schema describes.

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
    "content": [{"type": "text", "text": "{\"value\":\"on\"}"}],
    "structuredContent": {"value": "on"},
    "isError": false
  }
}
```

## When to ignore

Never. Take the output schema away if results do not have that shape.
"""

from __future__ import annotations

from collections.abc import Iterator

from fourfold.model.listed import ToolAnswer
from fourfold.review.answers import is_error, structured
from fourfold.review.rule import AnswerRule, Hit, Page
from fourfold.review.view import ToolView

__all__ = ["RULE"]


def _check(tool: ToolView, answer: ToolAnswer) -> Iterator[Hit]:
    # A failure has no structured result to send.
    if tool.tool.output_schema is not None and not is_error(answer) and structured(answer) is None:
        yield Hit(
            pointer="",
            message="it declares an outputSchema and answered without structuredContent",
            fix="send the result as structuredContent, made from the value and not from the text",
        )


RULE = AnswerRule(
    id="FF351",
    symbol="structured-missing",
    severity="error",
    question="recoverable",
    evidence="report",
    sources=(
        "https://github.com/PrefectHQ/fastmcp/issues/5030",
        "https://github.com/modelcontextprotocol/servers/pull/3033",
        "https://github.com/rekog-labs/MCP-Nest/issues/79",
    ),
    page=Page.read(__doc__),
    check=_check,
)
