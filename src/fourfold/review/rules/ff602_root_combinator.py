"""The root of an input schema has a union or another combinator beside its properties.

## What it does

Finds `anyOf`, `oneOf`, `allOf`, and for some model APIs `enum` and `not`, at the root of an input schema.

## Why it hurts

Model APIs answer 400 to the whole request: not this tool is lost but every tool of every server in the session, and
each prompt until the server is taken out.

## Example

```json
{
  "name": "coverage_check",
  "description": "Check the coverage of paths or scopes.",
  "inputSchema": {
    "type": "object",
    "properties": {
      "paths": {"type": "array", "items": {"type": "string", "maxLength": 60}, "maxItems": 20},
      "scopes": {"type": "array", "items": {"type": "string", "maxLength": 60}, "maxItems": 20}
    },
    "anyOf": [{"required": ["paths"]}, {"required": ["scopes"]}],
    "additionalProperties": false
  }
}
```

## Use instead

Drop the combinator, say it in the descriptions, and answer at run time with an error that names both fields.

```json
{
  "name": "coverage_check",
  "description": "Check the coverage. Give paths or scopes.",
  "inputSchema": {
    "type": "object",
    "properties": {
      "paths": {
        "type": "array",
        "items": {"type": "string", "maxLength": 60},
        "maxItems": 20,
        "description": "Required unless scopes is given."
      },
      "scopes": {
        "type": "array",
        "items": {"type": "string", "maxLength": 60},
        "maxItems": 20,
        "description": "Required unless paths is given."
      }
    },
    "additionalProperties": false
  }
}
```

## When to ignore

When every client of yours is known, and takes it: name them under `clients`.
"""

from __future__ import annotations

from collections.abc import Iterator

from fourfold.review.fit import Misfit, ToolFit
from fourfold.review.profile import Demand, Profile
from fourfold.review.rule import Page, ToolRule
from fourfold.review.view import ToolView

__all__ = ["RULE"]


def _find(tool: ToolView, _: Profile, demand: Demand) -> Iterator[Misfit]:
    root = tool.tool.input_schema
    if root.get("type") != "object":  # that is another finding, and its fix is the fix of this one too
        return
    for keyword in sorted(demand.words & root.keys()):
        yield Misfit(
            pointer=f"/inputSchema/{keyword}",
            what=f"{keyword} stands at the root of the input schema",
            fix=f"drop {keyword}, say it in the descriptions, and check it at run time",
        )


RULE = ToolRule(
    id="FF602",
    symbol="root-combinator",
    severity="error",
    question="fits",
    evidence="report",
    sources=(
        "https://github.com/makenotion/notion-mcp-server/issues/341",
        "https://github.com/software-mansion/argent/issues/773",
        "https://github.com/langchain-ai/langchainjs/issues/9804",
    ),
    page=Page.read(__doc__),
    check=ToolFit("root-combinator", _find),
)
