"""A vocabulary that only the description lists.

## What it does

Finds text arguments without an enum whose description lists the values that count: `one of: open, closed`, `'open'
or 'closed'`, `open|closed|all`.

## Why it hurts

The model infers the list from prose, and when it infers wrong the call comes back refused and it guesses again. The
prose is also what goes stale: an enum is the list that the server checks.

## Example

```json
{
  "name": "issue_list",
  "description": "List issues.",
  "inputSchema": {
    "type": "object",
    "properties": {
      "state": {"type": "string", "maxLength": 20, "description": "One of: open, closed, all"},
      "limit": {"type": "integer", "minimum": 1, "maximum": 50}
    },
    "additionalProperties": false
  }
}
```

## Use instead

Make it an enum.

```json
{
  "name": "issue_list",
  "description": "List issues.",
  "inputSchema": {
    "type": "object",
    "properties": {
      "state": {"type": "string", "enum": ["open", "closed", "all"]},
      "limit": {"type": "integer", "minimum": 1, "maximum": 50}
    },
    "additionalProperties": false
  }
}
```

## When to ignore

Where the listed values are examples of many.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from fourfold.contracts.names import words
from fourfold.review.arguments import arguments, explained, is_open_text, kinds
from fourfold.review.rule import Hit, Page, ToolRule
from fourfold.review.view import ToolView

__all__ = ["RULE"]

_VALUE = r"""["'`]?[A-Za-z][\w-]{0,30}["'`]?"""
_LISTS = re.compile(
    rf"""\b(?:one\ of|either|allowed\ values|valid\ values|possible\ values|options|valid\ options|supported\ values)
    (?:\ (?:are|is))?:?\s*[\[({{]?\s*{_VALUE}(?:(?:,\s*(?:or\ |and\ )?|\s*\|\s*|\s*/\s*|\ or\ ){_VALUE})+""",
    re.IGNORECASE | re.VERBOSE,
)
_QUOTED = re.compile(r"""(["'`])[A-Za-z][\w-]{0,30}\1(?:(?:, (?:or |and )?| or |/|\|)(["'`])[A-Za-z][\w-]{0,30}\2)+""")
_BARS = re.compile(r"\b[a-z][\w-]{0,30}(?:\|[a-z][\w-]{0,30}){1,20}\b")
_EXAMPLES = re.compile(
    r"e\.g\.|such as|example|like |and more|etc|custom|include|common|var(?:y|ies)\b|JSON (?:string|object|array)"
    r"|or (?:an? |any )?(?:string|text)\b|(?:required|used|only|provide|supply|with) ",
    re.IGNORECASE,
)
_NAMES = frozenset(
    words("id ids name names filename path value values birthday date text query title content body url")
)
"""Last words of arguments that no list of values can exhaust."""


def _check(tool: ToolView) -> Iterator[Hit]:
    for place in arguments(tool):
        is_name = bool(_NAMES & set(words(place.name)[-1:]))
        if is_name or kinds(place) != frozenset({"string"}) or not is_open_text(place):
            continue
        text = explained(tool, place)
        listed = _LISTS.search(text) or _QUOTED.search(text) or _BARS.search(text)
        if listed and not _EXAMPLES.search(text):
            yield Hit(
                pointer=place.pointer,
                message=f"{place.name} has its values only in its description",
                fix="make it an enum of the values that the server accepts",
            )


RULE = ToolRule(
    id="FF243",
    symbol="values-in-prose",
    severity="warning",
    question="wrong_argument",
    evidence="report",
    sources=("https://github.com/hahwul/gori/pull/884", "https://github.com/RamaAditya49/titen/issues/98"),
    page=Page.read(__doc__),
    check=_check,
)
