"""A tool that reaches the open web and says that it does not.

## What it does

Finds tools with `openWorldHint: false` that search or fetch the web, send mail, or take an address to fetch.

## Why it hurts

Clients treat what comes from a closed world as the user's own data. A page from the web may hold instructions, and
what is sent there has left.

## Example

```json
{
  "name": "web_fetch",
  "description": "Fetch a page.",
  "inputSchema": {
    "type": "object",
    "properties": {"url": {"type": "string", "format": "uri", "maxLength": 2000}},
    "required": ["url"],
    "additionalProperties": false
  },
  "annotations": {
    "readOnlyHint": true,
    "destructiveHint": false,
    "idempotentHint": true,
    "openWorldHint": false
  }
}
```

## Use instead

Say that it is open.

```json
{
  "name": "web_fetch",
  "description": "Fetch a page.",
  "inputSchema": {
    "type": "object",
    "properties": {"url": {"type": "string", "format": "uri", "maxLength": 2000}},
    "required": ["url"],
    "additionalProperties": false
  },
  "annotations": {
    "readOnlyHint": true,
    "destructiveHint": false,
    "idempotentHint": true,
    "openWorldHint": true
  }
}
```

## When to ignore

The addresses are those of one internal system that the server checks.
"""

from __future__ import annotations

from collections.abc import Iterator

from fourfold.contracts.names import words
from fourfold.review.rule import Hit, Page, ToolRule
from fourfold.review.view import ToolView

__all__ = ["RULE"]

_WEB = frozenset({"web", "internet", "online", "google", "bing", "duckduckgo"})
_FETCHES = frozenset({"fetch", "search", "scrape", "crawl", "browse", "research", "download", "get"})
_MAILS = frozenset({"email", "mail", "sms", "tweet"})


def _check(tool: ToolView) -> Iterator[Hit]:
    names = set(tool.words)
    takes_url = any(words(place.name) in (("url",), ("urls",)) for place in tool.arguments)
    reaches = (names & _WEB and names & _FETCHES) or (names & _MAILS and "send" in names)
    # An address among the arguments of a write is a value like any other.
    fetches = takes_url and names & {"fetch", "scrape", "crawl", "browse", "download"}
    if tool.hint("openWorldHint") is False and (reaches or fetches):
        yield Hit(
            pointer="/annotations/openWorldHint",
            message="openWorldHint is false, and it reaches addresses that others own",
            fix="set openWorldHint to true",
        )


RULE = ToolRule(
    id="FF420",
    symbol="closed-world-claim",
    severity="warning",
    question="autonomy",
    evidence="report",
    sources=(
        "https://github.com/exa-labs/exa-mcp-server/issues/348",
        "https://github.com/homeassistant-ai/ha-mcp/issues/1871",
    ),
    page=Page.read(__doc__),
    check=_check,
)
