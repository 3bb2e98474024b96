"""A query language as an argument.

## What it does

Finds text arguments that take SQL, Cypher, GraphQL or another language that a database runs, by their name or by
what is said of them. GraphQL, whose API sees each field and knows whose token asks, is a warning. With a Fourfold
contract, a query in a `Sandbox` is silent.

## Why it hurts

Unless a database user with few rights runs it, free SQL is every right of the server at once, and a filter in front of
it does not hold: comments, functions with side effects, a second statement and unlisted verbs have all got past "only
SELECT". Whoever reads the definition cannot see which of the two it is.

## Example

```json
{
  "name": "query",
  "description": "Run a read-only query.",
  "inputSchema": {
    "type": "object",
    "properties": {"sql": {"type": "string", "maxLength": 4000}},
    "required": ["sql"],
    "additionalProperties": false
  }
}
```

## Use instead

Offer the questions that are asked as tools with typed arguments. Where free queries are the point, run them as a
database user that can read a few views, with a row and a time limit, and say which views.

```json
{
  "name": "invoices_overdue",
  "description": "List overdue invoices.",
  "inputSchema": {
    "type": "object",
    "properties": {
      "days": {"type": "integer", "minimum": 1, "maximum": 365},
      "limit": {"type": "integer", "minimum": 1, "maximum": 100}
    },
    "required": ["days"],
    "additionalProperties": false
  }
}
```

## When to ignore

A query that runs in a sandbox, or a server whose whole purpose is a database client for its own user, with rights that
the database enforces.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from fourfold.contracts.names import words
from fourfold.review.arguments import alternatives, arguments, explained, takes_text
from fourfold.review.declared import is_sandboxed, unwaived
from fourfold.review.place import Place
from fourfold.review.rule import Hit, Page, ToolRule
from fourfold.review.view import ToolView

__all__ = ["RULE"]

_LANGUAGES = frozenset(words("sql cypher graphql soql sparql kql gql psql mysql"))
_CARRIERS = frozenset(words("query queries statement statements script code"))
_SAYS_SO = re.compile(r"\b(?:SQL|Cypher|GraphQL|SOQL|SPARQL|KQL|Kusto|DuckDB)\b", re.IGNORECASE)
_NO_QUERY = frozenset(words("name id type version dialect file path results mode format"))


def _check(tool: ToolView) -> Iterator[Hit]:
    if is_sandboxed(tool):
        return
    for place in unwaived(tool, arguments(tool), rule="free_query"):
        if takes_text(place) and _is_free(place) and _is_query(place, tool):
            yield Hit(
                pointer=place.pointer,
                message=f"{place.name} is a free query, and what it reaches depends on rights that no schema shows",
                fix="offer typed tools for the questions, or run it with rights to a few views and under limits",
                severity="warning" if _is_graphql(place, tool) else None,
            )


def _is_query(place: Place, tool: ToolView) -> bool:
    parts = words(place.name)
    if not parts or parts[-1] in _NO_QUERY:
        return False
    if _LANGUAGES & set(parts):
        return True
    says_so = _SAYS_SO.search(explained(tool, place)) or _LANGUAGES & set(tool.words)
    return parts[-1] in _CARRIERS and bool(says_so)


def _is_graphql(place: Place, tool: ToolView) -> bool:
    return "graphql" in f"{place.name} {tool.name} {explained(tool, place)}".lower()


def _is_free(place: Place) -> bool:
    return any(not each.values and not each.schema.get("pattern") for each in alternatives(place))


RULE = ToolRule(
    id="FF206",
    symbol="free-query",
    severity="error",
    question="autonomy",
    evidence="report",
    sources=(
        "https://github.com/executeautomation/mcp-database-server/issues/33",
        "https://github.com/awslabs/mcp/pull/4044",
        "https://github.com/IBM/ibmi-mcp-server/issues/188",
    ),
    page=Page.read(__doc__),
    check=_check,
)
