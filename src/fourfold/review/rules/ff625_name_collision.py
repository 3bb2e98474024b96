"""Another server in the same client has a tool of that name.

## What it does

Compares the names with those of the other servers that stand beside this one, where `servers` says what they list.
Within one server, duplicate-tool-name does it.

## Why it hurts

A client that puts no server's name in front lets the later tool win without a word, and mail goes out through the
wrong system; or it sends both, and the model API answers 400 to the whole request, because names must be unique.

## Example

```json
{
  "tools": [
    {
      "name": "email_send",
      "description": "Mail an employee.",
      "inputSchema": {"type": "object", "properties": {}, "additionalProperties": false}
    }
  ],
  "servers": [
    {
      "name": "crm",
      "tools": [
        {
          "name": "email_send",
          "description": "Mail a customer.",
          "inputSchema": {"type": "object", "properties": {}, "additionalProperties": false}
        }
      ]
    }
  ]
}
```

## Use instead

Say in the name what it is about.

```json
{
  "tools": [
    {
      "name": "employee_email_send",
      "description": "Mail an employee.",
      "inputSchema": {"type": "object", "properties": {}, "additionalProperties": false}
    }
  ],
  "servers": [
    {
      "name": "crm",
      "tools": [
        {
          "name": "customer_email_send",
          "description": "Mail a customer.",
          "inputSchema": {"type": "object", "properties": {}, "additionalProperties": false}
        }
      ]
    }
  ]
}
```

## When to ignore

When every client of yours puts the server's name in front: name them under `clients`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import cast

from fourfold.model.contract import JsonObject
from fourfold.review.fit import CatalogFit, Misfit
from fourfold.review.profile import Demand, Profile
from fourfold.review.rule import CatalogRule, Page
from fourfold.review.view import CatalogView

__all__ = ["RULE"]


def _find(catalog: CatalogView, _: Profile, __: Demand) -> Iterator[Misfit]:
    others: dict[str, str] = {}
    for server in _objects(catalog.catalog.facts.get("servers")):
        for tool in _objects(server.get("tools")):
            others.setdefault(str(tool.get("name")), str(server.get("name")))
    for tool in catalog.tools:
        if tool.name in others:
            yield Misfit(
                tool=tool.name,
                pointer="/name",
                what=f"the server {others[tool.name][:80]!a} has a tool {tool.name[:80]!a} as well",
                fix="say in the name what it is about",
            )


def _objects(value: object) -> Iterator[JsonObject]:
    if isinstance(value, Sequence) and not isinstance(value, str):
        for each in cast("Sequence[object]", value):
            if isinstance(each, Mapping):
                yield cast("JsonObject", each)


RULE = CatalogRule(
    id="FF625",
    symbol="name-collision",
    severity="error",
    question="fits",
    evidence="report",
    sources=(
        "https://github.com/langchain-ai/langchain-mcp-adapters/issues/605",
        "https://github.com/samanhappy/mcphub/issues/139",
        "https://github.com/onyx-dot-app/onyx/issues/9229",
    ),
    page=Page.read(__doc__),
    check=CatalogFit("name-collision", _find),
)
