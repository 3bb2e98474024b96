"""What is one caller's and is tried by the other: its ids, wherever they stand in a call that went well."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from time import perf_counter
from typing import cast

from fourfold.model.contract import JsonObject
from fourfold.model.effect import Preview
from fourfold.model.listed import ToolAnswer
from fourfold.model.proof import SentCall
from fourfold.prove.answered import succeeded
from fourfold.prove.arguments import valid_arguments
from fourfold.prove.desk import FIRST, SECOND, Desk
from fourfold.prove.ids import id_arguments, is_id, made_up
from fourfold.prove.masked import masked
from fourfold.review.answers import structured
from fourfold.review.view import ToolView

__all__ = [
    "IdPlace",
    "Tried",
    "has_read",
    "id_places",
    "is_seconds_own",
    "only_firsts",
    "seconds_ids",
    "tried",
    "with_at",
]


_LONG = 20
"""Letters and digits of an id that is made by chance, such as a UUID."""


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


async def only_firsts(desk: Desk, asking: ToolView, *, place: IdPlace) -> SentCall | None:
    """The call with which the second caller is told of an id what it is told of one that is nobody's.

    `None` if the first one is told the same of both, so that the id makes no difference, or the second one is not.
    """
    known = desk.worked.get(asking.name) or desk.learned.get(asking.name)
    around = known or next(valid_arguments(desk, asking, check="only the first one's", most=1)).value
    made = made_up(place.value, dice=desk.dice("only the first one's", asking.name), taken=desk.known(place.name))
    if made is None:
        return None

    async def told(value: object, by: str) -> str:
        arguments = {**around, place.name: value}
        return (await tried(desk, asking.name, arguments=arguments, asked=value, by=by)).told

    differs = await told(place.value, FIRST) != await told(made, FIRST)
    is_absent = differs and await told(place.value, SECOND) == await told(made, SECOND)
    return desk.sent_as(asking.name, {**around, place.name: place.value}, by=SECOND) if is_absent else None


def has_read(desk: Desk, name: str) -> bool:
    """Whether a read takes an id of that name, so that it can be asked whose it is."""
    return bool(_reads(desk, name))


def is_one_of_a_kind(value: str | int) -> bool:
    """Whether an id is so long that no two callers have the same one by chance."""
    return isinstance(value, str) and sum(mark.isalnum() for mark in value) >= _LONG


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
    """Reads that show what is there. A preview does not: what it answers about somebody's id is the very leak."""
    known = [tool for tool in desk.view.tools if tool.name in desk.learned and not _previews(tool)]
    return [tool for tool in known if any(place.name == name for place in id_arguments(tool))]


def _previews(tool: ToolView) -> bool:
    contract = tool.tool.contract
    return contract is not None and isinstance(contract.effect, Preview)


def _ids(value: object) -> Iterator[object]:
    return (place.value for place in id_places(value))
