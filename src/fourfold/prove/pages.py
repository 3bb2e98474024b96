"""Lists that come in pages: what continues them, what is on a page, and a walk from the first page to the last."""

from __future__ import annotations

import json
from collections.abc import Awaitable, Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import cast

from fourfold.contracts.conform import misfits
from fourfold.contracts.names import words
from fourfold.model.contract import JsonObject
from fourfold.model.listed import ToolAnswer
from fourfold.model.proof import SentCall
from fourfold.prove.answered import in_short, succeeded
from fourfold.prove.check import Broken
from fourfold.prove.desk import FIRST, Desk
from fourfold.review.answers import as_json, leaves, said, structured
from fourfold.review.listing import is_cursor, limits
from fourfold.review.place import Place
from fourfold.review.view import ToolView

__all__ = [
    "Pager",
    "Walk",
    "as_record",
    "entries",
    "is_paged",
    "issued_cursor",
    "pager_of",
    "says_more",
    "unlimited",
    "walk",
]

_OFFSETS = frozenset({"offset", "skip"})
_LISTS = (("items",), ("results",), ("entries",), ("rows",), ("records",))
_DEPTH = 3
_COMMON_LIMIT = 10


@dataclass(frozen=True, slots=True, kw_only=True)
class Pager:
    """How a tool's list goes on.

    Attributes:
        place: the argument that says where: a cursor, an offset, or the number of a page.
        kind: which of them it is.
        limit: the argument that says how many entries a page may have, if there is one.
    """

    place: str
    kind: str
    limit: Place | None


@dataclass(slots=True, kw_only=True)
class Walk:
    """The pages of one walk, in order, with the calls that gave them. `ended`: there were no more."""

    pages: list[list[object]] = field(default_factory=list[list[object]])
    calls: list[SentCall] = field(default_factory=list[SentCall])
    ended: bool = False

    @property
    def entries(self) -> list[str]:
        """Every entry, as text that is the same for the same entry."""
        return [json.dumps(entry, sort_keys=True, default=str) for page in self.pages for entry in page]


def pager_of(tool: ToolView) -> Pager | None:
    """How the tool's list goes on; `None` if no argument continues it."""
    limit = next((place for place in limits(tool) if "integer" in place.types), None)
    for place in (place for place in tool.arguments if len(place.parents) == 1):
        kind = _kind(place)
        if kind is not None:
            return Pager(place=place.name, kind=kind, limit=limit)
    return None


def is_paged(tool: ToolView) -> bool:
    """Whether an argument continues its list."""
    return pager_of(tool) is not None


def entries(answer: ToolAnswer) -> list[object] | None:
    """The list that an answer consists of: the one that is named so, else the longest near its top; `None` if none is.

    Servers without an output schema send it as JSON in a text block.
    """
    found = [*_lists("", _value(answer), _DEPTH)]
    named = next((each for name, each in found if words(name)[-1:] in _LISTS), None)
    if named is not None or not found:
        return named
    return max((each for _, each in found), key=len)


def as_record(answer: ToolAnswer) -> JsonObject:
    """The object that an answer consists of; empty if it is none."""
    value = _value(answer)
    return cast("JsonObject", value) if isinstance(value, Mapping) else {}


def unlimited(tool: ToolView, arguments: JsonObject, *, limit: str) -> JsonObject:
    """The arguments without their limit; with one that most servers take, where the schema wants one."""
    free = {name: value for name, value in arguments.items() if name != limit}
    return free if not misfits(free, tool.tool.input_schema) else {**free, limit: _COMMON_LIMIT}


def issued_cursor(answer: ToolAnswer) -> object:
    """The cursor of the next page; `None` if there is none."""
    for place, leaf in leaves(_value(answer)):
        if leaf and place.count("/") <= _DEPTH and is_cursor(place.rsplit("/", 1)[-1]):
            return leaf
    return None


def says_more(answer: ToolAnswer) -> bool:
    """Whether an answer says that there is more."""
    marks = (("has", "more"), ("more",), ("has", "next"), ("has", "next", "page"), ("truncated",))
    return any(leaf is True and words(place.rsplit("/", 1)[-1]) in marks for place, leaf in leaves(_value(answer)))


def _says_whole(answer: ToolAnswer) -> bool:
    """Whether an answer says that it holds the whole list, or its end."""
    record = as_record(answer)
    return record.get("complete") is True or record.get("has_more") is False


async def _nothing() -> None:
    """What happens between two pages, unless something is asked for."""


async def walk(
    desk: Desk,
    tool: ToolView,
    *,
    arguments: JsonObject,
    pager: Pager,
    most: int,
    between: Callable[[], Awaitable[None]] = _nothing,
    by: str = FIRST,
) -> Walk:
    """Read page after page as a caller, `most` of them at most, and do something between two of them.

    Raises:
        Broken: a page could not be read, leads back to one before, says that there is more and not where, or that there
            is no more where there is.
    """
    walked, seen, says_whole = Walk(), set[str](), False
    following: JsonObject | None = {**arguments, **_first(pager)}
    while following is not None and len(walked.pages) < most:
        answer = await desk.call(tool.name, following, by=by)
        walked.calls.append(desk.sent_as(tool.name, following, by=by))
        page = entries(answer)
        if not succeeded(answer) or page is None:
            detail = f"page {len(walked.calls)} could not be read: {in_short(answer) or 'it holds no list'}"
            raise Broken(detail, *walked.calls[-2:])
        if page and says_whole:
            raise Broken("a page says that the list is complete, and another page follows it", *walked.calls[-2:])
        says_whole = _says_whole(answer)
        walked.pages.append(page)
        following = _next(pager, following, answer, walked=walked)
        mark = json.dumps(following, sort_keys=True, default=str)
        if following is not None and mark in seen:
            raise Broken("the pages lead back to one that was read before", *walked.calls[-2:])
        seen.add(mark)
        await between()
    walked.ended = following is None
    return walked


def _kind(place: Place) -> str | None:
    parts = words(place.name)
    if is_cursor(place.name):
        return "cursor"
    if "integer" not in place.types:
        return None
    if parts[-1:] and parts[-1] in _OFFSETS:
        return "offset"
    return "page" if parts in (("page",), ("page", "number")) else None


def _first(pager: Pager) -> JsonObject:
    return {pager.place: 1} if pager.kind == "page" else {}


def _next(pager: Pager, sent: JsonObject, answer: ToolAnswer, *, walked: Walk) -> JsonObject | None:
    page = walked.pages[-1]
    if pager.kind == "cursor":
        cursor = issued_cursor(answer)
        if cursor is None and says_more(answer):
            raise Broken("the page says that there is more, and gives no cursor", walked.calls[-1])
        return None if cursor is None else {**sent, pager.place: cursor}
    if not page:
        return None
    if len(walked.pages) > 1 and page == walked.pages[-2]:
        raise Broken("the page that was asked for next is the page before once more", *walked.calls[-2:])
    place = sum(map(len, walked.pages)) if pager.kind == "offset" else len(walked.pages) + 1
    return {**sent, pager.place: place}


def _value(answer: ToolAnswer) -> object:
    value = structured(answer)
    return value if value is not None else as_json(said(answer))


def _lists(name: str, value: object, depth: int) -> Iterator[tuple[str, list[object]]]:
    if isinstance(value, list):
        yield name, cast("list[object]", value)
    if isinstance(value, Mapping) and depth > 0:
        for key, inner in cast("JsonObject", value).items():
            yield from _lists(key, inner, depth - 1)
