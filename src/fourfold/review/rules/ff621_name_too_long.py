"""A tool's name is too long once the client has put the server's in front of it.

## What it does

Counts the characters of each tool's name as each client hands it to the model: `mcp__server__tool` in Claude Code,
`server:tool` in Cursor. The server's name is the one that it gives itself, or none if it is not known or has blanks, as
only a title has. Where the tool's name would fit under a server's name of ten characters, it is a warning: who sets the
client up may choose one.

## Why it hurts

One name over 64 characters breaks tool search for the whole session in Claude Code; Cursor leaves the tool out over
60. Nobody sees it in a test that calls the tool by its own name.

## Example

```json
{
  "serverInfo": {"name": "acme_billing-cost-management-server"},
  "tools": [
    {
      "name": "cost_and_usage_comparison_by_month_and_service",
      "description": "Compare cost.",
      "inputSchema": {"type": "object", "properties": {}, "additionalProperties": false}
    }
  ]
}
```

## Use instead

Shorten the tool's name, or the server's, which all of its tools carry.

```json
{
  "serverInfo": {"name": "acme-billing"},
  "tools": [
    {
      "name": "cost_compare",
      "description": "Compare cost.",
      "inputSchema": {"type": "object", "properties": {}, "additionalProperties": false}
    }
  ]
}
```

## When to ignore

When your users are known to configure the server under a shorter name.
"""

from __future__ import annotations

from collections.abc import Iterator

from fourfold.review.fit import CatalogFit, Misfit
from fourfold.review.profile import Demand, Profile
from fourfold.review.rule import CatalogRule, Page
from fourfold.review.view import CatalogView

__all__ = ["RULE"]


def _find(catalog: CatalogView, profile: Profile, demand: Demand) -> Iterator[Misfit]:
    server = "" if " " in catalog.catalog.server else catalog.catalog.server
    prefix = profile.prefix if server else "{tool}"
    for tool in catalog.tools:
        full = prefix.format(server=server, tool=tool.name)
        over = len(full) - demand.limit
        if over > 0:
            yield Misfit(
                tool=tool.name,
                pointer="/name",
                what=f"under the name that the server gives itself, {full[:160]!a} has {len(full)} characters, "
                f"{demand.limit} are taken"
                if full != tool.name
                else f"the name has {len(full)} characters, {demand.limit} are taken",
                fix=f"shorten the name by {over}, or the server's, which every tool carries",
                depends=len(prefix.format(server=_SHORT, tool=tool.name)) <= demand.limit,
            )


_SHORT = "s" * 10
"""About as long as a name that people give a server."""


RULE = CatalogRule(
    id="FF621",
    symbol="name-too-long",
    severity="error",
    question="fits",
    evidence="report",
    sources=(
        "https://github.com/anthropics/claude-code/issues/19882",
        "https://github.com/awslabs/mcp/issues/2214",
        "https://github.com/sparfenyuk/mcp-proxy/issues/45",
    ),
    page=Page.read(__doc__),
    check=CatalogFit("name-too-long", _find),
)
