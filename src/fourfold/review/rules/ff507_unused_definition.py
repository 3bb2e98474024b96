"""Definitions in a schema that nothing in it refers to.

## What it does

Finds entries of `$defs` and `definitions` in an input schema that no `$ref` leads to, neither from the schema nor
from another entry that is used, where they take 50 tokens or more (characters / 4, an estimate).

## Why it hurts

They are sent with every request and mean nothing. A generator that puts all types of an API into each tool multiplies
the whole API by the number of tools.

## Example

```json
{
  "name": "user_get",
  "description": "Read a user of the workspace.",
  "inputSchema": {
    "type": "object",
    "properties": {"member": {"type": "string", "maxLength": 36}},
    "required": ["member"],
    "$defs": {
      "page": {
        "type": "object",
        "properties": {
          "title": {"type": "string", "description": "The title of the page, as it is shown at the top."},
          "parent": {"type": "string", "description": "The page that this one is below, empty for the workspace."}
        }
      }
    }
  }
}
```

## Use instead

```json
{
  "name": "user_get",
  "description": "Read a user of the workspace.",
  "inputSchema": {
    "type": "object",
    "properties": {"member": {"type": "string", "maxLength": 36}},
    "required": ["member"]
  }
}
```

## When to ignore

Never: what nothing refers to can go.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import cast

from fourfold.budget.rendering import compact
from fourfold.budget.tokens import ESTIMATE
from fourfold.contracts.strict_json import pointer
from fourfold.model.contract import JsonObject
from fourfold.review.rule import Hit, Page, ToolRule
from fourfold.review.view import ToolView

__all__ = ["RULE"]

_MANY = 50
_KEYWORDS = ("$defs", "definitions")
_REFERENCE = re.compile(r'"\$(?:ref|dynamicRef|recursiveRef)":"([^"]*)"')


def _check(tool: ToolView) -> Iterator[Hit]:
    schema = tool.tool.input_schema
    for keyword in _KEYWORDS:
        defined: object = schema.get(keyword)
        if not isinstance(defined, Mapping):
            continue
        unused = _unused(schema, keyword, cast("JsonObject", defined))
        tokens = sum(ESTIMATE.count(compact({name: value})) for name, value in unused.items())
        if tokens >= _MANY:
            yield Hit(
                pointer=f"/inputSchema/{keyword}",
                message=f"{len(unused)} of {len(cast('JsonObject', defined))} definitions are never referred to; "
                f"they take about {tokens:,} tokens",
                fix="leave out what nothing refers to",
                evidence=f"characters / 4: {tokens}",
            )


def _unused(schema: JsonObject, keyword: str, defined: JsonObject) -> JsonObject:
    """The definitions that no chain of references from outside leads to."""
    rest = {name: value for name, value in schema.items() if name != keyword}
    waiting = _references(rest)
    reached: set[str] = set()
    while waiting:
        reference = waiting.pop()
        name = next((name for name in defined if _leads_to(reference, keyword, name)), None)
        if name is None and reference.startswith("#/"):
            continue
        if name is None:
            # An anchor or a foreign address: what it means isn't known, so that nothing is called unused.
            return {}
        if name not in reached:
            reached.add(name)
            waiting |= _references(defined[name])
    return {name: value for name, value in defined.items() if name not in reached}


def _leads_to(reference: str, keyword: str, name: str) -> bool:
    target = "#" + pointer(keyword, name)
    return reference == target or reference.startswith(f"{target}/")


def _references(value: object) -> set[str]:
    return set(_REFERENCE.findall(compact(value)))


RULE = ToolRule(
    id="FF507",
    symbol="unused-definition",
    severity="advice",
    question="fits",
    evidence="judgement",
    page=Page.read(__doc__),
    check=_check,
)
