"""A limit that a result may stop at without saying so.

## What it does

Finds reads that take a `limit` or `max_results` but no cursor, page or offset, where neither the output schema nor
the description tells whether there is more than was returned. A search for a text is left alone, as its best hits are
the answer, and so is a limit that is null unless the caller sets it.

## Why it hurts

A table that stops at 500 rows looks exactly like a table of 500 rows. Totals that a model makes from it are wrong,
and nothing in the result gives it away.

## Example

```json
{
  "name": "order_search",
  "description": "Search orders by customer.",
  "inputSchema": {
    "type": "object",
    "properties": {
      "customer": {"type": "string", "maxLength": 40},
      "limit": {"type": "integer", "maximum": 500}
    },
    "required": ["customer"],
    "additionalProperties": false
  },
  "outputSchema": {
    "type": "object",
    "properties": {
      "orders": {
        "type": "array",
        "items": {
          "type": "object",
          "properties": {"number": {"type": "integer"}},
          "required": ["number"]
        },
        "maxItems": 100
      }
    },
    "required": ["orders"]
  }
}
```

## Use instead

Say how many there are, or that there are more.

```json
{
  "name": "order_search",
  "description": "Search orders by customer.",
  "inputSchema": {
    "type": "object",
    "properties": {
      "customer": {"type": "string", "maxLength": 40},
      "limit": {"type": "integer", "maximum": 500},
      "cursor": {"type": "string", "maxLength": 200}
    },
    "required": ["customer"],
    "additionalProperties": false
  },
  "outputSchema": {
    "type": "object",
    "properties": {
      "orders": {
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
    "required": ["orders", "has_more"]
  }
}
```

## When to ignore

A ranked search, where the best ten are the answer and nobody counts the rest. Call its argument `top_n` and say so.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from fourfold.contracts.names import words
from fourfold.review.listing import continuations, limits, marks_of_more
from fourfold.review.rule import Hit, Page, ToolRule
from fourfold.review.verbs import verb_of
from fourfold.review.view import ToolView

__all__ = ["RULE"]

_TELLS = re.compile(
    r"\bcursor|truncat|\bhas.?more|\btotal\b|\bpaginat|\bnext page|\bnext.?token|more results|\bremaining|\brecent\b"
    r"|\brank|relevan|\bbest\b|\btop\b|similar|semantic|\blatest|\blargest|\bhighest|\blongest|\bslowest|most frequent",
    re.IGNORECASE,
)


_PICKS = frozenset(
    words(
        "top recent sample frequent longest random latest related similar best facts context suggest trending popular "
        "peek head tail"
    )
)
"""Words for tools that choose a few on purpose."""

_TEXTS = frozenset({"q", "query", "search", "text", "keyword", "keywords", "term", "terms", "phrase", "question"})
"""Words in the names of arguments that hold what is searched for."""


def _check(tool: ToolView) -> Iterator[Hit]:
    limit = next(limits(tool), None)
    if limit is None or tool.action != "read" or _PICKS & set(tool.words):
        return
    if _is_ranked(tool) or ("default" in limit.resolved and limit.resolved["default"] is None):
        return
    # Whoever can ask for the next page finds out that there was one.
    if any(continuations(tool)) or any(marks_of_more(tool)) or (limit.name == "count" and verb_of(tool.name) != "list"):
        return
    if _TELLS.search(f"{tool.description} {limit.description}") is None and not limit.name.lower().startswith("top"):
        yield Hit(
            pointer=limit.pointer,
            message=f"a result that stops at {limit.name} looks complete: nothing says whether there is more",
            fix="return has_more or a total, and take a cursor for the rest",
        )


def _is_ranked(tool: ToolView) -> bool:
    """Whether it searches for a text that the caller gives."""
    if verb_of(tool.name) not in ("search", "find", "query"):
        return False
    return any(len(place.parents) == 1 and _TEXTS & set(words(place.name)) for place in tool.arguments)


RULE = ToolRule(
    id="FF304",
    symbol="silent-limit",
    severity="warning",
    question="recoverable",
    evidence="report",
    sources=("https://github.com/github/github-mcp-server/issues/1362",),
    page=Page.read(__doc__),
    check=_check,
)
