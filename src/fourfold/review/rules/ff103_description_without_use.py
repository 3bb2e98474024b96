"""Descriptions that say neither when to use a tool nor when to use the one beside it.

## What it does

Finds descriptions without any words about the occasion (`use when`, `use this to`, `only for`, `not for`, `instead`,
`before`, `after`, `if you`, in any spelling) where another tool does the same kind of thing to the same things: its
name is this one with a word more (`get_comments` beside `get_inline_comments`), and the first sentence has no word that
excludes the other. Left alone are pairs of which one description names the other tool, and what `overlapping-tools`
reports. A catalog of ten tools or more of which four in five have no such words gets one finding for all of them.

## Why it hurts

What a tool does tells a model that it can be called, not that it should be. In a server with 53 tools of which five
were ever called, the rewrite began with the words "Use when".

## Example

```json
{
  "tools": [
    {
      "name": "customer_get_profile",
      "description": "Returns a profile of a customer.",
      "inputSchema": {"type": "object", "properties": {}}
    },
    {
      "name": "customer_get_credit_profile",
      "description": "Returns the credit profile of a customer. Use before an order on account.",
      "inputSchema": {"type": "object", "properties": {}}
    }
  ]
}
```

## Use instead

```json
{
  "tools": [
    {
      "name": "customer_get_profile",
      "description": "Returns name and address of a customer. Use when the user asks who a customer is.",
      "inputSchema": {"type": "object", "properties": {}}
    },
    {
      "name": "customer_get_credit_profile",
      "description": "Returns the credit profile of a customer. Use before an order on account.",
      "inputSchema": {"type": "object", "properties": {}}
    }
  ]
}
```

## When to ignore

The other tool takes what only its callers can have, such as the number of a group.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Sequence

from fourfold.review.overlap import Profile, name_each_other, overlap, profiles
from fourfold.review.rule import CatalogRule, Hit, Page
from fourfold.review.view import CatalogView, ToolView

__all__ = ["RULE"]

_OCCASION = re.compile(
    r"\b(?:use|used|useful|using|call|prefer|invoke|when|whenever|instead|if (?:you|the user|a user|asked)|not for"
    r"|only for|intended for|best for|ideal for|suitable for|helpful|before|after|rather than|don't|do not|for when"
    r"|start here|first step|should|avoid)\b",
    re.IGNORECASE,
)

_CONNECTORS = frozenset({"by", "for", "from", "in", "of", "to", "on", "with", "across", "near", "and", "or"})
_ANYTHING = frozenset({"manage", "not", "batch", "bulk", "multiple"})
"""Words by which a name says what it is beside the others: all of it, not it, or many of it."""

_ANY_OF = frozenset({"specific", "given", "particular", "single", "existing", "new"})
"""Words of a first sentence that exclude nothing."""

_MANY = 10
_SHARE = 0.8
"""Tools from which, and the share of them that, a model has to be told more than what each of them does."""


def _check(catalog: CatalogView) -> Iterator[Hit]:
    silent = {tool.name for tool in catalog.tools if _is_silent(tool)}
    total = len(catalog.tools)
    if total >= _MANY and len(silent) >= _SHARE * total:
        yield Hit(
            pointer="/tools",
            message=f"{len(silent)} of {total} descriptions do not say when to use their tool, or when not",
            fix="begin with the tools that are most alike: say Use when, and name the tool to use otherwise",
        )
    for group in _groups(profiles(catalog.tools)):
        for one in group:
            if one.tool.name in silent and (other := _nearest(one, group)) is not None:
                yield _hit(one.tool.name, other.tool.name)


def _is_silent(tool: ToolView) -> bool:
    return bool(tool.description.strip()) and not _OCCASION.search(tool.description)


def _hit(name: str, other: str) -> Hit:
    return Hit(
        tool=name,
        pair=other,
        pointer="/description",
        message=f"the description of {name} says neither when to use it nor when to use {other}",
        fix=f"add a sentence that begins with Use when, and say what {other} is for",
    )


def _groups(tools: Sequence[Profile]) -> Iterator[Sequence[Profile]]:
    """The tools that do the same kind of thing to the same kind of thing."""
    groups: defaultdict[tuple[str, ...], list[Profile]] = defaultdict(list)
    for tool in tools:
        said, tail = _parts(tool)
        if said and not _ANYTHING & set(tool.tool.words):
            # Whoever looks for some of them may list all. What stands behind `by` or `for` tells tools apart.
            groups["find" if tool.kind == "list" else tool.kind, said[-1], *tail].append(tool)
    return (group for group in groups.values() if len(group) > 1)


def _parts(tool: Profile) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The words of its name without its verb, and those from the first `by`, `for` or `in` on."""
    parts = tool.tool.words
    end = next((at for at, word in enumerate(parts) if at and word in _CONNECTORS), len(parts))
    return tuple(word for word in parts[:end] if word not in (tool.verb, "tool")), parts[end:]


def _nearest(one: Profile, group: Sequence[Profile]) -> Profile | None:
    """The tool that its name does not exclude, and whose name is most like it."""
    near = [other for other in group if other is not one and _leaves_open(one, other)]
    return min(near, key=lambda other: len(other.tool.words), default=None)


def _leaves_open(one: Profile, other: Profile) -> bool:
    # A name with a word more says by it when it is meant.
    is_within = set(_parts(one)[0]) <= set(_parts(other)[0]) and one.opening - _ANY_OF <= other.opening
    return is_within and not name_each_other(one.tool, other.tool) and overlap(one, other) is None


RULE = CatalogRule(
    id="FF103",
    symbol="description-without-use",
    severity="advice",
    question="wrong_tool",
    evidence="report",
    sources=("https://github.com/rohitg00/agentmemory/issues/884",),
    page=Page.read(__doc__),
    check=_check,
)
