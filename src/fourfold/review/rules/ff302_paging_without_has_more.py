"""Pages of a list that do not say whether another one follows.

## What it does

Finds tools that take a page, an offset or a cursor, and whose declared output holds a list but no field such as
`has_more`, `next_cursor` or `total`.

## Why it hurts

The model can't tell a full last page from a page in the middle. It fetches page 1 again and again, or stops after
it and answers as if that were everything.

## Example

```json
{
  "name": "pull_request_list",
  "description": "List pull requests.",
  "inputSchema": {
    "type": "object",
    "properties": {
      "page": {"type": "integer"},
      "per_page": {"type": "integer", "maximum": 100}
    },
    "additionalProperties": false
  },
  "outputSchema": {
    "type": "object",
    "properties": {
      "items": {
        "type": "array",
        "items": {
          "type": "object",
          "properties": {"number": {"type": "integer"}},
          "required": ["number"]
        },
        "maxItems": 100
      }
    },
    "required": ["items"]
  }
}
```

## Use instead

Say it in every page, and give the place of the next one.

```json
{
  "name": "pull_request_list",
  "description": "List pull requests.",
  "inputSchema": {
    "type": "object",
    "properties": {
      "cursor": {"type": "string", "maxLength": 200},
      "limit": {"type": "integer", "maximum": 100}
    },
    "additionalProperties": false
  },
  "outputSchema": {
    "type": "object",
    "properties": {
      "items": {
        "type": "array",
        "items": {
          "type": "object",
          "properties": {"number": {"type": "integer"}},
          "required": ["number"]
        },
        "maxItems": 100
      },
      "has_more": {"type": "boolean"},
      "next_cursor": {"type": "string", "maxLength": 200}
    },
    "required": ["items", "has_more"]
  }
}
```

## When to ignore

A list that always ends with an empty page, where the description says so.
"""

from __future__ import annotations

from collections.abc import Iterator

from fourfold.review.listing import continuations, lists, marks_of_more
from fourfold.review.rule import Hit, Page, ToolRule
from fourfold.review.view import ToolView

__all__ = ["RULE"]


def _check(tool: ToolView) -> Iterator[Hit]:
    argument = next(continuations(tool), None)
    # An output without a list in its schema may say anything in its text.
    found = next(lists(tool), None)
    if argument is None or found is None or tool.action != "read" or any(marks_of_more(tool)):
        return
    where = found.name or "the list"
    yield Hit(
        pointer="/outputSchema",
        message=f"it takes {argument.name}, but nothing beside {where} says whether there is another page",
        fix="add has_more and next_cursor to the output",
    )


RULE = ToolRule(
    id="FF302",
    symbol="paging-without-has-more",
    severity="error",
    question="recoverable",
    evidence="report",
    sources=(
        "https://github.com/github/github-mcp-server/issues/430",
        "https://github.com/github/github-mcp-server/issues/1362",
    ),
    page=Page.read(__doc__),
    check=_check,
)
