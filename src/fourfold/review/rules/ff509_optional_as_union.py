"""Optional arguments that are published as a union with null.

## What it does

Counts optional arguments of the form `anyOf: [X, null]`, and reports the catalog if the form takes 100 tokens or more
over plain `X` (characters / 4, an estimate).

## Why it hurts

An argument that isn't required may be left out; saying null as well costs about ten tokens each time. What is worse:
the renderer that OpenAI published with its prompt format (openai-harmony, measured with 0.0.8) shows `anyOf` to the
model as `any`, so that the type and the enum are gone. Python libraries write the form for `str | None = None`.

## Example

```json
{
  "tools": [
    {
      "$times": [8, {
        "name": "ledger_{i}",
        "description": "Read ledger {i}.",
        "inputSchema": {
          "type": "object",
          "properties": {
            "day": {"anyOf": [{"type": "string", "format": "date"}, {"type": "null"}], "default": null},
            "page_size": {"anyOf": [{"type": "integer", "maximum": 100}, {"type": "null"}], "default": null}
          }
        }
      }]
    }
  ]
}
```

## Use instead

```json
{
  "tools": [
    {
      "$times": [8, {
        "name": "ledger_{i}",
        "description": "Read ledger {i}.",
        "inputSchema": {
          "type": "object",
          "properties": {
            "day": {"type": "string", "format": "date"},
            "page_size": {"type": "integer", "maximum": 100}
          }
        }
      }]
    }
  ]
}
```

## When to ignore

Where null means something else than leaving the argument out, such as 'clear this field'. Clients that make every
argument required and nullable (OpenAI's strict mode) write that form themselves.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import cast

from fourfold.budget.tokens import ESTIMATE
from fourfold.model.contract import JsonObject
from fourfold.review.place import Place
from fourfold.review.rule import CatalogRule, Hit, Page
from fourfold.review.view import CatalogView

__all__ = ["RULE"]

_MANY = 100
_NULL: JsonObject = {"type": "null"}


def _check(view: CatalogView) -> Iterator[Hit]:
    found = [tokens for tool in view.tools for place in tool.arguments if (tokens := _tokens(place))]
    if sum(found) >= _MANY:
        yield Hit(
            pointer="/tools",
            message=f"{len(found)} optional arguments are unions with null; that takes about {sum(found):,} tokens, "
            "and some clients show such an argument without its type",
            fix="publish the plain type and leave the argument out of required",
            evidence=f"characters / 4: {sum(found)} tokens in {len(found)} arguments; openai-harmony 0.0.8 shows `any`",
        )


def _tokens(place: Place) -> int:
    """What the union costs over the plain type; 0 if it is none."""
    arms: object = place.schema.get("anyOf")
    if place.required or not isinstance(arms, list) or len(cast("list[object]", arms)) != 2 or _NULL not in arms:
        return 0
    says_null = "default" in place.schema and place.schema["default"] is None
    return ESTIMATE.count('"anyOf":[,{"type":"null"}],' + ('"default":null' if says_null else ""))


RULE = CatalogRule(
    id="FF509",
    symbol="optional-as-union",
    severity="advice",
    question="fits",
    evidence="measured",
    sources=("https://github.com/openai/harmony",),
    page=Page.read(__doc__),
    check=_check,
)
