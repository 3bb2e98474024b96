"""A job that nobody can ask about.

## What it does

Finds tools whose output has a job, task, operation or run id, in catalogs where no other tool takes it.

## Why it hurts

The call returns before the work is done. The model says that it is done, or starts it again to see.

## Example

```json
{
  "tools": [
    {
      "name": "export_start",
      "description": "Start an export.",
      "inputSchema": {"type": "object", "properties": {}, "additionalProperties": false},
      "outputSchema": {
        "type": "object",
        "properties": {"job_id": {"type": "string", "maxLength": 40}},
        "required": ["job_id"]
      }
    }
  ]
}
```

## Use instead

Add the tool that takes the id and gives the state.

```json
{
  "tools": [
    {
      "name": "export_start",
      "description": "Start an export.",
      "inputSchema": {"type": "object", "properties": {}, "additionalProperties": false},
      "outputSchema": {
        "type": "object",
        "properties": {"job_id": {"type": "string", "maxLength": 40}},
        "required": ["job_id"]
      }
    },
    {
      "name": "export_status",
      "description": "Show the state of an export.",
      "inputSchema": {
        "type": "object",
        "properties": {"job_id": {"type": "string", "maxLength": 40}},
        "required": ["job_id"],
        "additionalProperties": false
      },
      "outputSchema": {
        "type": "object",
        "properties": {"state": {"type": "string", "maxLength": 40}},
        "required": ["state"]
      }
    }
  ]
}
```

## When to ignore

The outcome comes by another way that the description names, such as a mail or a subscription.
"""

from __future__ import annotations

from collections.abc import Iterator

from fourfold.contracts.names import words
from fourfold.review.rule import CatalogRule, Hit, Page
from fourfold.review.view import CatalogView

__all__ = ["RULE"]

_JOBS = frozenset(
    {("job", "id"), ("task", "id"), ("operation", "id"), ("execution", "id"), ("job", "name"), ("run", "id")}
)


def _check(catalog: CatalogView) -> Iterator[Hit]:
    # A tool that takes just id is given the benefit of the doubt.
    taken = {words(place.name)[-2:] for tool in catalog.tools for place in tool.arguments}
    for tool in catalog.tools:
        for place in tool.fields:
            name = words(place.name)
            if tool.action != "read" and name in _JOBS and name not in taken and ("id",) not in taken:
                yield Hit(
                    tool=tool.name,
                    pointer=place.pointer,
                    message=f"it returns {place.name}, and no tool takes it",
                    fix="add a tool that takes it and returns the state and the outcome",
                )


RULE = CatalogRule(
    id="FF415",
    symbol="job-without-status-tool",
    severity="warning",
    question="recoverable",
    evidence="judgement",
    page=Page.read(__doc__),
    check=_check,
)
