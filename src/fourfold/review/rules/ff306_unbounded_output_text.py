"""A result with a text that may be of any length.

## What it does

Finds output fields that hold bodies of text (`content`, `html`, `logs`, `markdown`) without `maxLength`, of tools
that take no limit on it. What tells about a thing instead of showing it (`get_file_info`) is left alone, and so is
`fetch` with the result that a client prescribes.

## Why it hurts

One long page or log fills the context of the model. Clients refuse the result or cut it where they like.

## Example

```json
{
  "name": "page_get",
  "description": "Show a page.",
  "inputSchema": {
    "type": "object",
    "properties": {"page_reference": {"type": "string", "maxLength": 40}},
    "required": ["page_reference"],
    "additionalProperties": false
  },
  "outputSchema": {"type": "object", "properties": {"html": {"type": "string"}}, "required": ["html"]}
}
```

## Use instead

Bound it, and give the rest in parts.

```json
{
  "name": "page_get",
  "description": "Show a page.",
  "inputSchema": {
    "type": "object",
    "properties": {
      "page_reference": {"type": "string", "maxLength": 40},
      "offset": {"type": "integer", "minimum": 0, "maximum": 10000000}
    },
    "required": ["page_reference"],
    "additionalProperties": false
  },
  "outputSchema": {
    "type": "object",
    "properties": {
      "html": {"type": "string", "maxLength": 20000},
      "next_offset": {"type": "integer", "maximum": 10000000}
    },
    "required": ["html"]
  }
}
```

## When to ignore

Text that something else keeps short: a note with a limit of its own.
"""

from __future__ import annotations

from collections.abc import Iterator

from fourfold.contracts.names import words
from fourfold.review.listing import continuations, limits
from fourfold.review.place import Place
from fourfold.review.rule import Hit, Page, ToolRule
from fourfold.review.view import ToolView

__all__ = ["RULE"]

_BODIES = frozenset({"content", "contents", "body", "html", "markdown", "log", "logs", "raw", "transcript", "source",
                     "text", "document", "stdout", "stderr", "dump"})  # fmt: skip
_BOUNDS = frozenset({"length", "chars", "characters", "bytes", "tokens", "lines", "tail", "size"})

_ABOUT = frozenset({"info", "metadata", "stat", "stats", "status", "allowed", "settings", "config", "version", "size"})
_PRESCRIBED = frozenset({"id", "title", "text", "url"})


def _check(tool: ToolView) -> Iterator[Hit]:
    is_bounded = any(_BOUNDS & set(words(place.name)) for place in tool.arguments)
    if tool.action != "read" or is_bounded or any(limits(tool)) or any(continuations(tool)):
        return
    if _ABOUT & set(tool.words) or (tool.name == "fetch" and {place.name for place in tool.fields} >= _PRESCRIBED):
        return
    # Only what the result consists of: the text of a note inside of a note is bounded by the note.
    for place in tool.fields:
        if "/$defs/" not in place.pointer and _is_body(place):
            yield Hit(
                pointer=place.pointer,
                message=f"{place.name} may be of any length, and no argument limits it",
                fix="set maxLength, and take an offset or a cursor for what does not fit",
            )
            return


def _is_body(place: Place) -> bool:
    is_named = len(place.parents) == 1 and bool(_BODIES & set(words(place.name)[-1:]))
    return is_named and place.types == ("string",) and not {"maxLength", "enum", "const"} & set(place.resolved)


RULE = ToolRule(
    id="FF306",
    symbol="unbounded-output-text",
    severity="advice",
    question="recoverable",
    evidence="report",
    sources=(
        "https://github.com/TencentCloudBase/CloudBase-AI-Toolkit/issues/331",
        "https://github.com/anthropics/claude-code/issues/45766",
    ),
    page=Page.read(__doc__),
    check=_check,
)
