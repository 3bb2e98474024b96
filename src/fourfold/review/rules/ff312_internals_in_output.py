"""A result with the insides of the server: a stack trace, a statement, a row as it is.

## What it does

Finds output fields that are named after internals: `stack_trace`, `traceback`, `raw_response`, `sql`,
`internal_id`.

## Why it hurts

They tell an attacker how the server is built, and cost the model tokens for what it can do nothing with.

## Example

```json
{
  "name": "import_get",
  "description": "Show an import.",
  "inputSchema": {
    "type": "object",
    "properties": {"import_reference": {"type": "string", "maxLength": 40}},
    "required": ["import_reference"],
    "additionalProperties": false
  },
  "outputSchema": {
    "type": "object",
    "properties": {
      "state": {"type": "string", "maxLength": 40},
      "stack_trace": {"type": "string", "maxLength": 4000}
    },
    "required": ["state"]
  }
}
```

## Use instead

Give a code that can be counted, and a reference for those who run the server.

```json
{
  "name": "import_get",
  "description": "Show an import.",
  "inputSchema": {
    "type": "object",
    "properties": {"import_reference": {"type": "string", "maxLength": 40}},
    "required": ["import_reference"],
    "additionalProperties": false
  },
  "outputSchema": {
    "type": "object",
    "properties": {
      "state": {"type": "string", "maxLength": 40},
      "failure_code": {"type": "string", "enum": ["bad_row", "no_space"]},
      "reference": {"type": "string", "maxLength": 40}
    },
    "required": ["state"]
  }
}
```

## When to ignore

Tools for developers whose subject this is: the events of an error tracker, the plan of a query.
"""

from __future__ import annotations

from collections.abc import Iterator

from fourfold.contracts.names import words
from fourfold.review.rule import Hit, Page, ToolRule
from fourfold.review.view import ToolView

__all__ = ["RULE"]

_INTERNALS = frozenset({
    ("traceback",), ("stacktrace",), ("stack", "trace"), ("raw", "response"), ("raw", "row"), ("raw", "error"),
    ("internal", "id"), ("internal", "key"), ("internal", "error"), ("exception",), ("exception", "message"),
    ("row", "id"), ("rowid",), ("debug", "info"), ("sql", "statement"), ("executed", "sql"), ("hostname", "internal"),
})  # fmt: skip


def _check(tool: ToolView) -> Iterator[Hit]:
    for place in tool.fields:
        parts = words(place.name)
        # The end of a name says what it is: stack_trace_url is an address.
        if parts[-1:] in _INTERNALS or parts[-2:] in _INTERNALS:
            yield Hit(
                pointer=place.pointer,
                message=f"{place.name} shows how the server works inside",
                fix="return a stable code and a reference; keep the detail in the server's log",
            )


RULE = ToolRule(
    id="FF312",
    symbol="internals-in-output",
    severity="warning",
    question="recoverable",
    evidence="report",
    sources=(
        "https://github.com/open-metadata/OpenMetadata/issues/31871",
        "https://github.com/HKUDS/OpenSpace/issues/19",
    ),
    page=Page.read(__doc__),
    check=_check,
)
