"""A deletion in a single step.

## What it does

Finds tools that delete, drop, purge or revoke, take no plan, approval or `dry_run`, and have no tool beside them
that shows what would happen.

## Why it hurts

The call is the only moment at which anybody could have looked. A wrong reference is gone before a person sees it,
and a `confirm: true` that the model sets itself is no person.

## Example

```json
{
  "tools": [
    {
      "name": "database_delete",
      "description": "Delete a database.",
      "inputSchema": {
        "type": "object",
        "properties": {
          "database_reference": {
            "type": "string",
            "maxLength": 40
          }
        },
        "required": ["database_reference"],
        "additionalProperties": false
      },
      "annotations": {
        "readOnlyHint": false,
        "destructiveHint": true,
        "idempotentHint": true,
        "openWorldHint": false
      }
    }
  ]
}
```

## Use instead

Plan first: show what is affected, let the one who has to agree see that, and execute exactly it.

```json
{
  "tools": [
    {
      "name": "database_plan_delete",
      "description": "Show what deleting a database would do.",
      "inputSchema": {
        "type": "object",
        "properties": {
          "database_reference": {
            "type": "string",
            "maxLength": 40
          }
        },
        "required": ["database_reference"],
        "additionalProperties": false
      },
      "annotations": {
        "readOnlyHint": true,
        "destructiveHint": false,
        "idempotentHint": true,
        "openWorldHint": false
      }
    },
    {
      "name": "database_execute_delete",
      "description": "Delete what the plan says.",
      "inputSchema": {
        "type": "object",
        "properties": {
          "plan_id": {"type": "string", "maxLength": 40},
          "digest": {"type": "string", "maxLength": 40}
        },
        "required": ["plan_id", "digest"],
        "additionalProperties": false
      },
      "annotations": {
        "readOnlyHint": false,
        "destructiveHint": true,
        "idempotentHint": true,
        "openWorldHint": false
      }
    }
  ]
}
```

## When to ignore

What is deleted is cheap to make again or stays in a bin: a label, a reaction, a cache, a pod that its
controller starts again.
"""

from __future__ import annotations

from collections.abc import Iterator

from fourfold.contracts.names import words
from fourfold.review.rule import CatalogRule, Hit, Page
from fourfold.review.view import CatalogView, ToolView
from fourfold.review.writes import destroys, has_plan_beside, takes_plan

__all__ = ["RULE"]

_CHEAP = frozenset(
    words(
        "label labels tag tags reaction emoji watcher bookmark filter comment draft cache note selection breakpoint "
        "highlight cell cells range paragraph row rows chart slicer image sparklines link links pod pods todo update "
        "message category watchlist"
    )
)


def _is_fine(tool: ToolView) -> bool:
    # A contract of ours that destroys has a plan, or a written reason for having none; safe_delete refuses by itself.
    return tool.tool.contract is not None or bool((_CHEAP | {"safe"}) & set(tool.words)) or takes_plan(tool)


def _check(catalog: CatalogView) -> Iterator[Hit]:
    for tool in catalog.tools:
        if destroys(tool) and not _is_fine(tool) and not has_plan_beside(tool, catalog):
            yield Hit(
                tool=tool.name,
                pointer="",
                message="it destroys in one step: it takes no plan or dry run, and no tool beside it makes one",
                fix="split it into a plan that shows the impact and an execute that takes the plan's id and digest",
            )


RULE = CatalogRule(
    id="FF410",
    symbol="destroy-without-plan",
    severity="warning",
    question="autonomy",
    evidence="report",
    sources=(
        "https://github.com/PostHog/posthog/pull/98318",
        "https://github.com/awslabs/mcp/pull/4582",
        "https://github.com/OctopusDeploy/mcp-server/pull/103",
    ),
    page=Page.read(__doc__),
    check=_check,
)
