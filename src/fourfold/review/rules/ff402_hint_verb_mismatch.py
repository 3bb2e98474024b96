"""A read by its annotations, a write by its name.

## What it does

Finds tools with `readOnlyHint: true` whose name says that they create, change, send or delete. It is advice where the
title or the description begins as that of a read (`Provide installation instructions`): then the name is wrong.

## Why it hurts

Clients run what is annotated as a read without asking. One of the two is wrong; if it is the hint, a delete runs
unseen, and if it is the name, the model keeps away from a harmless tool.

## Example

```json
{
  "name": "user_remove",
  "description": "Remove a user.",
  "inputSchema": {
    "type": "object",
    "properties": {"user_reference": {"type": "string", "maxLength": 40}},
    "required": ["user_reference"],
    "additionalProperties": false
  },
  "annotations": {"readOnlyHint": true}
}
```

## Use instead

Derive the hints from what the tool does, in one place.

```json
{
  "name": "user_remove",
  "description": "Remove a user.",
  "inputSchema": {
    "type": "object",
    "properties": {"user_reference": {"type": "string", "maxLength": 40}},
    "required": ["user_reference"],
    "additionalProperties": false
  },
  "annotations": {
    "readOnlyHint": false,
    "destructiveHint": true,
    "idempotentHint": true,
    "openWorldHint": false
  }
}
```

## When to ignore

A verb that means something else in your trade. Rename the tool, if you can.
"""

from __future__ import annotations

from collections.abc import Iterator

from fourfold.contracts.names import words
from fourfold.review.rule import Hit, Page, ToolRule
from fourfold.review.view import ToolView
from fourfold.review.writes import READS, sure_verb

__all__ = ["RULE"]

_TELLS = READS | {"provide", "return", "give", "explain"}
"""Words that the description of a read begins with."""


def _check(tool: ToolView) -> Iterator[Hit]:
    verb = sure_verb(tool)
    # A weak verb is no evidence: run_report and open_nodes may well read.
    if not tool.hint("readOnlyHint") or tool.named_action not in ("write", "destroy") or verb is None:
        return
    is_told_as_read = _opening(tool.description) in _TELLS
    yield Hit(
        pointer="/annotations/readOnlyHint",
        message=f"readOnlyHint is true, and its name says {verb}",
        fix="name it after what it reads"
        if is_told_as_read
        else "set readOnlyHint to false, or name it after what it reads",
        severity="advice" if is_told_as_read else None,
    )


def _opening(text: str) -> str:
    return next(iter(words(text[:40])), "").removesuffix("s")


RULE = ToolRule(
    id="FF402",
    symbol="hint-verb-mismatch",
    severity="error",
    question="autonomy",
    evidence="report",
    sources=("https://github.com/secondsky/sap-skills/pull/103",),
    page=Page.read(__doc__),
    check=_check,
)
