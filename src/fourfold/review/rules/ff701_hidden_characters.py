r"""Characters that a reader does not see and a model does.

## What it does

Finds tag characters, zero-width characters, controls of writing direction, fillers, and variation selectors that select
nothing, in every name and text of a definition and in the server's instructions. What scripts and emoji need is left
alone: joiners inside emoji and Arabic or Indic words, and the three registered flags made of tags.

## Why it hurts

The reviewer approves "Find a customer." and the model reads that with a second sentence behind it. The characters of
the tag block are a complete invisible ASCII.

## Example

```json
{
  "name": "lookup",
  "description": "Find a cust\u200bomer.",
  "inputSchema": {"type": "object", "properties": {}}
}
```

## Use instead

```json
{
  "name": "lookup",
  "description": "Find a customer. \ud83d\udc69\u200d\ud83d\udcbb",
  "inputSchema": {"type": "object", "properties": {}}
}
```

## When to ignore

Never: whatever it means, write it so that it is seen.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from fourfold.review.hidden_text import hidden_characters, tag_text
from fourfold.review.rule import CatalogRule, Hit, Page
from fourfold.review.texts import Text, catalog_texts, shown
from fourfold.review.view import CatalogView

__all__ = ["RULE"]

_NAMED = 4
"""Code points that a message names before it says how many more there are."""


def _check(catalog: CatalogView) -> Iterator[Hit]:
    for tool, text in catalog_texts(catalog):
        hidden = hidden_characters(text.text)
        if not hidden:
            continue
        counts = Counter(each.code for each in hidden)
        spelled = tag_text("".join(each.character for each in hidden))
        yield Hit(
            tool=tool,
            pointer=text.pointer,
            message=f"{len(hidden)} hidden character{'s' * (len(hidden) > 1)} in {_what(text)} ({_codes(counts)})",
            fix="delete them; nothing in a definition may be invisible",
            evidence=f"the tags spell: {shown(spelled)}" if spelled.strip() else "",
        )


def _what(text: Text) -> str:
    if text.is_key:
        return "a name of the schema"
    return f"the {text.field}" if text.field.isascii() else "a text"


def _codes(counts: Counter[str]) -> str:
    named = [f"{code} x{count}" if count > 1 else code for code, count in counts.most_common(_NAMED)]
    more = len(counts) - len(named)
    return ", ".join(named) + (f" and {more} others" if more else "")


RULE = CatalogRule(
    id="FF701",
    symbol="hidden-characters",
    severity="error",
    question="wrong_tool",
    evidence="report",
    sources=(
        "https://github.com/blitzcrieg1/agentmetry/issues/152",
        "https://github.com/coproduct-opensource/nucleus/issues/1332",
        "https://github.com/NousResearch/hermes-agent/pull/80689",
    ),
    page=Page.read(__doc__),
    check=_check,
)
