"""Two tool names that differ by one letter, or only to a machine.

## What it does

Finds pairs of names that are equal but for one letter in a word of six or more, or for a plural `s`, and names that are
the same once case, separators and look-alike characters (`0` and `o`, `1` and `l`) are set aside. A pair of which one
description names the other tool is left alone, and so is a letter before a one-word name, as in `hget` and `zrange`.
Between two reads the finding is advice.

## Why it hurts

A model writes names from memory of the list. One letter is the smallest mistake that it can make, and here that mistake
is another valid tool. Between `item_delete` and `items_delete` it decides how much is gone.

## Example

```json
{
  "tools": [
    {"name": "delete_issue", "description": "Delete one issue.", "inputSchema": {"type": "object"}},
    {"name": "delete_issues", "description": "Delete many issues.", "inputSchema": {"type": "object"}}
  ]
}
```

## Use instead

One tool that takes a list, or a word that says the difference.

```json
{
  "tools": [
    {"name": "issue_delete", "description": "Delete one issue.", "inputSchema": {"type": "object"}},
    {"name": "issue_delete_in_bulk", "description": "Delete many issues.", "inputSchema": {"type": "object"}}
  ]
}
```

## When to ignore

The names are those of an established command set, such as that of a database.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Sequence

from fourfold.contracts.names import alike, words
from fourfold.review.overlap import name_each_other
from fourfold.review.rule import CatalogRule, Hit, Page
from fourfold.review.view import CatalogView, ToolView

__all__ = ["RULE"]

_LONG = 6
"""Letters from which a word is expected to differ from another one by more than one."""


def _check(catalog: CatalogView) -> Iterator[Hit]:
    tools = {tool.name: tool for tool in catalog.tools if tool.name}
    for first, second in _pairs([*tools]):
        if name_each_other(tools[first], tools[second]) or _names_without_prefix(tools[first], tools[second]):
            continue
        yield Hit(
            tool=second,
            pair=first,
            pointer="/name",
            message=f"{second} differs from {first} by {_difference(first, second)}",
            fix="rename one so that a whole word tells them apart, or merge them",
            severity="advice" if tools[first].named_action == tools[second].named_action == "read" else None,
        )


def _names_without_prefix(one: ToolView, other: ToolView) -> bool:
    """Whether a description names the other tool, but for the server's own word in front."""
    return any(
        (short := re.split(r"[_-]", named.name, maxsplit=1)[-1]) != named.name
        # One word may be any word.
        and len(words(short)) > 1
        and re.search(rf"(?<![\w-]){re.escape(short)}(?![\w-])", tool.description)
        for tool, named in ((one, other), (other, one))
    )


def _pairs(names: Sequence[str]) -> Iterator[tuple[str, str]]:
    """The pairs that look alike, found by what is left of a name when any one letter is dropped."""
    groups: defaultdict[str, list[int]] = defaultdict(list)
    for index, name in enumerate(names):
        keys = {name, *(f"{name[:cut]}{name[cut + 1 :]}" for cut in range(len(name)))}
        # The mark keeps folded forms apart from shortened names.
        for key in {*keys, f"~{alike(name)}"}:
            groups[key].append(index)
    pairs = {
        (one, other)
        for group in groups.values()
        for position, other in enumerate(group)
        for one in group[:position]
        if _look_alike(names[one], names[other])
    }
    for one, other in sorted(pairs):
        yield names[one], names[other]


def _look_alike(one: str, other: str) -> bool:
    if alike(one) == alike(other):
        return True
    different = [pair for pair in zip(words(one), words(other), strict=False) if pair[0] != pair[1]]
    if len(words(one)) != len(words(other)) or len(different) != 1:
        return False
    short, long = sorted(different[0], key=len)
    # In a command set a first letter is a word of its own.
    if len(words(one)) == 1 and short[0] != long[0]:
        return False
    return long == f"{short}s" or (len(short) >= _LONG - 1 and len(long) >= _LONG and _one_apart(short, long))


def _one_apart(short: str, long: str) -> bool:
    same = next((at for at, letter in enumerate(short) if letter != long[at]), len(short))
    return short[same:] == long[same + 1 :] or (len(short) == len(long) and short[same + 1 :] == long[same + 1 :])


def _difference(one: str, other: str) -> str:
    if alike(one) == alike(other):
        return "case, separators or look-alike characters only"
    return "a plural s" if f"{min(one, other, key=len)}s" == max(one, other, key=len) else "one letter"


RULE = CatalogRule(
    id="FF106",
    symbol="look-alike-names",
    severity="warning",
    question="wrong_tool",
    evidence="judgement",
    page=Page.read(__doc__),
    check=_check,
)
