"""A default that its own schema refuses.

## What it does

Finds a `default` that is not among the values, not of the type, or outside the bounds of its argument. A default of
`null` counts as none.

## Why it hurts

Clients fill defaults in and then validate: the call fails although the model did nothing wrong. A server that
trusts its default instead hands its handler a value that the schema forbids.

## Example

```json
{
  "name": "report_get",
  "description": "Get a report.",
  "inputSchema": {
    "type": "object",
    "properties": {"form": {"type": "string", "enum": ["csv", "json"], "default": "yaml"}},
    "additionalProperties": false
  }
}
```

## Use instead

Make the default one of the accepted values.

```json
{
  "name": "report_get",
  "description": "Get a report.",
  "inputSchema": {
    "type": "object",
    "properties": {"form": {"type": "string", "enum": ["csv", "json"], "default": "json"}},
    "additionalProperties": false
  }
}
```

## When to ignore

Never, but for a client that is known to ignore defaults.
"""

from __future__ import annotations

from collections.abc import Iterator

from fourfold.review.arguments import alternatives, label, sent
from fourfold.review.declared import unwaived
from fourfold.review.place import Place
from fourfold.review.rule import Hit, Page, ToolRule
from fourfold.review.values import fits
from fourfold.review.view import ToolView

__all__ = ["RULE"]


def _check(tool: ToolView) -> Iterator[Hit]:
    for place in unwaived(tool, sent(tool), rule="bad_default"):
        if _is_refused(place):
            yield Hit(
                pointer=f"{place.pointer}/default",
                message=f"the default of {label(place)} is a value that its own schema refuses",
                fix="make the default one of the accepted values, or leave it out",
            )


def _is_refused(place: Place) -> bool:
    default: object = place.schema.get("default")
    return default is not None and not any(fits(default, each) for each in alternatives(place))


RULE = ToolRule(
    id="FF231",
    symbol="default-contradicts-schema",
    severity="error",
    question="wrong_argument",
    evidence="report",
    sources=("https://github.com/dcdpr/jp/pull/998",),
    page=Page.read(__doc__),
    check=_check,
)
