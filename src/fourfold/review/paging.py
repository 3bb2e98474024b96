"""Arguments that bound or continue a result, by their names, and results that are bounded already."""

from __future__ import annotations

from fourfold.contracts.names import words
from fourfold.review.view import ToolView

__all__ = ["MEASURED", "bounds_result", "is_limit", "is_paging"]

_LIMITS = frozenset(
    {
        "limit",
        "page size",
        "per page",
        "max results",
        "max items",
        "max records",
        "num results",
        "number of results",
        "page limit",
        "top k",
        "topk",
        "count",
        "results per page",
        "max count",
        "max keys",
        "first",
        "rows",
    }
)
"""Names of how many results one call returns."""

_PLACES = frozenset(words("cursor offset page pagination skip after marker token"))
"""Words that end the name of a place in a list."""

MEASURED = frozenset(
    words(
        """
        rate time speed spend spending credit price cost cpu memory usage temperature weight amount score risk loss file
        """
    )
)
"""Words of limits that are measured, not counted."""

_BOUNDS = frozenset(words("limit limits top take size max maximum count number n k first last rows num results depth"))


def is_limit(name: str) -> bool:
    """Whether `name` says how many results to return."""
    joined = " ".join(words(name))
    return joined in _LIMITS or joined.endswith((" limit", " per page", " page size", "max results"))


def is_paging(name: str) -> bool:
    """Whether `name` bounds or continues a result, in whatever way."""
    parts = words(name)
    if is_limit(name) or parts[-1:] == ("id",):
        return is_limit(name)
    return bool(parts) and (parts[-1] in _PLACES or parts[0] in ("page", "max") or bool(_BOUNDS & set(parts)))


def bounds_result(tool: ToolView) -> bool:
    """Whether the output schema bounds every list at its top."""
    lists = [place for place in tool.fields if len(place.parents) == 1 and "array" in place.types]
    return bool(lists) and all("maxItems" in place.schema for place in lists)
