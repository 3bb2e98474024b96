"""A list tool with no limit, cursor or page.

## What it does

Finds tools that list or search, by their name, and take nothing that bounds or continues the result. A tool is left
alone whose output schema bounds its list, that gets what its caller names, that chooses among several actions, or that
lists what is short by nature: types, roles, organizations.

## Why it hurts

It works on the day of the demo. With a year of data one call returns millions of tokens, and the client refuses the
answer or throws away what the model knew before. The model has no argument to ask for less. Where the server cuts at a
number of its own, nothing reaches the rest.

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

from fourfold.contracts.names import words
from fourfold.review.arguments import arguments, top_level
from fourfold.review.paging import bounds_result, is_paging
from fourfold.review.rule import Hit, Page, ToolRule
from fourfold.review.verbs import verb_of
from fourfold.review.view import ToolView

__all__ = ["RULE"]

_LISTS = frozenset({"list", "search", "find"})
_SELECTORS = frozenset(words("action operation command method"))
"""Arguments of a tool that lists only among other things."""

_FEW = frozenset(
    words(
        """
        organizations organisations workspaces libraries feeds databases extensions types categories voices labels
        roles rates languages currencies regions balances settings allowed rules dsns reminders triggers memories
        links reactions collections pages tags versions buckets floors filters
        """
    )
)
"""Words of lists that are short by nature."""

_NO_LIST = frozenset(words("and feedback manage details report sheet balance loss"))
"""Words of what reads like a list and is none: a report, the sending of feedback."""

_NAMED = frozenset(words("ids identifiers keys"))
"""Last words of arguments that name each result."""


def _check(tool: ToolView) -> Iterator[Hit]:
    if verb_of(tool.name) not in _LISTS or tool.action != "read" or bounds_result(tool) or _is_short(tool):
        return
    if not any(is_paging(place.name) for place in arguments(tool)):
        yield Hit(
            pointer="/inputSchema",
            message=f"{tool.name} lists, and takes nothing that bounds or continues its result",
            fix="add a limit with a maximum and a cursor, and has_more to the result",
        )


def _is_short(tool: ToolView) -> bool:
    """Whether it lists few by nature or what the caller names, or does other things than listing."""
    names = [(place, words(place.name)) for place in top_level(tool)]
    is_named = any(place.required and set(parts[-1:]) & _NAMED for place, parts in names)
    is_one = "by" in tool.words and tool.words[-1] in ("id", "key", "identifier", "name")
    # Clients that research call a `search` with a query and nothing else.
    is_set = tool.name == "search" and [place.name for place, _ in names] == ["query"]
    chooses = any(set(parts) <= _SELECTORS for _, parts in names)
    return is_named or is_one or chooses or is_set or bool((_FEW | _NO_LIST) & set(tool.words))


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
