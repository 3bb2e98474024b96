"""A URL of any host, which the tool fetches.

## What it does

Finds URL arguments of tools that fetch, scrape, crawl, import or navigate, where no enum or pattern says which
hosts. `format: uri` alone bounds nothing.

## Why it hurts

The request comes from where the server stands: the metadata address of its cloud, a database next to it, an admin
page on localhost. A page that the model read a minute ago may name the address. And an address carries out what is
written into it: `https://a.example/?q=` and a line of the conversation.

## Example

```json
{
  "name": "fetch_page",
  "description": "Fetch a web page.",
  "inputSchema": {
    "type": "object",
    "properties": {"url": {"type": "string", "maxLength": 2000, "format": "uri"}},
    "required": ["url"],
    "additionalProperties": false
  }
}
```

## Use instead

Take an identifier of what is fetched, and build the URL on the server. Where it must be a URL, give a pattern with
the hosts, and refuse private addresses after resolving the name, redirects included.

```json
{
  "name": "fetch_page",
  "description": "Fetch a page of the manual.",
  "inputSchema": {
    "type": "object",
    "properties": {"page": {"type": "string", "maxLength": 80, "pattern": "^[a-z0-9-]{1,80}$"}},
    "required": ["page"],
    "additionalProperties": false
  }
}
```

## When to ignore

A browser or fetcher that runs where nothing private can be reached, or refuses private addresses after resolution.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from fourfold.contracts.names import words
from fourfold.review.arguments import alternatives, arguments, explained, takes_text
from fourfold.review.place import Place
from fourfold.review.rule import Hit, Page, ToolRule
from fourfold.review.view import ToolView

__all__ = ["RULE"]

_URLS = frozenset(words("url urls uri uris"))
_FETCHES = frozenset(words("fetch scrape crawl navigate download import browse browser extract screenshot goto open"))
_SAYS_SO = re.compile(
    r"\bto (?:fetch|scrape|crawl|download|navigate|visit|open|load)\b|\bremote (?:url|http)|\bfetch (?:from|the)\b",
    re.IGNORECASE,
)
_SHOWN = frozenset(words("redirect link avatar icon thumbnail image logo callback webhook source origin canonical"))
"""What a URL is for when it is stored or shown, and somebody else's browser follows it."""


def _check(tool: ToolView) -> Iterator[Hit]:
    for place in arguments(tool):
        if _is_any_url(place) and _is_fetched(place, tool):
            yield Hit(
                pointer=place.pointer,
                message=f"{place.name} is a URL of any host: it may name a private address, or carry data out",
                fix="build the URL on the server, or allow hosts by a pattern or a setting, and nothing private",
            )


def _is_any_url(place: Place) -> bool:
    is_url = words(place.name)[-1:] and words(place.name)[-1] in _URLS and takes_text(place)
    return bool(is_url) and any(not each.values and not each.schema.get("pattern") for each in alternatives(place))


def _is_fetched(place: Place, tool: ToolView) -> bool:
    if _SAYS_SO.search(explained(tool, place)):
        return True
    return bool(_FETCHES & set(tool.words)) and not _SHOWN & set(words(place.name)[:-1])


RULE = ToolRule(
    id="FF208",
    symbol="free-url",
    severity="warning",
    question="autonomy",
    evidence="report",
    sources=(
        "https://github.com/modelcontextprotocol/servers/issues/4143",
        "https://github.com/egoist/fetch-mcp/issues/3",
        "https://github.com/jae-jae/fetcher-mcp/issues/37",
    ),
    page=Page.read(__doc__),
    check=_check,
)
