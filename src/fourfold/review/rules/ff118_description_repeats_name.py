"""A description that says what the name has said.

## What it does

Finds descriptions without a word that is not in the name already: `Delete an issue` for `delete_issue`. A word that
stands twice and once in the name says something: `List tasks of a task list` for `list_tasks`.

## Why it hurts

The description is the place to tell a model what the name cannot: which issue, whether it comes back, when to close it
instead. Repeating the name costs tokens and decides nothing.

## Example

```json
{"name": "delete_issue", "description": "Delete an issue", "inputSchema": {"type": "object", "properties": {}}}
```

## Use instead

```json
{
  "name": "delete_issue",
  "description": "Delete an issue for good, with its comments. To keep it, use issue_close. Returns its number.",
  "inputSchema": {"type": "object", "properties": {}}
}
```

## When to ignore

The name really says everything, and no other tool comes near.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator

from fourfold.contracts.names import words
from fourfold.review.rule import Hit, Page, ToolRule
from fourfold.review.view import ToolView

__all__ = ["RULE"]

_WORD = re.compile(r"[A-Za-z0-9]+")
_EMPTY = frozenset(
    {
        "a", "an", "the", "of", "for", "from", "in", "to", "on", "by", "with", "and", "or", "its", "this", "that",
        "your", "some", "all", "tool", "new", "existing", "specific", "given", "single",
    }
)  # fmt: skip


def _check(tool: ToolView) -> Iterator[Hit]:
    empty = {_plain(word) for word in _EMPTY}
    said = Counter(plain for word in _WORD.findall(tool.description.lower()) if (plain := _plain(word)) not in empty)
    if said and said <= Counter(map(_plain, words(tool.name))):
        yield Hit(
            pointer="/description",
            message=f"the description of {tool.name} says nothing that its name does not",
            fix="say when to use it and when not, what it changes, and what it returns",
        )


def _plain(word: str) -> str:
    """A word without the endings of the plural and of the third person."""
    return word.removesuffix("ies") + "y" if word.endswith("ies") else word.removesuffix("s")


RULE = ToolRule(
    id="FF118",
    symbol="description-repeats-name",
    severity="advice",
    question="wrong_tool",
    evidence="report",
    sources=("https://github.com/morluto/flameox/issues/509",),
    page=Page.read(__doc__),
    check=_check,
)
