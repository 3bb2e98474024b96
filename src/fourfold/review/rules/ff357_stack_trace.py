r"""A stack trace in what a caller is sent.

## What it does

Finds frames of Python, JavaScript, Java, .NET or Go, or a member called `stackTrace` or `traceback`, anywhere in an
answer.

## Why it hurts

Sixty frames for a wrong token tell a stranger the libraries, versions and folders of a server. The model reads them
at the price of a page, and can do nothing with them.

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
        "text": "Traceback (most recent call last):\n  File \"/srv/app/main.py\", line 5, in run\nValueError: x"
      }
    ],
    "isError": true
  }
}
```

## Use instead

A code and a reference; the trace belongs in the server's own log.

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
        "text": "internal: it did not work. Report the reference r-81f3."
      }
    ],
    "isError": true
  }
}
```

## When to ignore

A tool that shows stack traces because they are its subject, such as those of an error tracker.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from fourfold.contracts.names import words
from fourfold.model.listed import ToolAnswer
from fourfold.review.answers import as_json, leaves, texts
from fourfold.review.rule import AnswerRule, Hit, Page
from fourfold.review.view import ToolView

__all__ = ["RULE"]

_FRAME = re.compile(
    r"""Traceback\ \(most\ recent\ call | \bFile\ "[^"\n]{1,200}",\ line\ \d | ^goroutine\ \d+\ \[
    | ^\s*at\ [\w.$<>]{1,200}\([\w$]{1,100}\.(?:java|kt|scala):\d+\) | ^\s*at\ [^\n]{1,200}\.(?:js|ts|mjs|cjs):\d+:\d+
    | ^\s*at\ [^\n]{1,200}\ in\ [^\n]{1,200}:line\ \d+""",
    re.VERBOSE | re.MULTILINE,
)
_MEMBERS = frozenset({("stack", "trace"), ("stacktrace",), ("traceback",)})


def _check(_tool: ToolView, answer: ToolAnswer) -> Iterator[Hit]:
    for pointer in (*_frames(answer), *_members(answer)):
        yield Hit(
            pointer=pointer,
            message="the answer holds a stack trace",
            fix="answer with a code and a reference, and keep the trace in the server's log",
        )
        return


def _frames(answer: ToolAnswer) -> Iterator[str]:
    for pointer, leaf in leaves(answer.result):
        if isinstance(leaf, str) and _FRAME.search(leaf):
            yield pointer


def _members(answer: ToolAnswer) -> Iterator[str]:
    for base, value in (("", answer.result), *((place, as_json(text)) for place, text in texts(answer))):
        for pointer, leaf in leaves(value):
            steps = {words(step) for step in pointer.split("/")}
            # Servers that switch traces off send the member with null in it.
            if leaf and steps & _MEMBERS:
                yield base or pointer


RULE = AnswerRule(
    id="FF357",
    symbol="stack-trace",
    severity="error",
    question="autonomy",
    evidence="report",
    sources=(
        "https://github.com/open-metadata/OpenMetadata/issues/31871",
        "https://github.com/HKUDS/OpenSpace/issues/19",
    ),
    page=Page.read(__doc__),
    check=_check,
)
