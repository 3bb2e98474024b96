"""`compare_listings`: what two users were shown of one server, and where that is not the same."""

from __future__ import annotations

from collections.abc import Iterator

from fourfold.model.finding import Finding
from fourfold.model.listed import ListedCatalog, ListedTool
from fourfold.review.rules.ff117_per_user_text import RULE
from fourfold.review.texts import texts

__all__ = ["compare_listings"]


def compare_listings(one: ListedCatalog, other: ListedCatalog) -> tuple[Finding, ...]:
    """The texts of definitions that differ between the lists of two users of the same server at the same time.

    A tool that only one of them may call is no finding. Findings are those of `per-user-text-in-catalog`, in the order
    of the first list.
    """
    others = {tool.name: tool for tool in other.tools}
    return tuple(
        finding for tool in one.tools if tool.name in others for finding in _differences(tool, others[tool.name])
    )


def _differences(one: ListedTool, other: ListedTool) -> Iterator[Finding]:
    mine, theirs = (
        {text.pointer: text.text for text in texts(tool.definition) if not text.is_key} for tool in (one, other)
    )
    # Places that only one of them has are differences too.
    for pointer in dict.fromkeys((*mine, *theirs)):
        if mine.get(pointer) != theirs.get(pointer):
            yield Finding(
                id=RULE.id,
                symbol=RULE.symbol,
                severity=RULE.severity,
                tool=one.name,
                pointer=pointer,
                message=f"two users are shown different texts of {one.name} at this place",
                fix="keep definitions the same for everybody, and return such values from a read",
                evidence="compared the lists of two users",
            )
