"""A failure that shows how the server works inside.

## What it does

Finds SQL, paths of the server's disk, names of internal hosts and exception classes in the text of a failure,
unless the caller had sent them. A folder that the server was started with is no news either, nor is a path that is
given as an example.

## Why it hurts

The text of an exception was written for the person who wrote the code. It tells a caller which tables and hosts
there are, and tells the model nothing that it could act on.

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
        "text": "OperationalError('could not connect to db1.prod.internal:5432')"
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

A tool for those who run the server, in a place where nobody else can call it.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Callable, Iterator

from fourfold.model.listed import ToolAnswer
from fourfold.review.answers import is_error, leaves, texts
from fourfold.review.rule import AnswerRule, Hit, Page
from fourfold.review.view import ToolView

__all__ = ["RULE"]

_LEAKS = {
    "SQL": re.compile(
        r"\bSELECT\b[^\n]{1,300}\bFROM\b|\bINSERT INTO\b|\bUPDATE \w+ SET\b|\bDELETE FROM\b|SQLSTATE|\bORA-\d{4,}"
        r"|\bno such (?:table|column):|\brelation \"[^\"]{1,100}\" does not exist"
    ),
    "a path of the server": re.compile(
        r"(?<![\w:/.])/(?:usr|home|srv|app|var|opt|root|tmp|etc|mnt|workspace|Users)/[\w.@-]{1,100}"
        r"|(?<![\w:/.])(?:/[\w.@-]{1,100}){1,20}/(?:(?:site|dist)-packages|node_modules)/|\b[A-Z]:\\\\?\w{1,100}\\"
    ),
    "an internal host": re.compile(
        r"\b[\w-]{1,63}(?:\.[\w-]{1,63}){0,5}\.(?:internal|svc|lan|corp|cluster\.local)\b|\blocalhost:\d+"
        r"|\b(?:10|127)\.\d{1,3}\.\d{1,3}\.\d{1,3}\b|\b192\.168\.\d{1,3}\.\d{1,3}\b"
    ),
    "an exception class": re.compile(
        r"\b(?:[a-z_]\w{0,60}\.)*[A-Z]\w{1,60}(?:Exception|Error)\b\s*[:(]|\bKeyError\b|\bNullPointerException\b|0x[0-9a-f]{8,}"
    ),
}

_ABSOLUTE = re.compile(r"(?<![^\s='\"])/[^\s'\"]+")
_EXAMPLE = re.compile(r"\b(?:e\.g\.|for example|such as)", re.IGNORECASE)
_NEAR = 60
_LONGEST_PATH = 4_096


def _check(_tool: ToolView, answer: ToolAnswer) -> Iterator[Hit]:
    # A result may be about files and tables; a failure is not.
    if not is_error(answer):
        return
    is_known = _known_to_the_caller(answer)
    for place, text in texts(answer):
        for kind, pattern in _LEAKS.items():
            if not all(is_known(found) for found in pattern.finditer(text)):
                yield Hit(
                    pointer=place,
                    message=f"the failure shows {kind}",
                    fix="answer with a code and what to do; keep the exception's text in the server's log",
                )


def _known_to_the_caller(answer: ToolAnswer) -> Callable[[re.Match[str]], bool]:
    sent = " ".join(str(leaf) for _, leaf in leaves(answer.arguments))
    short = [leaf for _, leaf in leaves(answer.arguments) if isinstance(leaf, str) and 0 < len(leaf) <= _LONGEST_PATH]
    roots = [path.rstrip("/") for path in _ABSOLUTE.findall(answer.told)]
    # A server joins what it is sent to its own folder, and says where that led: '../x' to a place beside the folder.
    led = [posixpath.normpath(posixpath.join(root, str(leaf))) for root in roots for leaf in short]
    told = [*roots, *led]

    def is_known(found: re.Match[str]) -> bool:
        text, start = found.string, found.start()
        is_example = _EXAMPLE.search(text[max(0, start - _NEAR) : start]) is not None
        is_told = any(_is_at_or_under(path, text[start:]) for path in told)
        # Validators cut what they repeat: '/srv/ana/no...es/a.txt'.
        is_sent = found[0].split("...", 1)[0] in sent
        return is_sent or is_told or is_example

    return is_known


def _is_at_or_under(path: str, text: str) -> bool:
    """Whether `text` begins with the path, and not with a longer name."""
    return text.startswith(path) and re.match(r"[\w@-]", text[len(path) :]) is None


RULE = AnswerRule(
    id="FF358",
    symbol="internals-in-error",
    severity="error",
    question="autonomy",
    evidence="report",
    sources=(
        "https://github.com/modelcontextprotocol/python-sdk/pull/2198",
        "https://github.com/modelcontextprotocol/typescript-sdk/issues/1429",
    ),
    page=Page.read(__doc__),
    check=_check,
)
