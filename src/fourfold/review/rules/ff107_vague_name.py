"""A name that says nothing, or a verb that may mean anything.

## What it does

Finds names made of general words only (`get_data`, `execute_action`, `http_request`, `query`), and names whose verb
covers everything that can be done to a thing (`manage_order`, `process_invoice`). A prefix that all tools of the server
share is set aside first.

## Why it hurts

A general name claims every task. Models confuse it with the general names of other servers in the same session, and
clients that keep tools by name let one hide the other. A verb such as `manage` also hides whether the tool reads,
changes or deletes, so nobody can let a part of it run unattended.

## Example

```json
{"name": "manage_order", "description": "Manages an order.", "inputSchema": {"type": "object", "properties": {}}}
```

## Use instead

```json
{
  "name": "order_preview_refund",
  "description": "Preview what a refund of an order would pay back.",
  "inputSchema": {"type": "object", "properties": {}}
}
```

## When to ignore

A client prescribes the name, such as the pair `search` and `fetch` (which is not reported where both are there).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from fourfold.review.rule import CatalogRule, Hit, Page
from fourfold.review.view import CatalogView, ToolView

__all__ = ["RULE"]

_VERB_TEXT = """
    call create delete do execute fetch find get handle invoke list lookup make manage modify operate perform process
    query read remove rename request run search send set submit update use write
"""
_VERBS = frozenset(_VERB_TEXT.split())
_NOUN_TEXT = """
    action all any api command data everything function generic http info information input main method operation
    output payload query request response result results stuff thing things tool
"""
_NOUNS = frozenset(_NOUN_TEXT.split())
_OVERALL = frozenset({"manage", "process", "operate", "perform", "administer"})
_CONNECTOR = frozenset({"search", "fetch"})


def _check(catalog: CatalogView) -> Iterator[Hit]:
    shared = _prefix(catalog)
    names = {tool.name for tool in catalog.tools}
    for tool in catalog.tools:
        # One client asks for both by exactly these names.
        if tool.name in _CONNECTOR and names >= _CONNECTOR:
            continue
        reason = _reason(tool.words, without_prefix=[word for word in tool.words if word != shared])
        if reason:
            yield Hit(
                tool=tool.name,
                pointer="/name",
                message=f"{tool.name} {reason}",
                fix="name the thing and the one action, such as order_preview_refund",
            )


def _reason(parts: Sequence[str], *, without_prefix: Sequence[str]) -> str:
    is_general = bool(parts) and all(word in _VERBS | _NOUNS for word in parts)
    if is_general and (len(parts) == 1 or _NOUNS & set(parts)):
        return "is made of general words only, and does not say what it acts on"
    if len(without_prefix) > 1 and without_prefix[0] in _OVERALL:
        return f"leaves open what it does: to {without_prefix[0]} may be to read, to change or to delete"
    return ""


def _prefix(catalog: CatalogView) -> str | None:
    """The first word of all names, if they share it and have more words than that."""
    firsts = Counter(tool.words[0] for tool in catalog.tools if _is_longer(tool))
    word, count = firsts.most_common(1)[0] if firsts else ("", 0)
    return word if count > 1 and count == len(catalog.tools) else None


def _is_longer(tool: ToolView) -> bool:
    return len(tool.words) > 1


RULE = CatalogRule(
    id="FF107",
    symbol="vague-name",
    severity="warning",
    question="wrong_tool",
    evidence="report",
    sources=(
        "https://github.com/cajasmota/grafel/issues/62",
        "https://github.com/Minima-AI-Inc/minima/pull/43",
        "https://github.com/basicmachines-co/basic-memory/issues/63",
    ),
    page=Page.read(__doc__),
    check=_check,
)
