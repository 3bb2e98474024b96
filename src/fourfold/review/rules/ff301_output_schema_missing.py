"""A tool that says nothing about the shape of its result.

## What it does

Finds tools without an `outputSchema`. Left alone are tools whose answer has no shape to declare: what deletes or
clicks and answers that it is done, what answers with a picture or prose by its own description, and what passes on any
command with whatever arguments.

## Why it hurts

A result without a declared shape is text. A model reads it again at every call, a program cannot read it at all,
and nobody notices when a field of it disappears. With a schema, `structuredContent` has to conform to it, and
clients may check that.

## Example

```json
{
  "name": "invoice_get",
  "description": "Show one invoice.",
  "inputSchema": {
    "type": "object",
    "properties": {"invoice_reference": {"type": "string", "maxLength": 40}},
    "required": ["invoice_reference"],
    "additionalProperties": false
  }
}
```

## Use instead

Publish the shape, and send it as `structuredContent`.

```json
{
  "name": "invoice_get",
  "description": "Show one invoice.",
  "inputSchema": {
    "type": "object",
    "properties": {"invoice_reference": {"type": "string", "maxLength": 40}},
    "required": ["invoice_reference"],
    "additionalProperties": false
  },
  "outputSchema": {
    "type": "object",
    "properties": {
      "invoice_reference": {"type": "string", "maxLength": 40},
      "status": {"type": "string", "enum": ["open", "paid"]}
    },
    "required": ["invoice_reference", "status"]
  }
}
```

## When to ignore

A tool whose result is a picture, or prose and nothing but prose. Clients of before June 2025 read no output schema.
"""

from __future__ import annotations

from collections.abc import Iterator

from fourfold.review.replies import is_router, only_confirms, shows_or_tells
from fourfold.review.rule import Hit, Page, ToolRule
from fourfold.review.view import ToolView

__all__ = ["RULE"]


def _check(tool: ToolView) -> Iterator[Hit]:
    if tool.tool.output_schema is not None or only_confirms(tool) or shows_or_tells(tool) or is_router(tool):
        return
    yield Hit(
        pointer="",
        message="it declares no outputSchema, so nothing can rely on the shape of its result",
        fix="declare the shape of the result and send it as structuredContent",
    )


RULE = ToolRule(
    id="FF301",
    symbol="output-schema-missing",
    severity="advice",
    question="recoverable",
    evidence="report",
    sources=("https://github.com/angelnicolasc/graymatter/issues/76",),
    page=Page.read(__doc__),
    check=_check,
)
