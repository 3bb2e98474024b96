"""An argument with which the model agrees on the user's behalf.

## What it does

Finds arguments of writes whose name means consent: `confirm`, `approved`, `user_confirmed`, `write_mode`. `force`
counts where its description speaks of a confirmation.

## Why it hurts

Nobody is asked. A model that reads "must be true to delete" sets it to true, and so does a text in the conversation
that wants the deletion. The argument turns a gate into a form field.

## Example

```json
{
  "name": "database_delete",
  "description": "Delete a database.",
  "inputSchema": {
    "type": "object",
    "properties": {"id": {"type": "string", "maxLength": 36}, "confirm": {"type": "boolean"}},
    "required": ["id"],
    "additionalProperties": false
  },
  "annotations": {"destructiveHint": true}
}
```

## Use instead

Split the action into a plan, which a person sees and approves, and an execution of that plan. Or let the client ask
the user, with an elicitation or from the destructive hint.

```json
{
  "name": "database_execute_delete",
  "description": "Execute a planned deletion.",
  "inputSchema": {
    "type": "object",
    "properties": {"plan_id": {"type": "string", "maxLength": 36}, "digest": {"type": "string", "maxLength": 64}},
    "required": ["plan_id", "digest"],
    "additionalProperties": false
  },
  "annotations": {"destructiveHint": true}
}
```

## When to ignore

Where the argument records what happened in the world (a booking that the hotel confirmed) and decides nothing.
"""

from __future__ import annotations

from collections.abc import Iterator

from fourfold.contracts.names import meaning, words
from fourfold.review.arguments import arguments
from fourfold.review.declared import unwaived
from fourfold.review.place import Place
from fourfold.review.rule import Hit, Page, ToolRule
from fourfold.review.view import ToolView

__all__ = ["RULE"]

_WRITE_SWITCHES = frozenset({"write mode", "allow write"})
_SPEAKS_OF_CONSENT = ("confirm", "without asking", "approv", "prompt")


def _check(tool: ToolView) -> Iterator[Hit]:
    if tool.action == "read":
        return
    for place in unwaived(tool, arguments(tool), rule="consent_argument"):
        if _is_consent(place):
            yield Hit(
                pointer=place.pointer,
                message=f"{place.name} is the user's consent, and the model gives it",
                fix="let a person approve a plan of the action, or leave it to the client to ask; drop the argument",
            )


def _is_consent(place: Place) -> bool:
    joined = " ".join(words(place.name))
    if joined == "force":
        return any(word in place.description.lower() for word in _SPEAKS_OF_CONSENT)
    return meaning(place.name) == "consent" or joined in _WRITE_SWITCHES


RULE = ToolRule(
    id="FF204",
    symbol="consent-argument",
    severity="error",
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
