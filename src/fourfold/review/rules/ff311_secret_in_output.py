"""A result that hands a secret to the model.

## What it does

Finds output fields that are named after a secret: a password, an API key, a private key, an access token.

## Why it hurts

Whatever a model has read, it may repeat: in its answer, in the arguments of another server's tool, in a transcript
that somebody keeps. A secret in a result is disclosed.

## Example

```json
{
  "name": "connection_get",
  "description": "Show a database connection.",
  "inputSchema": {
    "type": "object",
    "properties": {"connection_reference": {"type": "string", "maxLength": 40}},
    "required": ["connection_reference"],
    "additionalProperties": false
  },
  "outputSchema": {
    "type": "object",
    "properties": {
      "host": {"type": "string", "maxLength": 40},
      "password": {"type": "string", "maxLength": 40}
    },
    "required": ["host", "password"]
  }
}
```

## Use instead

Say that there is one, not what it is.

```json
{
  "name": "connection_get",
  "description": "Show a database connection.",
  "inputSchema": {
    "type": "object",
    "properties": {"connection_reference": {"type": "string", "maxLength": 40}},
    "required": ["connection_reference"],
    "additionalProperties": false
  },
  "outputSchema": {
    "type": "object",
    "properties": {
      "host": {"type": "string", "maxLength": 40},
      "has_password": {"type": "boolean"}
    },
    "required": ["host", "has_password"]
  }
}
```

## When to ignore

A tool that makes a credential for a person and has no other way to hand it over. Show it once, outside of the
model, wherever a client can.
"""

from __future__ import annotations

from collections.abc import Iterator

from fourfold.contracts.names import meaning
from fourfold.review.rule import Hit, Page, ToolRule
from fourfold.review.view import ToolView

__all__ = ["RULE"]


def _check(tool: ToolView) -> Iterator[Hit]:
    for place in tool.fields:
        # has_password is a boolean, and no password.
        if meaning(place.name) == "secret" and {"string", "array", "object"} & set(place.types):
            yield Hit(
                pointer=place.pointer,
                message=f"{place.name} gives a secret to the model and to everybody who reads the transcript",
                fix="leave it out; say with a boolean that there is one, or return a reference to it",
            )


RULE = ToolRule(
    id="FF311",
    symbol="secret-in-output",
    severity="error",
    question="autonomy",
    evidence="report",
    sources=(
        "https://github.com/devakone/mysql-query-mcp-server/pull/14",
        "https://github.com/MP-Tool/komodo-mcp-server/pull/152",
    ),
    page=Page.read(__doc__),
    check=_check,
)
