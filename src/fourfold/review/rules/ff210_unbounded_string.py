"""Text without a bound on its length.

## What it does

Finds text that nothing bounds: no `maxLength`, no enum, no format of fixed length, no pattern without an open
repetition.

## Why it hurts

One call may carry megabytes, and a model fills what it is given: a whole document in a `title`, its own reasoning
in a `note`. What the server cuts or refuses later, the model could have seen in the schema.

## Example

```json
{
  "name": "note_add",
  "description": "Add a note.",
  "inputSchema": {
    "type": "object",
    "properties": {"text": {"type": "string"}},
    "required": ["text"],
    "additionalProperties": false
  }
}
```

## Use instead

Say how long the text may be; where there are only some values, list them.

```json
{
  "name": "note_add",
  "description": "Add a note.",
  "inputSchema": {
    "type": "object",
    "properties": {"text": {"type": "string", "maxLength": 2000}},
    "required": ["text"],
    "additionalProperties": false
  }
}
```

## When to ignore

Where text of any length is the point and the server caps the size of a call, as Fourfold does.
"""

from __future__ import annotations

from collections.abc import Iterator

from fourfold.review.arguments import is_bounded_text, label, sent
from fourfold.review.declared import unwaived
from fourfold.review.rule import Hit, Page, ToolRule
from fourfold.review.view import ToolView

__all__ = ["RULE"]


def _check(tool: ToolView) -> Iterator[Hit]:
    for place in unwaived(tool, sent(tool), rule="unbounded_string"):
        if "string" in place.types and not is_bounded_text(place.schema):
            yield Hit(
                pointer=place.pointer,
                message=f"{label(place)} is text of any length",
                fix="add maxLength, or an enum or pattern that bounds it",
            )


RULE = ToolRule(
    id="FF210",
    symbol="unbounded-string",
    severity="advice",
    question="wrong_argument",
    evidence="judgement",
    page=Page.read(__doc__),
    check=_check,
)
