"""A list tool with no limit, cursor or page.

## What it does

Finds tools that list or search, by their name, and take nothing that bounds or continues the result. A tool whose
output schema bounds its list is left alone.

## Why it hurts

It works on the day of the demo. With a year of data one call returns millions of tokens, and the client refuses the
answer or throws away what the model knew before. The model has no argument to ask for less.

## Example

```json
{
  "name": "list_groups",
  "description": "List all groups.",
  "inputSchema": {"type": "object", "properties": {}, "additionalProperties": false}
}
```

## Use instead

Take a `limit` with a maximum and a `cursor`, and say in the result whether there is more.

```json
{
  "name": "list_groups",
  "description": "List groups.",
  "inputSchema": {
    "type": "object",
    "properties": {
      "limit": {"type": "integer", "minimum": 1, "maximum": 100},
      "cursor": {"type": "string", "maxLength": 200}
    },
    "additionalProperties": false
  }
}
```

## When to ignore

A list that is short by nature, such as the settings of an account.
"""

from __future__ import annotations

from collections.abc import Iterator

from fourfold.review.arguments import arguments
from fourfold.review.paging import bounds_result, is_paging
from fourfold.review.rule import Hit, Page, ToolRule
from fourfold.review.verbs import verb_of
from fourfold.review.view import ToolView

__all__ = ["RULE"]

_LISTS = frozenset({"list", "search", "find"})


def _check(tool: ToolView) -> Iterator[Hit]:
    if verb_of(tool.name) not in _LISTS or tool.action != "read" or "and" in tool.words or bounds_result(tool):
        return
    if not any(is_paging(place.name) for place in arguments(tool)):
        yield Hit(
            pointer="/inputSchema",
            message=f"{tool.name} lists, and takes nothing that bounds or continues its result",
            fix="add a limit with a maximum and a cursor, and has_more to the result",
        )


RULE = ToolRule(
    id="FF222",
    symbol="list-without-page",
    severity="warning",
    question="recoverable",
    evidence="report",
    sources=(
        "https://github.com/okta/okta-mcp-server/issues/9",
        "https://github.com/rollbar/rollbar-mcp-server/issues/42",
        "https://github.com/dbt-labs/dbt-mcp/issues/178",
    ),
    page=Page.read(__doc__),
    check=_check,
)
