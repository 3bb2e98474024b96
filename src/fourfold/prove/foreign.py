"""What is one caller's and is tried by the other: its ids, wherever they stand in a call that went well."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from time import perf_counter
from typing import cast

from fourfold.model.contract import JsonObject
from fourfold.model.listed import ToolAnswer
from fourfold.prove.answered import succeeded
from fourfold.prove.desk import FIRST, SECOND, Desk
from fourfold.prove.ids import id_arguments, is_id
from fourfold.prove.masked import masked
from fourfold.review.answers import structured
from fourfold.review.view import ToolView

__all__ = ["IdPlace", "Tried", "has_read", "id_places", "is_seconds_own", "seconds_ids", "tried", "with_at"]


@dataclass(frozen=True, slots=True, kw_only=True)
class IdPlace:
    """Where an id stands in arguments: the steps to it, the name it goes by, and the id."""

    steps: tuple[str | int, ...]
    name: str
    value: str | int


@dataclass(frozen=True, slots=True, kw_only=True)
class Tried:
    """A call with one id, and how long its answer took, in seconds."""

    arguments: JsonObject
    answer: ToolAnswer
    seconds: float
    asked: object

    @property
    def told(self) -> str:
        """All that the answer says, without the id that was asked with and without the ids of what the call made."""
        made = [*_ids(structured(self.answer))] if succeeded(self.answer) else []
        return masked(self.answer, self.asked, *made)


async def seconds_ids(desk: Desk) -> frozenset[object]:
    """The ids in the second caller's own lists: those of reads that are asked for nothing of the first caller's.

    What it gets for an id of the first caller's is not counted: that may be the very leak.
    """
    found: set[object] = set()
    for name, arguments in desk.learned.items():
        if not any(id_places(arguments)):
            found.update(_ids(structured(await desk.call(name, arguments, by=SECOND))))
    return frozenset(found)


async def tried(desk: Desk, tool: str, *, arguments: JsonObject, asked: object, by: str) -> Tried:
    """Make a call, and take its time."""
    began = perf_counter()
    answer = await desk.call(tool, arguments, by=by)
    return Tried(arguments=arguments, answer=answer, seconds=perf_counter() - began, asked=asked)


async def is_seconds_own(desk: Desk, place: IdPlace) -> bool:
    """Whether the second caller has something of its own under that id: tenants may number alike."""
    for read in _reads(desk, place.name):
        arguments = {**desk.learned.get(read.name, {}), place.name: place.value}
        theirs = await desk.call(read.name, arguments, by=SECOND)
        if succeeded(theirs) and masked(theirs) != masked(await desk.call(read.name, arguments, by=FIRST)):
            return True
    return False


def has_read(desk: Desk, name: str) -> bool:
    """Whether a read takes an id of that name, so that it can be asked whose it is."""
    return bool(_reads(desk, name))


def id_places(value: object, name: str = "", *, steps: tuple[str | int, ...] = ()) -> Iterator[IdPlace]:
    """Every id in a value, such as arguments or a result."""
    if isinstance(value, Mapping):
        for inner, each in cast("JsonObject", value).items():
            yield from id_places(each, inner, steps=(*steps, inner))
    elif isinstance(value, list):
        for index, each in enumerate(cast("list[object]", value)):
            yield from id_places(each, name, steps=(*steps, index))
    elif is_id(name) and isinstance(value, str | int) and not isinstance(value, bool):
        yield IdPlace(steps=steps, name=name, value=value)


def with_at(value: object, steps: tuple[str | int, ...], *, put: object) -> object:
    """`value` with something else at that place."""
    if not steps:
        return put
    first, *rest = steps
    if isinstance(value, Mapping):
        members = cast("JsonObject", value)
        return {**members, str(first): with_at(members.get(str(first)), tuple(rest), put=put)}
    items = enumerate(cast("list[object]", value))
    return [with_at(each, tuple(rest), put=put) if index == first else each for index, each in items]


def _reads(desk: Desk, name: str) -> list[ToolView]:
    return [
        tool
        for tool in desk.view.tools
        if tool.name in desk.learned and any(place.name == name for place in id_arguments(tool))
    ]


def _ids(value: object) -> Iterator[object]:
    return (place.value for place in id_places(value))
