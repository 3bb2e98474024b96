"""One tool for two actions, joined by `or` or `and`.

## What it does

Finds names in which two different verbs that change something are joined: `create_or_update_file`, `stop_and_delete`. A
tool that is annotated as idempotent is left alone.

## Why it hurts

Whether something new is made or something old is overwritten is decided by the state that the tool finds, not by the
call. A caller that meant to create overwrites without noticing, and a repeat cannot be told from a second request.

## Example

```json
{
  "name": "create_or_update_file",
  "description": "Create or update a file.",
  "inputSchema": {"type": "object", "properties": {}}
}
```

## Use instead

Two tools. The first fails if the thing is there, the second takes the version that it replaces.

```json
{
  "name": "file_create",
  "description": "Create a file. Fails with file_exists if there is one.",
  "inputSchema": {"type": "object", "properties": {}}
}
```

## When to ignore

The state after the call is all that counts, and the tool takes the version that it expects to replace.
"""

from __future__ import annotations

from collections.abc import Iterator

from fourfold.review.rule import Hit, Page, ToolRule
from fourfold.review.verbs import action_of
from fourfold.review.view import ToolView

__all__ = ["RULE"]


def _check(tool: ToolView) -> Iterator[Hit]:
    # Where the state after the call is all that counts, a repeat is harmless.
    if tool.hint("idempotentHint") is True:
        return
    for before, joint, after in zip(tool.words, tool.words[1:], tool.words[2:], strict=False):
        if joint in ("or", "and") and before != after and _changes(before) and _changes(after):
            yield Hit(
                pointer="/name",
                message=f"{tool.name} does two things: {before} {joint} {after}",
                fix=f"make one tool that does {before}, and one that does {after}",
            )


def _changes(word: str) -> bool:
    return action_of(word) in {"write", "destroy"}


RULE = ToolRule(
    id="FF120",
    symbol="joined-actions",
    severity="advice",
    question="recoverable",
    evidence="judgement",
    page=Page.read(__doc__),
    check=_check,
)
