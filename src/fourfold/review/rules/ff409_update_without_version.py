"""A change that overwrites what somebody else changed meanwhile.

## What it does

Finds tools that update, edit, patch or replace a thing that already exists, and take neither its version
(`expected_version`, an ETag, a revision) nor the text that is to be replaced. What takes only what to add and what to
remove is left alone.

## Why it hurts

Between the read and the write of an agent minutes pass, and a person. What the person saved in between is
overwritten with what the agent had read before, and nobody is told.

## Example

```json
{
  "name": "invoice_update",
  "description": "Change a draft invoice.",
  "inputSchema": {
    "type": "object",
    "properties": {
      "invoice_reference": {"type": "string", "maxLength": 40},
      "due_on": {"type": "string", "format": "date"}
    },
    "required": ["invoice_reference", "due_on"],
    "additionalProperties": false
  },
  "annotations": {
    "readOnlyHint": false,
    "destructiveHint": false,
    "idempotentHint": true,
    "openWorldHint": false
  }
}
```

## Use instead

Take the version that the caller has seen, and refuse an old one.

```json
{
  "name": "invoice_update",
  "description": "Change a draft invoice.",
  "inputSchema": {
    "type": "object",
    "properties": {
      "invoice_reference": {"type": "string", "maxLength": 40},
      "due_on": {"type": "string", "format": "date"},
      "expected_version": {"type": "string", "maxLength": 40}
    },
    "required": ["invoice_reference", "due_on", "expected_version"],
    "additionalProperties": false
  },
  "annotations": {
    "readOnlyHint": false,
    "destructiveHint": false,
    "idempotentHint": true,
    "openWorldHint": false
  }
}
```

## When to ignore

One person owns the thing and nobody else writes it, or the last writer is meant to win, such as for a light switch.
"""

from __future__ import annotations

from collections.abc import Iterator

from fourfold.review.rule import Hit, Page, ToolRule
from fourfold.review.verbs import verb_of
from fourfold.review.view import ToolView
from fourfold.review.writes import edits_by_difference, hides_fields, replaces, takes_plan, takes_version

__all__ = ["RULE"]

_SWITCHES = frozenset({"visibility", "timeout"})
"""Things that nobody reads before setting them: the last writer is meant to win."""


def _check(tool: ToolView) -> Iterator[Hit]:
    # A contract of ours takes the version, or its plan has fixed it.
    if not replaces(tool) or tool.tool.contract is not None or _SWITCHES & set(tool.words) or hides_fields(tool):
        return
    if not takes_version(tool) and not takes_plan(tool) and not edits_by_difference(tool):
        yield Hit(
            pointer="",
            message=f"nothing says which state it is to {verb_of(tool.name)}: it takes no version",
            fix="take expected_version, and refuse the change when the version is another one",
        )


RULE = ToolRule(
    id="FF409",
    symbol="update-without-version",
    severity="warning",
    question="recoverable",
    evidence="report",
    sources=(
        "https://github.com/Dicklesworthstone/beads_rust/issues/505",
        "https://github.com/contentful/contentful-mcp-server/pull/390",
        "https://github.com/mauropereiira/Moldavite/issues/37",
    ),
    page=Page.read(__doc__),
    check=_check,
)
