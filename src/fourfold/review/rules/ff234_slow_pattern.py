"""A pattern that can take for ever.

## What it does

Finds patterns with a repetition inside a repetition and nothing fixed between them, such as `(a+)+` or
`([a-z]+-?)*`.

## Why it hurts

A backtracking engine tries every way to divide the text among the two repetitions. Thirty characters that do not
match are enough to hold a server, and a client that checks arguments, for minutes.

## Example

```json
{
  "name": "tag_add",
  "description": "Add a tag.",
  "inputSchema": {
    "type": "object",
    "properties": {"tag": {"type": "string", "maxLength": 200, "pattern": "^([a-z]+)+$"}},
    "required": ["tag"],
    "additionalProperties": false
  }
}
```

## Use instead

Repeat once, or put something between the repetitions that the inner one cannot match.

```json
{
  "name": "tag_add",
  "description": "Add a tag.",
  "inputSchema": {
    "type": "object",
    "properties": {"tag": {"type": "string", "maxLength": 200, "pattern": "^[a-z]+(-[a-z]+)*$"}},
    "required": ["tag"],
    "additionalProperties": false
  }
}
```

## When to ignore

Where both ends use an engine without backtracking, such as RE2.
"""

from __future__ import annotations

from collections.abc import Iterator

from fourfold.review.arguments import label, sent
from fourfold.review.backtracking import can_explode
from fourfold.review.rule import Hit, Page, ToolRule
from fourfold.review.view import ToolView

__all__ = ["RULE"]


def _check(tool: ToolView) -> Iterator[Hit]:
    for place in sent(tool):
        pattern: object = place.schema.get("pattern")
        if isinstance(pattern, str) and can_explode(pattern):
            yield Hit(
                pointer=f"{place.pointer}/pattern",
                message=f"the pattern of {label(place)} repeats a repetition with nothing fixed in between",
                fix="repeat once, or put something between the repetitions that the inner one can't match",
            )


RULE = ToolRule(
    id="FF234",
    symbol="slow-pattern",
    severity="error",
    question="recoverable",
    evidence="report",
    sources=(
        "https://github.com/modelcontextprotocol/typescript-sdk/issues/965",
        "https://github.com/johnhuang316/code-index-mcp/issues/84",
    ),
    page=Page.read(__doc__),
    check=_check,
)
