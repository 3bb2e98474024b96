"""A write of which no argument is required.

## What it does

Finds writes that name what they act on and require nothing: `delete_file` with an optional `path`. A tool
whose description says what each of its uses needs is left alone.

## Why it hurts

The model may leave everything out and the schema agrees. The handler then fails late, or acts on a default: the
current project, the last object, all of them.

## Example

```json
{
  "name": "delete_file",
  "description": "Delete a file.",
  "inputSchema": {
    "type": "object",
    "properties": {"file_id": {"type": "string", "maxLength": 20}},
    "additionalProperties": false
  }
}
```

## Use instead

Require what the tool cannot work without.

```json
{
  "name": "delete_file",
  "description": "Delete a file.",
  "inputSchema": {
    "type": "object",
    "properties": {"file_id": {"type": "string", "maxLength": 20}},
    "required": ["file_id"],
    "additionalProperties": false
  }
}
```

## When to ignore

A tool that has a sensible object of its own when none is named, and says which.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from fourfold.contracts.names import words
from fourfold.review.arguments import top_level
from fourfold.review.rule import Hit, Page, ToolRule
from fourfold.review.view import ToolView

__all__ = ["RULE"]

_NAMES_AN_OBJECT = frozenset(words("id ids uuid path reference number slug"))
_SAYS_WHICH = re.compile(r"\b(?:one of|either|at least one|pick one|omit)\b", re.IGNORECASE)
_MAKES = frozenset(words("create add make generate build new book"))
"""Words of a tool that makes its object, which then has no name yet."""


def _check(tool: ToolView) -> Iterator[Hit]:
    root = tool.tool.input_schema
    says_which = _SAYS_WHICH.search(tool.description) or any(root.get(each) for each in ("anyOf", "oneOf", "allOf"))
    if says_which or root.get("required"):
        return
    named = [place.name for place in top_level(tool) if set(words(place.name)[-1:]) & _NAMES_AN_OBJECT]
    if named and tool.is_known_write and tool.named_action is not None and not _MAKES & set(tool.words):
        yield Hit(
            pointer="/inputSchema",
            message=f"{tool.name} writes and requires nothing, not even {named[0]}",
            fix="require what the tool cannot work without",
        )


RULE = ToolRule(
    id="FF228",
    symbol="nothing-required",
    severity="advice",
    question="wrong_argument",
    evidence="report",
    sources=("https://github.com/anthropics/claude-code/issues/82414",),
    page=Page.read(__doc__),
    check=_check,
)
