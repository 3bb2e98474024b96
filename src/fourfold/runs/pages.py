"""Pages of runs, both ways, and how many there are; each costs the same however many runs are stored."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from fourfold.model.run import RunFilter
from fourfold.ports.runs import RunCount, RunPlace, RunRecord
from fourfold.runs.asking import AskedStore

__all__ = ["MOST_COUNTED", "REACH", "RunPage", "count_runs", "place_text", "read_place", "run_page"]

REACH = 20_000
"""Runs that are looked at for one page, however few of them fit its filter."""

MOST_COUNTED = 1_000

_MARK = "."


@dataclass(frozen=True, slots=True, kw_only=True)
class RunPage:
    """Some runs, newest first, and the places that the pages on both sides begin at; `None` where nothing is.

    `searched_to_ms` is set where fewer runs were found than fit the page because it would have meant to look at too
    many: the time up to which everything was looked at. The page beside it goes on from there.
    """

    records: Sequence[RunRecord]
    newer: RunPlace | None
    older: RunPlace | None
    searched_to_ms: int | None = None


async def run_page(
    store: AskedStore,
    where: RunFilter,
    *,
    place: RunPlace | None = None,
    direction: Literal["older", "newer"] = "older",
    limit: int = 50,
) -> RunPage:
    """The runs next to `place` that `where` lets through; without a place, the newest.

    Raises:
        StoreError: the database refused or failed.
    """
    older = direction == "older" or place is None
    found = await store.runs.beside(where, place=place, older=older, limit=limit + 1, reach=REACH)
    records = found.records[:limit]
    beyond = _place_of(records[-1]) if len(found.records) > limit else found.reached
    searched_to_ms = None if found.reached is None else found.reached.at_ms
    if older:
        newer = None if place is None else _place_of(records[0]) if records else _before(place)
        return RunPage(records=records, newer=newer, older=beyond, searched_to_ms=searched_to_ms)
    back = _place_of(records[0]) if records else place
    return RunPage(records=records[::-1], newer=beyond, older=back, searched_to_ms=searched_to_ms)


async def count_runs(store: AskedStore, where: RunFilter, *, limit: int = MOST_COUNTED) -> RunCount:
    """How many runs `where` lets through; "at least" once there are more than `limit`, or too many to look at.

    Raises:
        StoreError: the database refused or failed.
    """
    return await store.runs.count(where, limit=limit, reach=REACH)


def place_text(place: RunPlace) -> str:
    """A place as a token for an address."""
    return f"{place.at_ms}{_MARK}{place.run_id}"


def read_place(text: str) -> RunPlace:
    """The place of a token.

    Raises:
        ValueError: it is none.
    """
    at_ms, mark, run_id = text.partition(_MARK)
    if not mark or not at_ms.removeprefix("-").isdecimal() or len(at_ms) > 18:
        raise ValueError("this is no place among the runs; begin at the newest")
    return RunPlace(int(at_ms), run_id)


def _place_of(record: RunRecord) -> RunPlace:
    return RunPlace(record.run.at_ms, record.run.run_id)


def _before(place: RunPlace) -> RunPlace:
    """The place from which `place` itself is among the newer ones."""
    return RunPlace(place.at_ms, "")
