"""Selection: how well tools were chosen, result after result, and which tool was taken for which."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from starlette.exceptions import HTTPException
from starlette.responses import Response

from fourfold.console.asked import Asked
from fourfold.console.heat import level
from fourfold.model.selected import KeptResult
from fourfold.ports.units import Unit
from fourfold.selection.history import Look, by_suite, history

__all__ = ["selection"]

_MOST_LOOKS = 60
_MOST_TOOLS = 20

Confusion = Mapping[tuple[str, str], int]


@dataclass(frozen=True, slots=True, kw_only=True)
class _Line:
    """The rates of one suite by one rule, with points of a drawing in a box of 100 by 100, 100 % at its top."""

    looks: Sequence[Look]
    rates: str
    band: str

    @property
    def newest(self) -> KeptResult:
        """The last result."""
        return self.looks[-1].result


@dataclass(frozen=True, slots=True, kw_only=True)
class _Map:
    """Wanted tools down, called ones across. Cells are `(count, level)`; `left_out` tools have no line of their own."""

    wanted: Sequence[str]
    called: Sequence[str]
    cells: Mapping[tuple[str, str], tuple[int, int]]
    left_out: int


async def selection(asked: Asked) -> Response:
    """Scores over time, and one result in detail: the newest, or `?result=`."""
    if not asked.viewer.sees_catalog:
        return asked.page("selection.html", lines=[], result=None)
    suite, wanted = asked.value("suite"), asked.value("result")
    kept, confusion = await asked.console.look(lambda unit: _kept(asked, unit, suite=suite, wanted=wanted))
    result = _chosen(kept, wanted)
    return asked.page(
        "selection.html",
        lines=[_line([*history(results)]) for results in reversed(by_suite(kept))],
        result=result,
        map=_map(confusion),
        mistakes=sum(count for (meant, got), count in confusion.items() if meant != got),
    )


def _kept(asked: Asked, unit: Unit, *, suite: str, wanted: str) -> tuple[Sequence[KeptResult], Confusion]:
    selections = asked.console.store.selections
    kept = selections.results(unit, suite=suite, limit=_MOST_LOOKS)
    result = _chosen(kept, wanted)
    return kept, selections.confusion(unit, result.result_id) if result else {}


def _chosen(kept: Sequence[KeptResult], wanted: str) -> KeptResult | None:
    """The result that is asked for; the newest if none is, and `None` without any.

    Raises:
        HTTPException: 404 for one that is not among them.
    """
    if not wanted:
        return kept[-1] if kept else None
    found = next((each for each in kept if each.result_id == wanted), None)
    if found is None:
        raise HTTPException(404)
    return found


def _line(looks: Sequence[Look]) -> _Line:
    step = 100 / max(1, len(looks) - 1)
    places = [index * step for index in range(len(looks))]
    rates = [_share(look.result) for look in looks]
    above = [f"{x:.1f},{100 - 100 * look.interval.high:.1f}" for x, look in zip(places, looks, strict=True)]
    below = [f"{x:.1f},{100 - 100 * look.interval.low:.1f}" for x, look in zip(places, looks, strict=True)]
    return _Line(
        looks=looks,
        rates=" ".join(f"{x:.1f},{100 - 100 * rate:.1f}" for x, rate in zip(places, rates, strict=True)),
        band=" ".join([*above, *reversed(below)]),
    )


def _share(result: KeptResult) -> float:
    return result.cases_right / result.cases if result.cases else 0.0


def _map(confusion: Confusion) -> _Map:
    """The map of the tools that were mixed up most, then of those that were wanted or called most."""
    mixed: Counter[str] = Counter()
    seen: Counter[str] = Counter()
    for pair, count in confusion.items():
        for name in {*pair}:
            seen[name] += count
            mixed[name] += count if pair[0] != pair[1] else 0
    kept = sorted(seen, key=lambda name: (-mixed[name], -seen[name], name))[:_MOST_TOOLS]
    shown = {pair: count for pair, count in confusion.items() if {*pair} <= {*kept}}
    rows = Counter[str]()
    for (wanted, _), count in shown.items():
        rows[wanted] += count
    return _Map(
        wanted=sorted(name for name in kept if name in rows),
        called=sorted({called for _, called in shown}),
        cells={pair: (count, level(count, rows[pair[0]])) for pair, count in shown.items()},
        left_out=len(seen) - len(kept),
    )
