"""Listed values that are not of the declared type.

## What it does

Finds an `enum` or a `const` with values that the `type` beside it refuses.

## Why it hurts

No value is both. Of all the rules of one public linter whose effect on tasks was measured, this is the one that
moved it: 13 to 29 percentage points of task success lost, with three models.

## Example

```json
{
  "name": "ticket_list",
  "description": "List tickets.",
  "inputSchema": {
    "type": "object",
    "properties": {
      "priority": {"type": "integer", "enum": ["low", "high"]},
      "limit": {"type": "integer", "minimum": 1, "maximum": 50}
    },
    "required": ["priority"],
    "additionalProperties": false
  }
}
```

## Use instead

Make the type that of the values.

```json
{
  "name": "ticket_list",
  "description": "List tickets.",
  "inputSchema": {
    "type": "object",
    "properties": {
      "priority": {"type": "string", "enum": ["low", "high"]},
      "limit": {"type": "integer", "minimum": 1, "maximum": 50}
    },
    "required": ["priority"],
    "additionalProperties": false
  }
}
```

## When to ignore

Never: such a schema accepts nothing, or less than it lists.
"""

from __future__ import annotations

from collections.abc import Iterator

from fourfold.review.arguments import label, sent
from fourfold.review.rule import Hit, Page, ToolRule
from fourfold.review.values import fits_type
from fourfold.review.view import ToolView

__all__ = ["RULE"]


def _check(tool: ToolView) -> Iterator[Hit]:
    for place in sent(tool):
        refused = [value for value in place.values if value is not None and not fits_type(value, place.types)]
        if refused:
            keyword = "enum" if "enum" in place.schema else "const"
            yield Hit(
                pointer=f"{place.pointer}/{keyword}",
                message=f"{label(place)} lists {len(refused)} values that its type {'/'.join(place.types)} refuses",
                fix="make the type that of the values, or the values those of the type",
            )


RULE = ToolRule(
    id="FF230",
    symbol="enum-contradicts-type",
    severity="error",
    question="wrong_argument",
    evidence="measured",
    sources=("https://github.com/gaurav-gandhi-2411/agentgauge",),
    page=Page.read(__doc__),
    check=_check,
)
