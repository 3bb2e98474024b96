"""One call that can destroy any number of things.

## What it does

Finds destructive tools that are named for everything (`delete_all`, `purge`), take a flag `all`, or take a list of
ids without `maxItems`.

## Why it hurts

One wrong argument, or one left out, and everything is gone instead of one thing. There is no number at which the
call stops and asks.

## Example

```json
{
  "name": "file_delete",
  "description": "Delete files.",
  "inputSchema": {
    "type": "object",
    "properties": {
      "file_references": {
        "type": "array",
        "items": {"type": "string", "maxLength": 40}
      }
    },
    "required": ["file_references"],
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

## Use instead

Delete one, or a bounded few.

```json
{
  "name": "file_delete",
  "description": "Delete up to 20 files.",
  "inputSchema": {
    "type": "object",
    "properties": {
      "file_references": {
        "type": "array",
        "items": {"type": "string", "maxLength": 40},
        "maxItems": 20
      }
    },
    "required": ["file_references"],
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

Things that are made again by themselves, such as the entries of a cache.
"""

from __future__ import annotations

from collections.abc import Iterator

from fourfold.contracts.names import words
from fourfold.review.place import Place
from fourfold.review.rule import Hit, Page, ToolRule
from fourfold.review.view import ToolView
from fourfold.review.writes import destroys

__all__ = ["RULE"]

_EVERYTHING = frozenset({"all", "everything", "purge", "wipe", "truncate", "flush"})
_IDS = frozenset({"ids", "references", "keys", "names", "paths", "uuids", "items", "files", "emails"})


def _check(tool: ToolView) -> Iterator[Hit]:
    is_whole = tool.named_action == "destroy" and bool(_EVERYTHING & set(tool.words))
    # A contract of ours destroys one versioned thing by a plan.
    if tool.tool.contract is not None or (destroys(tool) is None and not is_whole):
        return
    if is_whole:
        yield Hit(
            pointer="/name",
            message="its name says that one call makes everything go",
            fix="say beforehand how many would go and take a plan, or take one thing a call",
        )
    for place in tool.arguments:
        if words(place.name) in (("all",), ("delete", "all"), ("everything",)) and "boolean" in place.types:
            yield _hit(place.pointer, f"{place.name} turns one thing into everything")
        elif _is_open_list(place):
            yield _hit(place.pointer, f"{place.name} may name any number of things to destroy")


def _is_open_list(place: Place) -> bool:
    is_of_ids = bool(_IDS & set(words(place.name)[-1:])) and len(place.parents) == 1
    return is_of_ids and "array" in place.types and "maxItems" not in place.resolved


def _hit(pointer: str, message: str) -> Hit:
    return Hit(pointer=pointer, message=message, fix="destroy one thing a call, or a bounded few, after a plan")


RULE = ToolRule(
    id="FF412",
    symbol="bulk-destroy",
    severity="error",
    question="autonomy",
    evidence="judgement",
    page=Page.read(__doc__),
    check=_check,
)
