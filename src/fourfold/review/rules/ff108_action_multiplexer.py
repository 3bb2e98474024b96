"""One tool for reads and writes, told apart by an argument.

## What it does

Finds an argument called `action`, `operation`, `command`, `method` or the like whose listed values mix verbs that read
with verbs that change or delete.

## Why it hurts

Clients let people allow or ask per tool, and annotations are per tool. A tool that lists and deletes must be annotated
as one that deletes, so either every read is asked for, or deleting runs unattended. Its arguments are the sum of all
actions, with none of them required.

## Example

```json
{
  "name": "contact_crud",
  "description": "Work with contacts.",
  "inputSchema": {
    "type": "object",
    "properties": {"action": {"type": "string", "enum": ["list", "get", "create", "delete"]}},
    "required": ["action"]
  }
}
```

## Use instead

A tool for each action; at least one for what reads and one for what writes.

```json
{
  "name": "contact_list",
  "description": "List contacts.",
  "inputSchema": {"type": "object", "properties": {}}
}
```

## When to ignore

The number of tools is what hurts more, and every value of the argument is as harmless as the others.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from fourfold.contracts.names import words
from fourfold.review.place import Place
from fourfold.review.rule import Hit, Page, ToolRule
from fourfold.review.texts import shown
from fourfold.review.verbs import action_of
from fourfold.review.view import ToolView

__all__ = ["RULE"]

_HTTP = frozenset({"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"})
"""Methods of a request that the tool sends elsewhere; that it may send any is what `free-url` is about."""

_SELECTORS = frozenset(
    {"action", "operation", "op", "command", "cmd", "subcommand", "method", "verb", "mode", "function"}
)


def _check(tool: ToolView) -> Iterator[Hit]:
    for place in tool.arguments:
        if len(place.parents) > 1 or not _SELECTORS & set(words(place.name)[-1:]):
            continue
        reads, writes = _kinds(place)
        if reads and writes:
            yield Hit(
                pointer=place.pointer,
                message=f"{place.name} chooses between reading ({_some(reads)}) and changing ({_some(writes)})",
                fix="make a tool of each action, or at least one of the reads and one of the writes",
            )


def _kinds(place: Place) -> tuple[list[str], list[str]]:
    """The values that read, and those that change or delete."""
    values = [value for value in place.values if isinstance(value, str) and value not in _HTTP]
    known = {value: action_of(value) for value in values}
    return (
        [value for value in values if known[value] == "read"],
        [value for value in values if known[value] in {"write", "destroy"}],
    )


def _some(values: Sequence[str]) -> str:
    return ", ".join(map(shown, values[:3]))


RULE = ToolRule(
    id="FF108",
    symbol="action-multiplexer",
    severity="warning",
    question="autonomy",
    evidence="report",
    sources=(
        "https://github.com/stape-io/stape-mcp-server/issues/43",
        "https://github.com/containers/kubernetes-mcp-server/issues/568",
    ),
    page=Page.read(__doc__),
    check=_check,
)
