"""An instruction in prose where typed fields belong.

## What it does

Finds a required text argument that takes what to do, in words: one that is called `instruction` or the like, or, of a
tool that changes something, a `prompt`, `request`, `task` or `intent` that is said to be natural language. Tools that
generate texts, images, sound or code from a prompt are silent: there the prose is the content.

## Why it hurts

Whatever the prose leaves out, the server guesses: which metric, which period, which currency. A wrong guess is a result
that looks right. No schema refuses it, no test covers it, and a repeat with other words is another call.

## Example

```json
{
  "name": "run_report",
  "description": "Run a report.",
  "inputSchema": {
    "type": "object",
    "properties": {"instruction": {"type": "string", "maxLength": 2000}},
    "required": ["instruction"],
    "additionalProperties": false
  }
}
```

## Use instead

Take apart what the prose says: each decision is a field of its own, with the values that it may have.

```json
{
  "name": "run_report",
  "description": "Run a report.",
  "inputSchema": {
    "type": "object",
    "properties": {
      "metric": {"type": "string", "enum": ["revenue", "refunds"]},
      "since": {"type": "string", "format": "date"},
      "until": {"type": "string", "format": "date"}
    },
    "required": ["metric", "since", "until"],
    "additionalProperties": false
  }
}
```

## When to ignore

A tool that hands the text to a model of its own, where that is the point and its answer is checked by a person.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from fourfold.contracts.names import words
from fourfold.review.arguments import explained, is_open_text, top_level
from fourfold.review.place import Place
from fourfold.review.rule import Hit, Page, ToolRule
from fourfold.review.view import ToolView

__all__ = ["RULE"]

_ORDERS = frozenset(words("instruction instructions directive"))
_MAY_ORDER = frozenset(words("prompt request task ask intent goal command"))
_PROSE = re.compile(
    r"natural[- ]language|plain[- ](?:language|english|words|text)|free[- ]form|in (?:your own )?words|"
    r"\bwhat (?:to do|you want|should be done)\b",
    re.IGNORECASE,
)
_GENERATES = frozenset(
    words("generate draw paint compose image images video videos voice speech music song picture imagine completion")
)


def _check(tool: ToolView) -> Iterator[Hit]:
    if _GENERATES & set(tool.words):
        return
    for place in top_level(tool):
        if place.required and is_open_text(place) and _is_order(place, tool):
            yield Hit(
                pointer=place.pointer,
                message=f"{place.name} is an instruction in prose, and whatever it leaves out is guessed",
                fix="take each decision in it as a field of its own, with the values that it may have",
            )


def _is_order(place: Place, tool: ToolView) -> bool:
    last = words(place.name)[-1:]
    if _ORDERS & set(last):
        return True
    if tool.action == "read":
        return False
    return bool(_MAY_ORDER & set(last)) and bool(_PROSE.search(explained(tool, place)))


RULE = ToolRule(
    id="FF251",
    symbol="prose-argument",
    severity="warning",
    question="wrong_argument",
    evidence="judgement",
    page=Page.read(__doc__),
    check=_check,
)
