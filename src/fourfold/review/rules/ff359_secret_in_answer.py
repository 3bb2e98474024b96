"""A credential in what a caller is sent.

## What it does

Finds private keys, bearer tokens, connection strings with a password, and keys of well-known services anywhere in
an answer.

## Why it hurts

A driver puts its connection string into the exception, the server puts the exception into the result, and the
password stands in every transcript.

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
        "text": "could not connect: postgresql://svc:hunter2@db:5432/prod"
      }
    ],
    "isError": true
  }
}
```

## Use instead

Say what it means for the caller.

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
        "text": "upstream_unavailable: the store does not answer. Repeat the call in a minute."
      }
    ],
    "isError": true
  }
}
```

## When to ignore

A tool that makes a credential for a person and has no other way to hand it over.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from fourfold.model.listed import ToolAnswer
from fourfold.review.answers import leaves
from fourfold.review.rule import AnswerRule, Hit, Page
from fourfold.review.view import ToolView

__all__ = ["RULE"]

_SECRETS = {
    "a connection string with a password": re.compile(
        r"\b[a-z][a-z0-9+]{1,20}://[^\s/:@]{0,100}:[^\s/@]{1,200}@[\w.-]"
    ),
    "a private key": re.compile(r"-----BEGIN [A-Z ]{0,40}PRIVATE KEY-----"),
    "a bearer token": re.compile(
        r"\b[Bb]earer [A-Za-z0-9._~+/-]{16,}|\beyJ[A-Za-z0-9_-]{10,}\.eyJ[A-Za-z0-9_-]{10,}\."
    ),
    "an access key": re.compile(
        r"\b(?:AKIA[0-9A-Z]{16}|gh[pousr]_[A-Za-z0-9]{36}|xox[abp]-[0-9A-Za-z-]{10,}|sk-[A-Za-z0-9_-]{20,})\b"
    ),
    "a password": re.compile(
        r"\b(?:password|passwd|pwd|secret|api[_-]?key)\s*[=:]\s*['\"]?(?!\*|<|\.\.\.)[^\s'\",;]{4,}", re.IGNORECASE
    ),
}


def _check(_tool: ToolView, answer: ToolAnswer) -> Iterator[Hit]:
    for pointer, leaf in leaves(answer.result):
        # The message names the kind and never what was found.
        kind = _kind(leaf) if isinstance(leaf, str) else None
        if kind is not None:
            yield Hit(
                pointer=pointer,
                message=f"the answer holds {kind}",
                fix="take it out, and replace that credential: whoever called has it",
            )


def _kind(text: str) -> str | None:
    return next((kind for kind, pattern in _SECRETS.items() if pattern.search(text)), None)


RULE = AnswerRule(
    id="FF359",
    symbol="secret-in-answer",
    severity="error",
    question="autonomy",
    evidence="report",
    sources=(
        "https://github.com/modelcontextprotocol/python-sdk/pull/2198",
        "https://github.com/scottcrosby-securebine/kali-mcp-server/issues/57",
    ),
    page=Page.read(__doc__),
    check=_check,
)
