"""The same long description in several tools.

## What it does

Finds descriptions of 25 tokens or more (characters / 4, an estimate) that stand word for word in four or
more tools, where the repetition takes 200 tokens or more. An enum is left alone: it is checked where it stands.

## Why it hurts

Every copy is sent with every request. In one widely used server the same paragraph about one argument stands 33
times, in 17 tools.

## Example

```json
{
  "tools": [
    {
      "$times": [4, {
        "name": "chart_{i}",
        "description": "Draw a chart of kind {i}.",
        "inputSchema": {
          "type": "object",
          "properties": {
            "region": {
              "type": "string",
              "maxLength": 20,
              "description": {"$repeat": ["The region that the figures are from, as the account says it. ", 6]}
            }
          }
        }
      }]
    }
  ]
}
```

## Use instead

Say it once, in the server's instructions or in the tool that finds the value, and name it in a few words elsewhere.

```json
{
  "tools": [
    {
      "$times": [4, {
        "name": "chart_{i}",
        "description": "Draw a chart of kind {i}.",
        "inputSchema": {
          "type": "object",
          "properties": {
            "region": {"type": "string", "maxLength": 20, "description": "The region, from account_get."}
          }
        }
      }]
    }
  ]
}
```

## When to ignore

If models get the argument wrong without the paragraph and right with it, it earns its place in each tool.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator

from fourfold.budget.fields import Field, fields_of
from fourfold.budget.tokens import ESTIMATE
from fourfold.review.rule import CatalogRule, Hit, Page
from fourfold.review.view import CatalogView

__all__ = ["RULE"]

_LONG = 25
_TOOLS = 4
_WASTE = 200


def _check(view: CatalogView) -> Iterator[Hit]:
    by_text: dict[str, list[Field]] = defaultdict(list)
    for tool in view.tools:
        for field in fields_of(tool.tool, with_output=False):
            if field.pointer.endswith("/description") and ESTIMATE.count(field.text) >= _LONG:
                by_text[field.text].append(field)
    for text, fields in by_text.items():
        tools = len({field.tool for field in fields})
        waste = ESTIMATE.count(text) * (len(fields) - 1)
        if tools >= _TOOLS and waste >= _WASTE:
            yield _hit(fields, tools, waste)


def _hit(fields: list[Field], tools: int, waste: int) -> Hit:
    first = fields[0]
    return Hit(
        tool=first.tool,
        pointer=first.pointer,
        message=f"the same description stands {len(fields)} times, in {tools} tools; "
        f"the copies take about {waste:,} tokens",
        fix="say it once, in the server's instructions or in the tool that gives the value, and name it shortly here",
        evidence=f"characters / 4 of all copies but one: {waste}",
    )


RULE = CatalogRule(
    id="FF504",
    symbol="repeated-text",
    severity="advice",
    question="fits",
    evidence="judgement",
    page=Page.read(__doc__),
    check=_check,
)
