"""Which account saw which failure: a table of the most frequent ones, and what all others come to."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from fourfold.ports.tallies import FailureBy, FailureSum, SumFilter
from fourfold.ports.units import Unit
from fourfold.runs.asking import AskedStore, ask

__all__ = ["MOST_CODES", "MOST_SUBJECTS", "Failures", "HeatMap", "heat_map"]

MOST_SUBJECTS, MOST_CODES = 20, 12
"""How many accounts and codes have a line of their own."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Failures:
    """Failures that share something, when the first and the last came, and the id of the last run as an example."""

    runs: int
    first_ms: int
    last_ms: int
    example: str


@dataclass(frozen=True, slots=True, kw_only=True)
class HeatMap:
    """Failures by account and code. `None` stands for all that have no line of their own, where there are any.

    Attributes:
        subjects, codes: each line with its failures, most first, then `None`.
        cells: of those pairs that had failures.
        total: all of them; `None` without any.
    """

    subjects: Mapping[str | None, Failures]
    codes: Mapping[str | None, Failures]
    cells: Mapping[tuple[str | None, str | None], Failures]
    total: Failures | None


async def heat_map(
    store: AskedStore, where: SumFilter, *, subjects: int = MOST_SUBJECTS, codes: int = MOST_CODES
) -> HeatMap:
    """The failures that `where` lets through, with that many accounts and codes of their own.

    A time inside an hour means all of it.

    Raises:
        StoreError: the database refused or failed.
    """

    def question(unit: Unit) -> HeatMap:
        tallies = store.tallies
        named: dict[FailureBy, Sequence[str]] = {
            "subject": _names(tallies.failures(unit, where, by=("subject",), limit=subjects)),
            "code": _names(tallies.failures(unit, where, by=("code",), limit=codes)),
        }

        most = (subjects + 1) * (codes + 1)
        found = tallies.failures(unit, where, by=("subject", "code"), named=named, limit=most)
        return _map_of({(_text(each.key[0]), _text(each.key[1])): _failures(each) for each in found})

    return await ask(store, question, tenant=where.tenant)


def _names(found: Sequence[FailureSum]) -> Sequence[str]:
    return [str(each.key[0]) for each in found]


def _map_of(cells: Mapping[tuple[str | None, str | None], Failures]) -> HeatMap:
    return HeatMap(
        subjects=_lines((subject, found) for (subject, _), found in cells.items()),
        codes=_lines((code, found) for (_, code), found in cells.items()),
        cells=cells,
        total=_together([*cells.values()]) if cells else None,
    )


def _lines(cells: Iterable[tuple[str | None, Failures]]) -> Mapping[str | None, Failures]:
    """Cells of one name together: the most frequent name first, all others last, however many they are."""
    by_name: dict[str | None, list[Failures]] = {}
    for name, found in cells:
        by_name.setdefault(name, []).append(found)
    lines = {name: _together(found) for name, found in by_name.items()}
    return dict(sorted(lines.items(), key=lambda line: (line[0] is None, -line[1].runs, line[0] or "")))


def _together(found: Sequence[Failures]) -> Failures:
    last = max(found, key=lambda each: (each.last_ms, each.example))
    return Failures(
        runs=sum(each.runs for each in found),
        first_ms=min(each.first_ms for each in found),
        last_ms=last.last_ms,
        example=last.example,
    )


def _text(value: str | int | None) -> str | None:
    return None if value is None else str(value)


def _failures(found: FailureSum) -> Failures:
    return Failures(runs=found.runs, first_ms=found.first_ms, last_ms=found.last_ms, example=found.last_run)
