"""A list of things that no other tool can be told apart by.

## What it does

Finds lists and searches whose items are objects without an id, a reference, a name, a path or an address, in
catalogs where another tool about the same thing requires one.

## Why it hurts

The model sees what it wants and can't say which one it means. It makes an id up, or calls the next tool with a
title.

## Example

```json
{
  "tools": [
    {
      "name": "invoice_list",
      "description": "List invoices.",
      "inputSchema": {
        "type": "object",
        "properties": {"cursor": {"type": "string", "maxLength": 40}},
        "additionalProperties": false
      },
      "outputSchema": {
        "type": "object",
        "properties": {
          "items": {
            "type": "array",
            "maxItems": 50,
            "items": {
              "type": "object",
              "properties": {
                "status": {
                  "type": "string",
                  "maxLength": 40
                },
                "amount_minor": {
                  "type": "integer"
                }
              }
            }
          },
          "has_more": {"type": "boolean"}
        }
      }
    },
    {
      "name": "invoice_get",
      "description": "Show an invoice.",
      "inputSchema": {
        "type": "object",
        "properties": {"invoice_id": {"type": "string", "maxLength": 40}},
        "required": ["invoice_id"],
        "additionalProperties": false
      }
    }
  ]
}
```

## Use instead

Return what the next tool takes.

```json
{
  "tools": [
    {
      "name": "invoice_list",
      "description": "List invoices.",
      "inputSchema": {
        "type": "object",
        "properties": {"cursor": {"type": "string", "maxLength": 40}},
        "additionalProperties": false
      },
      "outputSchema": {
        "type": "object",
        "properties": {
          "items": {
            "type": "array",
            "maxItems": 50,
            "items": {
              "type": "object",
              "properties": {
                "invoice_id": {
                  "type": "string",
                  "maxLength": 40
                },
                "amount_minor": {
                  "type": "integer"
                }
              }
            }
          },
          "has_more": {"type": "boolean"}
        }
      }
    },
    {
      "name": "invoice_get",
      "description": "Show an invoice.",
      "inputSchema": {
        "type": "object",
        "properties": {"invoice_id": {"type": "string", "maxLength": 40}},
        "required": ["invoice_id"],
        "additionalProperties": false
      }
    }
  ]
}
```

## When to ignore

Rows of a report, which nobody acts on.
"""

from __future__ import annotations

from collections.abc import Iterator

from fourfold.contracts.names import words
from fourfold.review.place import Place, property_names
from fourfold.review.rule import CatalogRule, Hit, Page
from fourfold.review.view import CatalogView, ToolView
from fourfold.review.writes import subject

__all__ = ["RULE"]

_NAMES = frozenset({
    "id", "ids", "key", "reference", "ref", "number", "name", "path", "url", "uri", "slug", "uuid", "code", "sku",
    "sha", "handle", "title", "arn", "symbol", "email", "iid", "gid", "identifier",
})  # fmt: skip


def _check(catalog: CatalogView) -> Iterator[Hit]:
    for tool in catalog.tools:
        nameless = [place for place in _items(tool) if _is_nameless(place)]
        wanted = _wanted(tool, catalog) if nameless else None
        for place in nameless if wanted else ():
            yield Hit(
                tool=tool.name,
                pointer=place.pointer,
                message=f"an item has no id, and {wanted} needs one",
                fix="return the reference that the next tool takes",
            )


def _items(tool: ToolView) -> Iterator[Place]:
    # A single thing needs no id: the caller has just named it.
    if {"list", "search", "find"} & set(tool.words):
        yield from (place for place in tool.outputs if place.pointer.endswith("/items") and "object" in place.types)


def _is_nameless(place: Place) -> bool:
    names = {word for name in property_names(place.resolved) for word in words(name)}
    return bool(names) and not names & _NAMES


def _wanted(tool: ToolView, catalog: CatalogView) -> str | None:
    about = subject(tool)
    for other in catalog.tools:
        # An optional id may have another way beside it.
        takes = any(place.required and words(place.name)[-1:] in (("id",), ("reference",)) for place in other.arguments)
        if other is not tool and takes and about & subject(other):
            return other.name
    return None


RULE = CatalogRule(
    id="FF316",
    symbol="items-without-id",
    severity="warning",
    question="recoverable",
    evidence="judgement",
    page=Page.read(__doc__),
    check=_check,
)
