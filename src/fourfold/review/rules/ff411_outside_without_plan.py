"""A message or payment that leaves in a single step.

## What it does

Finds tools that send, pay, refund, invite or publish, take no plan, approval or draft, and have no tool beside them
that prepares or previews what is sent. What goes into a queue or a stream for other programs is left alone.

## Why it hurts

What was read can't be taken back. The arguments may be well formed and wrong: the right text to the wrong customer.
Between the model's decision and the customer's inbox nobody had a look.

## Example

```json
{
  "tools": [
    {
      "name": "reminder_send",
      "description": "Send a payment reminder.",
      "inputSchema": {
        "type": "object",
        "properties": {
          "customer_reference": {
            "type": "string",
            "maxLength": 40
          },
          "idempotency_key": {
            "type": "string",
            "minLength": 16,
            "maxLength": 128,
            "description": "The same when you repeat the call"
          }
        },
        "required": ["customer_reference"],
        "additionalProperties": false
      },
      "annotations": {
        "readOnlyHint": false,
        "destructiveHint": false,
        "idempotentHint": true,
        "openWorldHint": true
      }
    }
  ]
}
```

## Use instead

Plan it, show it, and send exactly that.

```json
{
  "tools": [
    {
      "name": "reminder_plan_send",
      "description": "Show the reminder that would be sent.",
      "inputSchema": {
        "type": "object",
        "properties": {
          "customer_reference": {
            "type": "string",
            "maxLength": 40
          }
        },
        "required": ["customer_reference"],
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
      "name": "reminder_execute_send",
      "description": "Send the planned reminder.",
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
        "destructiveHint": false,
        "idempotentHint": true,
        "openWorldHint": true
      }
    }
  ]
}
```

## When to ignore

Messages to the user alone, or into a channel that is there for it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from fourfold.contracts.names import words
from fourfold.review.rule import CatalogRule, Hit, Page
from fourfold.review.view import CatalogView, ToolView
from fourfold.review.writes import has_plan_beside, reaches_people, takes_plan

__all__ = ["RULE"]

_SOFTWARE = re.compile(r"\b(?:queue|queues|sqs|redis|kafka|mqtt|rabbitmq|nats|pub/?sub|stream)\b", re.IGNORECASE)


def _is_for_software(tool: ToolView) -> bool:
    named = (part for place in tool.arguments for part in words(place.name))
    return "queue" in named or _SOFTWARE.search(tool.description) is not None


def _check(catalog: CatalogView) -> Iterator[Hit]:
    for tool in catalog.tools:
        verb = reaches_people(tool)
        # A contract of ours that reaches outside has a plan, or a written reason for having none.
        if verb is None or tool.tool.contract is not None or takes_plan(tool) or has_plan_beside(tool, catalog):
            continue
        if _is_for_software(tool):
            continue
        yield Hit(
            tool=tool.name,
            pointer="",
            message=f"what it does ({verb}) has reached others once it ran, and nothing shows it to anybody beforehand",
            fix="split it into a plan that shows what would go out and an execute that takes the plan's id and digest",
        )


RULE = CatalogRule(
    id="FF411",
    symbol="outside-without-plan",
    severity="warning",
    question="autonomy",
    evidence="report",
    sources=(
        "https://github.com/handley-lab/mcp-handley-lab/issues/344",
        "https://github.com/ActiveCampaign/postmark-mcp/issues/54",
    ),
    page=Page.read(__doc__),
    check=_check,
)
