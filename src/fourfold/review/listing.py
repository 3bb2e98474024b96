"""How a list goes on: the arguments that continue it, and the fields that say whether there is more."""

from __future__ import annotations

from collections.abc import Iterator

from fourfold.contracts.names import words
from fourfold.review.paging import is_limit
from fourfold.review.place import Place
from fourfold.review.view import ToolView

__all__ = ["MADE_UP_CURSOR", "continuations", "is_cursor", "limits", "lists", "marks_of_more", "says_cut"]

MADE_UP_CURSOR = "made-up-by-fourfold"
"""The cursor that a live review makes up; no server has issued it."""


def _phrases(text: str) -> frozenset[tuple[str, ...]]:
    return frozenset(tuple(phrase.split()) for phrase in text.split(","))


_CONTINUES = frozenset({"cursor", "page", "offset", "skip", "bookmark", "marker", "pagination"})
_CONTINUE_PHRASES = _phrases(
    "page token,next token,continuation token,pagination token,page number,page num,page index,start,start at,"
    "start index,start from,starting after,ending before,after,before,from,scroll id,pagetoken,nexttoken,"
    "starting token,exclusive start key,last evaluated key,after id,before id,since id,start key,pos,position,"
    "page idx,page no,"
    "start line,continue,since,until,start time,end time,start timestamp,end timestamp,start date,end date"
)
_SIZE = frozenset({"per", "size", "max", "limit"})
_MORE = frozenset({"more", "cursor", "truncated", "total", "remaining", "pagination", "paging", "complete", "partial",
                   "next", "incomplete", "capped", "clipped"})  # fmt: skip
_MORE_PHRASES = _phrases("is last,last page,page info,pages,page count,limit reached,pageinfo,nexttoken,nextcursor")
_CUT = _phrases("truncated,has more,more available,has next,has next page,next cursor,next page token,next token")
_SHALLOW = 2
_ASIDE = ("/$defs/", "/definitions/", "/anyOf/", "/oneOf/", "/additionalProperties")


def limits(tool: ToolView) -> Iterator[Place]:
    """The arguments at the top that say how many results there may be."""
    return (place for place in tool.arguments if len(place.parents) == 1 and is_limit(place.name))


def continuations(tool: ToolView) -> Iterator[Place]:
    """The arguments, at any depth, that say where a list goes on."""
    return (place for place in tool.arguments if _continues(words(place.name)))


def lists(tool: ToolView) -> Iterator[Place]:
    """The arrays that an output consists of: those at its root, in it, or in an object in it."""
    for place in tool.outputs:
        is_own = place.is_property or not place.parents
        is_aside = any(step in place.pointer for step in _ASIDE)
        if "array" in place.types and is_own and len(place.parents) <= _SHALLOW and not is_aside:
            yield place


def marks_of_more(tool: ToolView) -> Iterator[Place]:
    """The fields, at any depth, that say whether there is more, or how much there is."""
    return (place for place in tool.fields if _is_mark(words(place.name)))


def says_cut(place: Place) -> bool:
    """Whether a field says that something is left: `truncated`, `has_more`, `next_cursor`."""
    parts = words(place.name)
    return any(parts[-length:] in _CUT for length in (1, 2, 3))


def is_cursor(name: str) -> bool:
    """Whether a field or argument of that name holds an opaque place in a list."""
    parts = words(name)
    return parts[-1:] == ("cursor",) or parts[-2:] in (("page", "token"), ("next", "token"), ("continuation", "token"))


def _continues(parts: tuple[str, ...]) -> bool:
    # per_page and page_size end alike, and say how many.
    ends = parts[-1:] and parts[-1] in _CONTINUES and not _SIZE & set(parts)
    return bool(ends) or parts in _CONTINUE_PHRASES or parts[-2:] in _CONTINUE_PHRASES


def _is_mark(parts: tuple[str, ...]) -> bool:
    return bool(_MORE & set(parts)) or parts in _MORE_PHRASES
