"""An id of another caller's is answered like an id that nobody has."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from statistics import median
from typing import cast

from fourfold.contracts.conform import misfits
from fourfold.model.contract import JsonObject
from fourfold.prove.answered import in_short
from fourfold.prove.check import Broken, Check, NotTested
from fourfold.prove.desk import FIRST, SECOND, Desk
from fourfold.prove.foreign import (
    IdPlace,
    Tried,
    has_read,
    id_places,
    is_one_of_a_kind,
    is_seconds_own,
    seconds_ids,
    tried,
    with_at,
)
from fourfold.prove.ids import made_up, neighbours, takes_id
from fourfold.prove.keys import executes, with_new_key
from fourfold.prove.writing import Written, written
from fourfold.review.view import ToolView

__all__ = ["CHECK"]

_EACH = 8
"""Ids that are tried at one place, until one shows whether it tells anything."""


async def _run(desk: Desk, tool: ToolView) -> str:
    theirs = await seconds_ids(desk)
    owners = await written(desk, tool, check=CHECK.name)
    trial = _Trial(desk=desk, owners=owners, askers=await _askers(desk, owners))
    for place in id_places(owners.arguments):
        for each in _values(desk, place, theirs=theirs):
            if await trial.matters(each) and await trial.is_clean(each):
                break
    if not trial.times:
        both = ", ".join(dict.fromkeys(trial.unsure))
        reason = f"{both} may be of both callers" if both else "no call of it names what only one caller has"
        raise NotTested(reason, next_step="give the callers things whose ids differ, and calls of them in [prove]")
    foreign_ms, absent_ms = (1000 * median(each) for each in zip(*trial.times, strict=True))
    return f"a foreign id took {foreign_ms:.1f} ms, one that nobody has {absent_ms:.1f} ms; that is not judged"


async def _askers(desk: Desk, owners: Written) -> JsonObject | None:
    """A call of the second caller's own, for an id to be put into; not needed where nothing is around the id."""
    if len([*id_places(owners.arguments)]) < 2:
        return None
    try:
        own = await written(desk, owners.tool, check=f"{CHECK.name} own", by=SECOND)
    except NotTested:
        return None
    return own.arguments


def _values(desk: Desk, place: IdPlace, *, theirs: frozenset[object]) -> Iterator[IdPlace]:
    """The id of a place, and others that its owner may have; none that is in the second caller's lists."""
    others = [*reversed(desk.known(place.name)), *neighbours(place.value)]
    values = [value for value in dict.fromkeys([place.value, *others]) if value not in theirs]
    yield from (replace(place, value=cast("str | int", value)) for value in values[:_EACH])


@dataclass(kw_only=True)
class _Trial:
    """Ids of the first caller's, tried by the second one in the owner's call and in one of its own."""

    desk: Desk
    owners: Written
    askers: JsonObject | None
    times: list[tuple[float, float]] = field(default_factory=list[tuple[float, float]])
    unsure: list[str] = field(default_factory=list[str])

    async def matters(self, place: IdPlace) -> bool:
        """Whether the id makes a difference to the first caller: else there is nothing to compare."""
        nobodys = self._nobodys(place)
        if nobodys is None:
            return False
        absent = await self._call(self.owners.arguments, place, nobodys, by=FIRST)
        return absent.told != (await self._owners(place)).told

    async def is_clean(self, place: IdPlace) -> bool:
        """Whether the second caller is told the same of the id as of one that nobody has, wherever it stands.

        Raises:
            Broken: it is told something about what is the first one's.
        """
        clean = True
        for around in [self.owners.arguments, *self._around(place)]:
            foreign = await self._call(around, place, place.value)
            # A second one, because the first one may be somebody's after all.
            absent = [await self._call(around, place, self._nobodys(place, again)) for again in ("", "again")]
            same = next((each for each in absent if each.told == foreign.told), None)
            if same is not None:
                self.times.append((foreign.seconds, same.seconds))
                continue
            clean = False
            if await self._is_leak(place, foreign):
                self._report(place, foreign, absent[0])
            self.unsure.append(place.name)
        return clean

    def _around(self, place: IdPlace) -> list[JsonObject]:
        """The second caller's own call, if there is such a place in it."""
        own = self.askers
        return [own] if own is not None and any(each.steps == place.steps for each in id_places(own)) else []

    def _nobodys(self, place: IdPlace, again: str = "") -> object:
        desk, owners = self.desk, self.owners
        taken = {*desk.known(place.name), *desk.known(place.name, by=SECOND)}

        def fits(value: object) -> bool:
            return not misfits(with_at(owners.arguments, place.steps, put=value), owners.tool.tool.input_schema)

        return made_up(place.value, dice=desk.dice(CHECK.name, f"{place.name}{again}"), taken=taken, fits=fits)

    async def _owners(self, place: IdPlace) -> Tried:
        """What the owner is told of the id; its first call stands for the id that it was made with."""
        if place in id_places(self.owners.arguments):
            sent = self.owners
            return Tried(arguments=sent.arguments, answer=sent.answer, seconds=0, asked=place.value)
        return await self._call(self.owners.arguments, place, place.value, by=FIRST)

    async def _call(self, around: JsonObject, place: IdPlace, value: object, *, by: str = SECOND) -> Tried:
        tool = self.owners.tool
        dice = self.desk.dice(CHECK.name, f"{tool.name} {value} {by}")
        changed = with_new_key(
            tool, cast("JsonObject", with_at(around, place.steps, put=value)), desk=self.desk, dice=dice
        )
        return await tried(self.desk, tool.name, arguments=changed, asked=value, by=by)

    async def _is_leak(self, place: IdPlace, foreign: Tried) -> bool:
        """Whether the second caller was told about what is the first one's, and not about something of its own."""
        if is_one_of_a_kind(place.value):
            return True
        if has_read(self.desk, place.name):
            return not await is_seconds_own(self.desk, place)
        again = await self._call(self.owners.arguments, place, place.value, by=FIRST)
        return foreign.told in (again.told, (await self._owners(place)).told)

    def _report(self, place: IdPlace, foreign: Tried, absent: Tried) -> None:
        said = [in_short(each.answer) or "a success" for each in (foreign, absent)]
        tool = self.owners.tool.name
        calls = [self.desk.sent_as(tool, each.arguments, by=SECOND) for each in (foreign, absent)]
        detail = f"{place.name} of another caller is answered with {said[0]}, one that nobody has with {said[1]}"
        raise Broken(detail, self.desk.sent_as(tool, self.owners.arguments), *calls)


CHECK = Check(
    name="foreign-id-is-absent",
    family="tenant",
    proves="an id of another caller's is answered, to the byte, like an id that nobody has",
    requires=("B18", "C9"),
    run=_run,
    applies=lambda tool: takes_id(tool) and not executes(tool),
    callers=2,
)
