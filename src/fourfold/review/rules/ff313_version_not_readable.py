"""An update that wants a version which no tool shows.

## What it does

Finds updates that require a version (`expected_version`, `etag`), in catalogs that declare their outputs and where
no other tool about the same thing returns one.

## Why it hurts

The version is there so that nobody overwrites what they have not seen. If no read returns it, a model can only
invent one, and is refused each time or, worse, not.

## Example

```json
{
  "tools": [
    {
      "name": "quote_get",
      "description": "Show a quote.",
      "inputSchema": {
        "type": "object",
        "properties": {"quote_reference": {"type": "string", "maxLength": 40}},
        "required": ["quote_reference"],
        "additionalProperties": false
      },
      "outputSchema": {
        "type": "object",
        "properties": {"status": {"type": "string", "maxLength": 40}},
        "required": ["status"]
      }
    },
    {
      "name": "quote_update",
      "description": "Change a quote.",
      "inputSchema": {
        "type": "object",
        "properties": {
          "quote_reference": {"type": "string", "maxLength": 40},
          "expected_version": {"type": "integer"}
        },
        "required": ["quote_reference", "expected_version"],
        "additionalProperties": false
      }
    }
  ]
}
```

## Use instead

Return the version from the read.

```json
{
  "tools": [
    {
      "name": "quote_get",
      "description": "Show a quote.",
      "inputSchema": {
        "type": "object",
        "properties": {"quote_reference": {"type": "string", "maxLength": 40}},
        "required": ["quote_reference"],
        "additionalProperties": false
      },
      "outputSchema": {
        "type": "object",
        "properties": {
          "status": {"type": "string", "maxLength": 40},
          "version": {"type": "integer"}
        },
        "required": ["status", "version"]
      }
    },
    {
      "name": "quote_update",
      "description": "Change a quote.",
      "inputSchema": {
        "type": "object",
        "properties": {
          "quote_reference": {"type": "string", "maxLength": 40},
          "expected_version": {"type": "integer"}
        },
        "required": ["quote_reference", "expected_version"],
        "additionalProperties": false
      }
    }
  ]
}
```

## When to ignore

The version comes from somewhere else that the description names, such as a resource of the server.
"""

from __future__ import annotations

from collections.abc import Iterator

from fourfold.contracts.names import words
from fourfold.review.place import Place
from fourfold.review.rule import CatalogRule, Hit, Page
from fourfold.review.view import CatalogView, ToolView
from fourfold.review.writes import subject

__all__ = ["RULE"]

_EXPECTED = frozenset({
    ("expected", "version"), ("etag",), ("if", "match"), ("expected", "revision"), ("lock", "version"),
    ("resource", "version"), ("expected", "etag"), ("current", "version"),
})  # fmt: skip
_SHOWN = frozenset({"version", "versions", "etag", "revision", "rev"})


def _check(catalog: CatalogView) -> Iterator[Hit]:
    for tool in catalog.tools:
        wanted = next((place for place in tool.arguments if place.required and words(place.name) in _EXPECTED), None)
        if wanted is not None and _is_hidden(tool, wanted, catalog):
            yield Hit(
                tool=tool.name,
                pointer=wanted.pointer,
                message=f"{wanted.name} is required, and no tool that declares its output returns it",
                fix="return the version from the tool that reads the same resource",
            )


def _is_hidden(tool: ToolView, wanted: Place, catalog: CatalogView) -> bool:
    # Tools without an output schema may return the version in their text; nobody knows.
    readers = [
        other for other in catalog.tools if other.outputs and other is not tool and subject(other) & subject(tool)
    ]
    shown = {word for other in readers for place in other.fields for word in words(place.name)}
    return bool(readers) and not shown & (_SHOWN | set(words(wanted.name)[-1:]))


RULE = CatalogRule(
    id="FF313",
    symbol="version-not-readable",
    severity="warning",
    question="recoverable",
    evidence="report",
    sources=(
        "https://github.com/maxkuminov/obsidian-mcp/issues/205",
        "https://github.com/naveedharri/baalda/issues/78",
    ),
    page=Page.read(__doc__),
    check=_check,
)
