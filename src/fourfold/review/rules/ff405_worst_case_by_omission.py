"""A hint that is left out and counts as the worst.

## What it does

Finds tools with some hints, where one that is missing makes them look worse than their name says: a read without
`readOnlyHint`, an addition without `destructiveHint`.

## Why it hurts

The defaults of the protocol are the worst case: not read-only, destructive, not repeatable, open to the world.
Clients ask a person about a harmless call, and people learn to say yes without looking.

## Example

```json
{
  "name": "note_add",
  "description": "Add a note.",
  "inputSchema": {
    "type": "object",
    "properties": {"text": {"type": "string", "maxLength": 40}},
    "required": ["text"],
    "additionalProperties": false
  },
  "annotations": {"title": "Add a note", "readOnlyHint": false}
}
```

## Use instead

Publish all four hints.

```json
{
  "name": "note_add",
  "description": "Add a note.",
  "inputSchema": {
    "type": "object",
    "properties": {"text": {"type": "string", "maxLength": 40}},
    "required": ["text"],
    "additionalProperties": false
  },
  "annotations": {
    "readOnlyHint": false,
    "destructiveHint": false,
    "idempotentHint": false,
    "openWorldHint": false
  }
}
```

## When to ignore

It is the worst case. Then publish that.
"""

from __future__ import annotations

from collections.abc import Iterator

from fourfold.review.rule import Hit, Page, ToolRule
from fourfold.review.verbs import verb_of
from fourfold.review.view import ToolView
from fourfold.review.writes import READS, WRITES, adds

__all__ = ["RULE"]

_HINTS = ("readOnlyHint", "destructiveHint", "idempotentHint", "openWorldHint")


def _check(tool: ToolView) -> Iterator[Hit]:
    # Nothing at all is annotations-missing.
    if all(tool.hint(name) is None for name in _HINTS) or tool.hint("readOnlyHint"):
        return
    # search_and_replace begins like a read and is none.
    reads = verb_of(tool.name) in READS and not WRITES & set(tool.words)
    if reads and tool.hint("readOnlyHint") is None:
        yield _hit("readOnlyHint", "it counts as a write, and its name says that it reads")
    elif adds(tool) is not None and tool.hint("destructiveHint") is None:
        yield _hit("destructiveHint", "it counts as destructive, and its name says that it only adds")


def _hit(hint: str, meaning: str) -> Hit:
    return Hit(
        pointer="/annotations",
        message=f"{hint} is left out: {meaning}",
        fix=f"publish {hint}, and the other three with it",
    )


RULE = ToolRule(
    id="FF405",
    symbol="worst-case-by-omission",
    severity="warning",
    question="autonomy",
    evidence="report",
    sources=("https://github.com/open-mercato/open-mercato/issues/5283",),
    page=Page.read(__doc__),
    check=_check,
)
