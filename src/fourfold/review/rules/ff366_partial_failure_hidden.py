"""A batch that failed in part and reports success.

## What it does

Finds results without `isError` that hold a list of failures, or entries with `success: false`, and whose text says
nothing of it.

## Why it hurts

Most models read the text. They report that everything was done, and what was not is found weeks later.

## Example

```json
{
  "tool": {
    "name": "tasks_complete",
    "description": "Complete tasks.",
    "inputSchema": {
      "type": "object",
      "properties": {"id": {"type": "string", "maxLength": 40}},
      "additionalProperties": false
    }
  },
  "arguments": {"id": "f1"},
  "result": {
    "content": [{"type": "text", "text": "Completed the tasks."}],
    "structuredContent": {"completed": ["t1"], "failures": [{"id": "t2", "error": "locked"}]}
  }
}
```

## Use instead

Say in the text how many failed, and which.

```json
{
  "tool": {
    "name": "tasks_complete",
    "description": "Complete tasks.",
    "inputSchema": {
      "type": "object",
      "properties": {"id": {"type": "string", "maxLength": 40}},
      "additionalProperties": false
    }
  },
  "arguments": {"id": "f1"},
  "result": {
    "content": [{"type": "text", "text": "1 task completed, 1 failed: t2 is locked."}],
    "structuredContent": {"completed": ["t1"], "failures": [{"id": "t2", "error": "locked"}]}
  }
}
```

## When to ignore

A report whose subject is failures, such as the results of a test run.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import cast

from fourfold.model.contract import JsonObject
from fourfold.model.listed import ToolAnswer
from fourfold.review.answers import as_json, is_error, said, structured
from fourfold.review.rule import AnswerRule, Hit, Page
from fourfold.review.view import ToolView

__all__ = ["RULE"]

_LISTS = ("failures", "failed", "errors", "failed_items", "failedItems", "rejected", "not_found")
_TELLS = re.compile(r"\bfail|\berror|\bpartial|\bcould not|\bnot found|\brejected|\bskipped|\b0 of\b", re.IGNORECASE)
_NAMES_THEM = re.compile(r'"(?:success|ok)"\s*:\s*false|"(?:failures|failed|errors)"\s*:\s*\[\s*[^\s\]]')


def _check(tool: ToolView, answer: ToolAnswer) -> Iterator[Hit]:
    value = structured(answer)
    text = said(answer)
    # What reads may have failures as its subject.
    if is_error(answer) or tool.action == "read" or not isinstance(value, Mapping):
        return
    failed = _failed(cast("JsonObject", value))
    # The structured result is often repeated as text, for clients that read nothing else.
    told = _NAMES_THEM.search(text) if as_json(text) is not None else _TELLS.search(text)
    if failed and not told:
        yield Hit(
            pointer=f"/structuredContent/{failed}",
            message="some of it failed, and the text does not say so",
            fix="say in the text how many failed and which, with a reason for each",
        )


def _failed(value: JsonObject) -> str | None:
    """The member that holds failures."""
    for name, inner in value.items():
        if not isinstance(inner, Sequence) or isinstance(inner, str) or not inner:
            continue
        entries = [cast("JsonObject", entry) for entry in cast("Sequence[object]", inner) if isinstance(entry, Mapping)]
        if name in _LISTS or any(entry.get("success") is False or entry.get("ok") is False for entry in entries):
            return name
    return None


RULE = AnswerRule(
    id="FF366",
    symbol="partial-failure-hidden",
    severity="warning",
    question="recoverable",
    evidence="report",
    sources=(
        "https://github.com/ohdearquant/khive/issues/1220",
        "https://github.com/Doist/todoist-mcp/pull/585",
    ),
    page=Page.read(__doc__),
    check=_check,
)
