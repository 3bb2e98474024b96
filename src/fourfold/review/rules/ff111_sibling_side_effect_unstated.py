"""A tool does what its reading sibling does and more, and does not say what.

## What it does

Finds pairs in which one tool only reads, the other has every word of its name and is annotated as one that does not
only read, and the description of that other one has no word about an effect.

## Why it hurts

`capture_and_analyze` contains `analyze`, so a model that is asked to analyze may take either. Only a sentence about
the effect tells it that the longer one runs something first.

## Example

```json
{
  "tools": [
    {
      "name": "analyze",
      "description": "Analyze artifacts.",
      "inputSchema": {"type": "object"},
      "annotations": {"readOnlyHint": true}
    },
    {
      "name": "capture_and_analyze",
      "description": "Capture a target once and analyze.",
      "inputSchema": {"type": "object"},
      "annotations": {"readOnlyHint": false}
    }
  ]
}
```

## Use instead

```json
{
  "tools": [
    {
      "name": "analyze",
      "description": "Analyze artifacts that are there. Reads only.",
      "inputSchema": {"type": "object"},
      "annotations": {"readOnlyHint": true}
    },
    {
      "name": "capture_and_analyze",
      "description": "Executes the command line, then analyzes it. For saved artifacts use analyze.",
      "inputSchema": {"type": "object"},
      "annotations": {"readOnlyHint": false}
    }
  ]
}
```

## When to ignore

The annotation is wrong and the tool has no effect: then correct the annotation.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from fourfold.review.rule import CatalogRule, Hit, Page
from fourfold.review.verbs import action_of
from fourfold.review.view import CatalogView, ToolView

__all__ = ["RULE"]

_WORD = re.compile(r"[A-Za-z]+")
_ENDINGS = ("", "s", "es", "d", "ed", "ing")


def _check(catalog: CatalogView) -> Iterator[Hit]:
    readers = [tool for tool in catalog.tools if tool.words and _only_reads(tool)]
    for tool in catalog.tools:
        if tool.hint("readOnlyHint") is not False or not tool.description or _tells_effect(tool.description):
            continue
        sibling = next((reader for reader in readers if set(reader.words) < set(tool.words)), None)
        if sibling is not None:
            yield Hit(
                tool=tool.name,
                pair=sibling.name,
                pointer="/description",
                message=f"{tool.name} does more than {sibling.name}, which only reads, and does not say what",
                fix=f"say what it changes or runs, and that {sibling.name} is for reading alone",
            )


def _only_reads(tool: ToolView) -> bool:
    hint = tool.hint("readOnlyHint")
    return hint if hint is not None else tool.named_action == "read"


def _tells_effect(text: str) -> bool:
    """Whether a word in `text` is a verb that changes something, in any of its forms."""
    return any(_is_effect(word.lower()) for word in _WORD.findall(text))


def _is_effect(word: str) -> bool:
    # Better to take a noun for an effect than to accuse a tool that has told everything.
    stems = {word.removesuffix(ending) for ending in _ENDINGS}
    forms = {*stems, *(f"{stem}e" for stem in stems)}
    return any(action_of(form) in {"write", "destroy"} for form in forms)


RULE = CatalogRule(
    id="FF111",
    symbol="sibling-side-effect-unstated",
    severity="warning",
    question="wrong_tool",
    evidence="report",
    sources=("https://github.com/morluto/flameox/issues/509",),
    page=Page.read(__doc__),
    check=_check,
)
