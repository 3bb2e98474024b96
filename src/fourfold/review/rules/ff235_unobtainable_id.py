"""An internal id that no tool of the catalog gives.

## What it does

Looks at catalogs whose tools declare their outputs. Finds required arguments for an internal id (`record_uuid`,
`internal_id`, `row_id`) where no output field, no other tool and no description says where it comes from.

## Why it hurts

Users do not know internal keys, and the model has no way to look one up. It asks for what nobody can answer, or
invents a plausible one.

## Example

```json
{
  "tools": [
    {
      "name": "note_list",
      "description": "List notes.",
      "inputSchema": {
        "type": "object",
        "properties": {"limit": {"type": "integer", "minimum": 1, "maximum": 50}},
        "required": [],
        "additionalProperties": false
      },
      "outputSchema": {
        "type": "object",
        "properties": {"titles": {"type": "array", "items": {"type": "string", "maxLength": 80}, "maxItems": 50}},
        "required": ["titles"]
      }
    },
    {
      "name": "note_read",
      "description": "Read a note.",
      "inputSchema": {
        "type": "object",
        "properties": {"record_uuid": {"type": "string", "maxLength": 36}},
        "required": ["record_uuid"],
        "additionalProperties": false
      },
      "outputSchema": {
        "type": "object",
        "properties": {"text": {"type": "string", "maxLength": 2000}},
        "required": ["text"]
      }
    }
  ]
}
```

## Use instead

Take the reference that users know, or return the id from the tool that lists.

```json
{
  "tools": [
    {
      "name": "note_list",
      "description": "List notes.",
      "inputSchema": {
        "type": "object",
        "properties": {"limit": {"type": "integer", "minimum": 1, "maximum": 50}},
        "required": [],
        "additionalProperties": false
      },
      "outputSchema": {
        "type": "object",
        "properties": {"titles": {"type": "array", "items": {"type": "string", "maxLength": 80}, "maxItems": 50}},
        "required": ["titles"]
      }
    },
    {
      "name": "note_read",
      "description": "Read a note.",
      "inputSchema": {
        "type": "object",
        "properties": {"title": {"type": "string", "maxLength": 80}},
        "required": ["title"],
        "additionalProperties": false
      },
      "outputSchema": {
        "type": "object",
        "properties": {"text": {"type": "string", "maxLength": 2000}},
        "required": ["text"]
      }
    }
  ]
}
```

## When to ignore

An id that comes from another server or from the user's screen; say so in the argument's description.
"""

from __future__ import annotations

from collections.abc import Iterator

from fourfold.contracts.names import words
from fourfold.review.arguments import arguments, explained
from fourfold.review.place import Place
from fourfold.review.rule import CatalogRule, Hit, Page
from fourfold.review.view import CatalogView, ToolView

__all__ = ["RULE"]

_INTERNAL = frozenset(words("uuid guid internal record row rowid pk oid surrogate db"))
_KEYS = frozenset(words("id ids uuid uuids guid pk key oid rowid"))


def _check(view: CatalogView) -> Iterator[Hit]:
    if not any(tool.outputs for tool in view.tools):
        return
    given = {words(place.name) for tool in view.tools for place in tool.fields}
    for tool in view.tools:
        for place in arguments(tool):
            if place.required and _is_internal(place) and not _is_given(place, tool, view=view, given=given):
                yield Hit(
                    tool=tool.name,
                    pointer=place.pointer,
                    message=f"{place.name} is an internal id, and no tool of the catalog gives one",
                    fix="take the reference that users know, or return the id from the tool that lists",
                )


def _is_internal(place: Place) -> bool:
    parts = words(place.name)
    return bool(parts) and parts[-1] in _KEYS and bool(_INTERNAL & set(parts))


def _is_given(place: Place, tool: ToolView, *, view: CatalogView, given: set[tuple[str, ...]]) -> bool:
    """Whether an output has it, or a text says where it comes from; an undeclared output may have it too."""
    parts = words(place.name)
    if parts in given or explained(tool, place) or any(name[-1:] == parts[-1:] for name in given):
        return True
    others = [other for other in view.tools if other is not tool]
    nouns = set(parts[:-1]) - _INTERNAL
    return any(place.name in other.description or (not other.outputs and nouns & set(other.words)) for other in others)


RULE = CatalogRule(
    id="FF235",
    symbol="unobtainable-id",
    severity="warning",
    question="wrong_argument",
    evidence="judgement",
    page=Page.read(__doc__),
    check=_check,
)
