"""A text sends the model to a tool that the catalog does not have.

## What it does

Reads descriptions, instructions and error templates for `use x`, `call x`, `try x` and the like, where `x` is written
as tool names are and neither a tool nor an argument of the catalog has that name. A tool with a mode argument may name
its modes and is left alone.

## Why it hurts

The model does as it is told and calls a tool that is not there. After an error it is worse: the way out that the error
names leads to the next error.

## Example

```json
{
  "name": "workers_list",
  "description": "List workers. Call set_active_account first.",
  "inputSchema": {"type": "object", "properties": {}}
}
```

## Use instead

```json
{
  "tools": [
    {"name": "workers_list", "description": "List workers. Call account_select first.", "inputSchema": {}},
    {"name": "account_select", "description": "Choose an account.", "inputSchema": {}}
  ]
}
```

## When to ignore

The tool named is one of the client or of another server, and the text says so.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from difflib import get_close_matches
from typing import cast

from fourfold.contracts.names import words
from fourfold.contracts.strict_json import pointer
from fourfold.review.rule import CatalogRule, Hit, Page
from fourfold.review.texts import catalog_texts
from fourfold.review.verbs import action_of, verb_of
from fourfold.review.view import CatalogView, ToolView

__all__ = ["RULE"]

_NAME = r"[A-Za-z][A-Za-z0-9]*(?:[_-][A-Za-z0-9]+)+"
_REFERENCE = re.compile(
    rf"\b(?:use|using|call|calling|try|run|invoke|see|via|prefer|from|then)(?: the)? [`'\"]?({_NAME})\b[`'\"]?"
    r"(?!\.\w|[/:=\[<-])(?! (?:operations?|endpoints?|param\w*|fields?|arguments?|values?|mode|action|component))"
    r"(?!\s+\((?:when|if|where) )",
    re.IGNORECASE,
)
_IDENTIFIER = re.compile(rf"\b{_NAME}\b")
_LEADING_TEXT = """
    add assign cancel close create delete download execute export fetch find finish generate get import list lookup
    manage query read remove run save search select send set share show start update upload validate write
"""
_LEADING = frozenset(_LEADING_TEXT.split())
_MODES = frozenset({"action", "operation", "command", "method", "mode", "op"})


def _check(catalog: CatalogView) -> Iterator[Hit]:
    known = _known(catalog)
    names = [tool.name for tool in catalog.tools]
    excused = {tool.name for tool in catalog.tools if _has_modes(tool)}
    for tool, text in catalog_texts(catalog):
        if text.is_key or text.field not in {"description", "instructions"} or tool in excused:
            continue
        for name in dict.fromkeys(_REFERENCE.findall(text.text)):
            if name not in known and _starts_like_a_tool(name, names):
                yield _hit(tool, text.pointer, name=name, names=names)
    yield from _in_errors(catalog, known, names)


def _in_errors(catalog: CatalogView, known: frozenset[str], names: Sequence[str]) -> Iterator[Hit]:
    templates: object = catalog.catalog.facts.get("error_templates")
    for index, template in enumerate(cast("list[object]", templates) if isinstance(templates, list) else ()):
        for name in dict.fromkeys(_IDENTIFIER.findall(template) if isinstance(template, str) else ()):
            ends = {words(name)[0], words(name)[-1]}
            if name not in known and any(action_of(word) for word in ends):
                yield _hit("", pointer("error_templates", index), name=name, names=names)


def _hit(tool: str, at: str, *, name: str, names: Sequence[str]) -> Hit:
    # A name without the server's prefix is close enough for most models to recover.
    longer = next((known for known in names if known.endswith((f"_{name}", f"-{name}"))), None)
    # Another verb is another tool, however alike the rest is.
    same_verb = [known for known in names if verb_of(known) == verb_of(name)]
    near = longer or next(iter(get_close_matches(name, same_verb, n=1, cutoff=0.75)), None)
    return Hit(
        tool=tool,
        pointer=at,
        message=f"sends the model to {name}, which this catalog does not list",
        fix=f"write {near}" if near else "name a tool of this catalog, or add that one",
        severity="warning" if longer else None,
    )


def _starts_like_a_tool(name: str, names: Sequence[str]) -> bool:
    """Whether it begins with a verb, alone or after the first word of a tool that is there."""
    parts = words(name)
    firsts = {words(known)[0] for known in names if words(known)}
    has_separator = any("-" in known for known in names) or "_" in name
    follows = parts[0] in firsts and parts[1] in _LEADING
    return name == name.lower() and has_separator and (parts[0] in _LEADING or follows)


def _known(catalog: CatalogView) -> frozenset[str]:
    """Every name that a text may mean: tools, arguments, fields and listed values."""
    found = {tool.name for tool in catalog.tools}
    for tool in catalog.tools:
        for place in (*tool.inputs, *tool.outputs):
            found.add(place.name)
            found.update(value for value in place.values if isinstance(value, str))
    return frozenset(found)


def _has_modes(tool: ToolView) -> bool:
    return any(place.name.lower() in _MODES for place in tool.arguments)


RULE = CatalogRule(
    id="FF112",
    symbol="unknown-tool-reference",
    severity="error",
    question="recoverable",
    evidence="report",
    sources=(
        "https://github.com/cloudflare/mcp-server-cloudflare/issues/183",
        "https://github.com/giulio-leone/harness-os/issues/8",
    ),
    page=Page.read(__doc__),
    check=_check,
)
