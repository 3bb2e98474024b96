"""The totals of a list are the sums of its entries, on whatever page they stand."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from typing import cast

from fourfold.contracts.names import words
from fourfold.model.contract import JsonObject
from fourfold.model.proof import SentCall
from fourfold.prove.check import Broken, Check, NotTested
from fourfold.prove.desk import Desk
from fourfold.prove.pages import as_record
from fourfold.prove.parts import divisions, listed_by, records
from fourfold.prove.working import working
from fourfold.review.view import ToolView

__all__ = ["CHECK"]

_STEP = "give arguments whose list has entries and totals in [prove]"

Sums = Counter[tuple[str, ...]]
"""Numbers by their field, with what else stands beside it."""


async def _run(desk: Desk, tool: ToolView) -> None:
    found, _ = await working(desk, tool, check=CHECK.name)
    compared = 0
    for arguments in divisions(tool, found):
        walked = await listed_by(desk, tool, arguments=arguments)
        for call in {str(each.arguments): each for each in (walked.calls[0], walked.calls[-1])}.values():
            compared += await _judge(desk, tool, call, entries=records(walked)) if walked.ended else 0
    if not compared:
        raise NotTested("no list had totals of what its entries hold", next_step=_STEP)


async def _judge(desk: Desk, tool: ToolView, call: SentCall, *, entries: list[JsonObject]) -> bool:
    """Whether there was anything to compare.

    Raises:
        Broken: a total is not the sum.
    """
    totals = as_record(await desk.call(tool.name, call.arguments)).get(_totals(tool))
    rows = _objects(totals)
    parts = [row for entry in entries for row in _alike(entry, {*rows[0]} if rows else set())]
    if not parts:
        return False
    total, sums = _sums(rows), _sums(parts)
    for key in total | sums:
        if total[key] != sums[key]:
            detail = f"the total of {' '.join(key)} is {total[key]}, and the entries of all pages add up to {sums[key]}"
            raise Broken(detail, call)
    return True


def _sums(rows: list[JsonObject]) -> Sums:
    sums = Sums()
    for row in rows:
        beside = tuple(str(value) for value in row.values() if not _is_number(value))
        for name, value in row.items():
            if _is_number(value):
                sums[(name, *beside)] += cast("int", value)
    return sums


def _is_number(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


def _objects(value: object) -> list[JsonObject]:
    listed = cast("list[object]", value) if isinstance(value, list) else []
    return [cast("JsonObject", each) for each in listed if isinstance(each, Mapping)]


def _alike(entry: JsonObject, names: set[str]) -> Iterator[JsonObject]:
    """The objects in lists of an entry that have the same fields as a total."""
    for value in entry.values():
        yield from (each for each in _objects(value) if names and {*each} == names)


def _totals(tool: ToolView) -> str:
    return next((p.name for p in tool.fields if words(p.name)[-1:] == ("totals",) and "array" in p.types), "")


CHECK = Check(
    name="totals-add-up",
    family="contract",
    proves="the totals of a list are the sums of its entries, and the same on every page",
    requires=("B3", "B12"),
    run=_run,
    applies=lambda tool: tool.action == "read" and bool(_totals(tool)),
)
