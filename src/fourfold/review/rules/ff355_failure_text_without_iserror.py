"""A failure in words that is sent as a success.

## What it does

Finds results without `isError` whose text begins as a failure does: 'Error executing', 'missing required
parameter', 'Failed to', an HTTP status of 4xx or 5xx. A text that begins with a word the caller has sent is left
alone: somebody who asks for failed jobs is told of them.

## Why it hurts

Programs count it as a success, retries do not happen, and an agent builds on a message as if it were data.

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
        "text": "Error executing flow_get: AuthenticationException(401, 'Unauthorized')"
      }
    ],
    "isError": false
  }
}
```

## Use instead

Set `isError`.

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
        "text": "not_permitted: this caller may not read workflows."
      }
    ],
    "isError": true
  }
}
```

## When to ignore

A tool that reads logs or mails, whose data begin like that.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from fourfold.model.listed import ToolAnswer
from fourfold.review.answers import is_error, leaves, texts
from fourfold.review.rule import AnswerRule, Hit, Page
from fourfold.review.view import ToolView

__all__ = ["RULE"]

_LONGEST = 1_000
"""A failure is short; a long text that begins like one is a log."""

_FAILURE = re.compile(
    r"""\W{0,4}(?:
        (?:an\ )?(?:internal\ |unexpected\ |server\ |api\ )*error
            (?:\s*:|\ (?:executing|calling|occurred|while|fetching|reading|running|performing|processing|getting
            |creating|listing|searching|connecting|invoking|in\ tool)\b)
        | \w+(?:Error|Exception)\b\s*[:(]
        | failed\ to\b | failure\s*: | [\w\ -]{1,60}\ failed\s*[:.!]
        | missing\ (?:required\ |mandatory\ )?(?:parameter|argument|field|property|value)
        | invalid\ (?:argument|parameter|request|input|token|credentials|api\ key|id|value)\b
        | unauthori[sz]ed\b | forbidden\b | (?:access|permission)\ denied
        | not\ (?:authori[sz]ed|authenticated|permitted)\b
        | authentication\ (?:failed|required|error) | bad\ request\b | unknown\ tool\b
        | (?:HTTP\ (?:error\ )?|status(?:\ code)?:?\ )[45]\d\d\b
        | [45]\d\d\ (?:bad\ request|unauthorized|forbidden|not\ found|internal|service|too\ many|gateway)\b
        | Traceback\ \(most
        | (?:unable\ to|could\ not|couldn't|can't|cannot)
            \ (?:connect|fetch|load|access|authenticate|complete|process|reach)\b
    )""",
    re.IGNORECASE | re.VERBOSE,
)

_WORD = re.compile(r"[a-z]+")


def _check(_tool: ToolView, answer: ToolAnswer) -> Iterator[Hit]:
    if is_error(answer):
        return
    sent = {word for _, leaf in leaves(answer.arguments) for word in _WORD.findall(str(leaf).casefold())}
    for place, text in texts(answer):
        # Only the beginning counts: a report may speak of errors anywhere.
        if len(text) <= _LONGEST and _FAILURE.match(text) and not sent & {*_WORD.findall(text.casefold())[:1]}:
            yield Hit(
                pointer=place,
                message="the text reports a failure, and isError is not set",
                fix="set isError on every result that is a failure",
            )


RULE = AnswerRule(
    id="FF355",
    symbol="failure-text-without-iserror",
    severity="error",
    question="recoverable",
    evidence="report",
    sources=(
        "https://github.com/github/github-mcp-server/issues/1952",
        "https://github.com/opensearch-project/opensearch-mcp-server-py/issues/265",
        "https://github.com/ansys/pyaedt-mcp/issues/120",
    ),
    page=Page.read(__doc__),
    check=_check,
)
