"""A name that promises a read on a tool that says it changes something.

## What it does

Finds tools whose name begins with a reading verb while the name or the description says that something is created,
changed, sent or deleted: `get_or_create_customer`, or `get_bank` with "creates the bank if it does not exist".

## Why it hurts

People and clients let reads run unattended because of the name. A mistyped key then makes a new record instead of an
error, and a retry changes what was only to be looked at.

## Example

```json
{
  "name": "get_customer",
  "description": "Get a customer by e-mail. Creates the customer if it does not exist.",
  "inputSchema": {"type": "object", "properties": {}}
}
```

## Use instead

A read that answers not found, and a write with a name that says so.

```json
{
  "name": "get_customer",
  "description": "Get a customer by e-mail. Fails with unknown_customer if there is none.",
  "inputSchema": {"type": "object", "properties": {}}
}
```

## When to ignore

What is written is a cache or a log that nobody can see.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from fourfold.review.rule import Hit, Page, ToolRule
from fourfold.review.view import ToolView

__all__ = ["RULE"]

_WRITES = frozenset({"create", "add", "insert", "update", "set", "delete", "remove", "send", "upsert", "save", "write"})
_OPENING = re.compile(
    r"\s*(?:creates?|adds?|inserts?|updates?|deletes?|removes?|sends?|saves?|writes?|modif(?:y|ies)|overwrites?)\b",
    re.IGNORECASE,
)
_IF_MISSING = re.compile(
    r"\b(?:creat|add|insert|initiali[sz]|provision)\w* (?:\w+ ){0,6}?(?:if|when) (?:\w+ ){0,4}?"
    r"(?:does not exist|doesn't exist|do not exist|don't exist|is missing|not found|missing|none exists)",
    re.IGNORECASE,
)


def _check(tool: ToolView) -> Iterator[Hit]:
    if tool.named_action != "read":
        return
    said = _said(tool)
    if said:
        yield Hit(
            pointer="/description" if said[0] == "description" else "/name",
            message=f"{tool.name} is named like a read, and its {said[0]} says {said[1]}",
            fix="leave the change to a tool that is named for it, or name this one for what it changes",
        )


def _said(tool: ToolView) -> tuple[str, str] | None:
    """Where it says that it changes something, and in which words."""
    position = tool.words.index("or") if "or" in tool.words else len(tool.words)
    written = next((word for word in tool.words[position + 1 : position + 2] if word in _WRITES), None)
    if written:
        return "name", f"or {written}"
    found = _OPENING.match(tool.description) or _IF_MISSING.search(tool.description)
    return ("description", " ".join(found.group().split()).lower()) if found else None


RULE = ToolRule(
    id="FF110",
    symbol="read-name-that-writes",
    severity="warning",
    question="autonomy",
    evidence="report",
    sources=("https://github.com/vectorize-io/hindsight/pull/2393",),
    page=Page.read(__doc__),
    check=_check,
)
