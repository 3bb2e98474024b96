"""A result with a list that has no bound anywhere.

## What it does

Finds reads whose declared output holds a list without `maxItems`, and that take neither a limit nor a page nor a
cursor. What says itself that it stopped, runs a query of the caller, sums up or recommends is left alone.

## Why it hurts

The size of the result is the size of the data. Clients refuse results of more than about 25,000 tokens or keep the
first 2 KB, and the work so far is lost with them.

## Example

```json
{
  "name": "ledger_read",
  "description": "Show the entries of the ledger.",
  "inputSchema": {"type": "object", "properties": {}, "additionalProperties": false},
  "outputSchema": {
    "type": "object",
    "properties": {
      "items": {
        "type": "array",
        "items": {
          "type": "object",
          "properties": {"number": {"type": "integer"}},
          "required": ["number"]
        }
      }
    },
    "required": ["items"]
  }
}
```

## Use instead

Bound the list, and let the caller go on.

```json
{
  "name": "ledger_read",
  "description": "Show the entries of the ledger.",
  "inputSchema": {
    "type": "object",
    "properties": {"cursor": {"type": "string", "maxLength": 200}},
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
        "maxItems": 50
      },
      "has_more": {"type": "boolean"},
      "next_cursor": {"type": "string", "maxLength": 200}
    },
    "required": ["items", "has_more"]
  }
}
```

## When to ignore

A list that something else keeps short: the tax rates of a country, the columns of a table.
"""

from __future__ import annotations

from collections.abc import Iterator

from fourfold.contracts.names import is_query, words
from fourfold.review.listing import continuations, limits, lists, marks_of_more
from fourfold.review.place import Place
from fourfold.review.rule import Hit, Page, ToolRule
from fourfold.review.verbs import verb_of
from fourfold.review.view import ToolView

__all__ = ["RULE"]


_ELSEWHERE = frozenset({"list", "search", "find", "validate", "check", "test", "recommend", "suggest"})
"""What lists is the business of `list-without-page`; what checks returns as many faults as there are."""

_SHORT = frozenset(
    words("stats statistics buckets scopes collections schemas columns databases namespaces regions languages sections")
)
"""Words in the names of tools whose results something else keeps short."""

_PERIODS = frozenset(words("day days week weeks month months"))


def _check(tool: ToolView) -> Iterator[Hit]:
    if tool.action != "read" or verb_of(tool.name) in _ELSEWHERE or any(limits(tool)) or any(continuations(tool)):
        return
    if any(marks_of_more(tool)) or any(map(_bounds, tool.arguments)) or _SHORT & set(tool.words):
        return
    # One finding a tool: a nested result would repeat it for each of its lists.
    unbounded = [place for place in lists(tool) if "maxItems" not in place.resolved and not _is_short(place)]
    if unbounded:
        first, more = unbounded[0], len(unbounded) - 1
        others = f" ({more} more like it)" if more else ""
        yield Hit(
            pointer=first.pointer,
            message=f"{first.name or 'the result'} may be of any length, and no argument limits it{others}",
            fix="set maxItems, and take a cursor for what does not fit",
        )


def _bounds(place: Place) -> bool:
    """Whether an argument holds a bound, names what is wanted, or is a query that may have a bound."""
    parts = words(place.name)
    return parts[:1] == ("max",) or parts[-1:] == ("ids",) or is_query(place.name) or place.name == "query"


def _is_short(place: Place) -> bool:
    """Whether its items are periods, or the blocks of one result as the protocol has them."""
    return bool(_PERIODS & set(words(place.name))) or "mimeType" in str(place.resolved.get("items"))


RULE = ToolRule(
    id="FF305",
    symbol="unbounded-output-list",
    severity="advice",
    question="recoverable",
    evidence="report",
    sources=(
        "https://github.com/Pimzino/spec-workflow-mcp/issues/107",
        "https://github.com/anthropics/claude-code/issues/45766",
    ),
    page=Page.read(__doc__),
    check=_check,
)
