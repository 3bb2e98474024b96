r"""A failure in an envelope of its own that is sent as a success.

## What it does

Finds results without `isError` whose JSON says `success: false`, `ok: false`, or is nothing but an error object.

## Why it hurts

Of 38 failures in one set of graded sessions not one was flagged, and the agents built on their output. Every client
has to know every server's envelope; none does.

## Example

```json
{
  "tool": {
    "name": "flow_get",
    "description": "Show a workflow.",
    "inputSchema": {
      "type": "object",
      "properties": {"id": {"type": "string", "maxLength": 40}},
      "required": ["id"],
      "additionalProperties": false
    }
  },
  "arguments": {"id": "f1"},
  "result": {
    "content": [
      {
        "type": "text",
        "text": "{\"success\":false,\"error_code\":\"SQL_ERROR\",\"error\":\"table not found\"}"
      }
    ]
  }
}
```

## Use instead

Use the envelope that every client knows.

```json
{
  "tool": {
    "name": "flow_get",
    "description": "Show a workflow.",
    "inputSchema": {
      "type": "object",
      "properties": {"id": {"type": "string", "maxLength": 40}},
      "required": ["id"],
      "additionalProperties": false
    }
  },
  "arguments": {"id": "f1"},
  "result": {
    "content": [{"type": "text", "text": "table_missing: there is no such table."}],
    "isError": true
  }
}
```

## When to ignore

A record whose own subject is a failure, such as the status of a job that failed.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import cast

from fourfold.model.contract import JsonObject
from fourfold.model.listed import ToolAnswer
from fourfold.review.answers import as_json, is_error, structured, texts
from fourfold.review.rule import AnswerRule, Hit, Page
from fourfold.review.view import ToolView

__all__ = ["RULE"]

_ENVELOPE = frozenset({
    "status", "error", "errors", "message", "code", "error_code", "errorCode", "detail", "details", "traceback",
    "type", "success", "ok", "hint", "result", "data", "reference", "request_id", "requestId", "error_message",
    "statusCode",
})  # fmt: skip
_FAILED = frozenset({"error", "failed", "failure", "fail"})


def _check(_tool: ToolView, answer: ToolAnswer) -> Iterator[Hit]:
    if is_error(answer):
        return
    for pointer, value in _envelopes(answer):
        if isinstance(value, Mapping) and _is_failure(cast("JsonObject", value)):
            yield Hit(
                pointer=pointer,
                message="its own envelope reports a failure, and isError is not set",
                fix="set isError on every result that is a failure",
            )
            return


def _envelopes(answer: ToolAnswer) -> Iterator[tuple[str, object]]:
    yield "/structuredContent", structured(answer)
    for place, text in texts(answer):
        yield place, as_json(text)


def _is_failure(found: JsonObject) -> bool:
    # These two words mean nothing else; status and error are data as often.
    if found.get("success") is False or found.get("ok") is False:
        return True
    status: object = found.get("status")
    says_so = isinstance(status, str) and status.lower() in _FAILED
    return (says_so or bool(found.get("error"))) and set(found) <= _ENVELOPE and found.get("success") is not True


RULE = AnswerRule(
    id="FF356",
    symbol="envelope-failure-without-iserror",
    severity="error",
    question="recoverable",
    evidence="report",
    sources=(
        "https://github.com/intersystems-community/iris-agentic-dev/issues/95",
        "https://github.com/eric-tramel/moraine/issues/482",
    ),
    page=Page.read(__doc__),
    check=_check,
)
