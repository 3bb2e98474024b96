"""A constant as `const`.

## What it does

Finds `const` in input schemas.

## Why it hurts

Gemini's function declarations have no such field and refuse the whole request. Converters write a literal of one
value, or the tag of a union, that way.

## Example

```json
{
  "name": "document_edit",
  "description": "Edit a document.",
  "inputSchema": {
    "type": "object",
    "properties": {"operation": {"const": "insert_text"}},
    "required": ["operation"],
    "additionalProperties": false
  }
}
```

## Use instead

An enum with one value means the same everywhere. `--fix-schema` writes it.

```json
{
  "name": "document_edit",
  "description": "Edit a document.",
  "inputSchema": {
    "type": "object",
    "properties": {"operation": {"type": "string", "enum": ["insert_text"]}},
    "required": ["operation"],
    "additionalProperties": false
  }
}
```

## When to ignore

When Gemini is no client of yours: name those that are under `clients`.
"""

from __future__ import annotations

from collections.abc import Iterator

from fourfold.review.fit import Misfit, ToolFit, called, places_of
from fourfold.review.profile import Demand, Profile
from fourfold.review.rule import Page, ToolRule
from fourfold.review.view import ToolView

__all__ = ["RULE"]

_TEXT = "write an enum with that one value, and its type"
_VALUES = "write the values as one enum, and its type"
_OTHER = "write its type alone, and check the value at run time: an enum takes text only there"


def _find(tool: ToolView, _: Profile, demand: Demand) -> Iterator[Misfit]:
    for place in places_of(tool, demand):
        if "const" in place.schema:
            is_arm = place.pointer.split("/")[-2] in ("anyOf", "oneOf")
            text = _VALUES if is_arm else _TEXT
            yield Misfit(
                pointer=f"{place.pointer}/const",
                what=f"{'one value of ' if is_arm else ''}{called(place)} is a const",
                fix=text if isinstance(place.schema["const"], str) else _OTHER,
            )


RULE = ToolRule(
    id="FF612",
    symbol="const-unsupported",
    severity="error",
    question="fits",
    evidence="report",
    sources=(
        "https://github.com/zed-industries/zed/issues/45552",
        "https://github.com/sbroenne/mcp-server-excel/issues/672",
    ),
    page=Page.read(__doc__),
    check=ToolFit("const-unsupported", _find),
)
