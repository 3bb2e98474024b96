"""A reference that leads out of the schema, or nowhere.

## What it does

Finds `$ref` to an address, to a file, to an anchor, and to a part of the schema that is not there.

## Why it hurts

A client that follows an address for you fetches whatever a server, or somebody in front of it, wrote there: files and
metadata services of its own machine included. The protocol forbids it, so that the argument has no schema.

## Example

```json
{
  "name": "customer_add",
  "description": "Add a customer.",
  "inputSchema": {
    "type": "object",
    "properties": {"address": {"$ref": "https://example.com/schemas/address.json"}},
    "required": ["address"],
    "additionalProperties": false
  }
}
```

## Use instead

Carry the definition along, or write it out.

```json
{
  "name": "customer_add",
  "description": "Add a customer.",
  "inputSchema": {
    "type": "object",
    "properties": {
      "address": {
        "type": "object",
        "properties": {"street": {"type": "string", "maxLength": 60}, "city": {"type": "string", "maxLength": 60}},
        "required": ["street", "city"],
        "additionalProperties": false
      }
    },
    "required": ["address"],
    "additionalProperties": false
  }
}
```

## When to ignore

Never.
"""

from __future__ import annotations

from collections.abc import Iterator

from fourfold.review.fit import Misfit, ToolFit, schemas_of
from fourfold.review.profile import Demand, Profile
from fourfold.review.references import references
from fourfold.review.rule import Page, ToolRule
from fourfold.review.view import ToolView

__all__ = ["RULE"]


def _find(tool: ToolView, _: Profile, demand: Demand) -> Iterator[Misfit]:
    for places in schemas_of(tool, demand):
        for reference in references(places):
            if reference.target is None:
                where = "nowhere" if reference.text.startswith("#") else "out of the schema"
                yield Misfit(
                    pointer=f"{reference.place.pointer}/$ref",
                    what=f"{reference.text[:80]!a} leads {where}",
                    fix="write out what it stands for, or add it to $defs",
                )


RULE = ToolRule(
    id="FF609",
    symbol="unresolved-ref",
    severity="error",
    question="fits",
    evidence="report",
    sources=(
        "https://github.com/PrefectHQ/fastmcp/pull/3502",
        "https://github.com/awslabs/mcp/pull/4141",
        "https://modelcontextprotocol.io/specification/2026-07-28/server/tools",
    ),
    page=Page.read(__doc__),
    check=ToolFit("unresolved-ref", _find),
)
