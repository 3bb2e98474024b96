"""A run of a suite as one HTML page that needs nothing else: no script, no font, no other file."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from fourfold.budget.cost import amount
from fourfold.model.scored import REASONS, Reason
from fourfold.report.page import page
from fourfold.selection.measured import Measured
from fourfold.selection.reports.figures import (
    behaved,
    can_see,
    compared,
    missed,
    offered,
    percent,
    seconds,
    span,
    task_notes,
)
from fourfold.selection.reports.run_text import conclusion
from fourfold.selection.tally import NO_TOOL, Rate

__all__ = ["run_html"]

_MOST_TOOLS = 40
"""Rows of the map; tools that nothing was mixed up with are left out first."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Cell:
    """A cell of the map: how often, and how dark it is drawn, from 0 to 1 of its row."""

    count: int
    share: float
    right: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class _Map:
    """The confusion map: the wanted tools down, the called ones across."""

    wanted: Sequence[str]
    called: Sequence[str]
    cells: Mapping[tuple[str, str], _Cell]
    left_out: int


def run_html(measured: Measured) -> str:
    """The page. Everything foreign is escaped."""
    tally = measured.tally
    return page(
        "selection.html",
        measured=measured,
        conclusion=conclusion(measured),
        tables=_tables(measured),
        reasons=sorted(tally.reasons.items(), key=lambda each: (-each[1], each[0])),
        sentences={said: means for said in tally.reasons for reason, means in REASONS.items() if _is(said, reason)},
        map=_map(tally.confusion),
        failed=[(case, _said(measured, case.id)) for case in tally.failed()],
        offered=offered(len(measured.facts.tools), measured.schemas),
        missed=[*missed(tally)],
        behaved=[*behaved(tally)],
        task_notes=[*task_notes(measured.tasks)] if measured.tasks else [],
        repeats=tally.repeats,
        can_see=can_see(measured.trials, measured.smallest),
        compared=[*compared(measured.comparison)] if measured.comparison else [],
        percent=percent,
        span=span,
        seconds=seconds,
        amount=amount,
    )


def _tables(measured: Measured) -> list[tuple[str, Sequence[Rate]]]:
    """The tables of rates that have something in them, each with its heading."""
    tally, recovery, done = measured.tally, measured.recovery, measured.tasks
    found: list[tuple[str, Sequence[Rate]]] = [
        ("All", [tally.overall]),
        ("By class", tally.by_class),
        ("By tool that is wanted", tally.by_tool),
        ("By label", tally.by_label),
        ("No tool called, where none was wanted", tally.abstention),
        ("Arguments", [] if measured.rule == "tools" else tally.arguments),
        ("After a tool has failed", [] if recovery is None else [recovery]),
        ("Tasks, once the calls were made on a new store", [] if done is None else [done.done]),
    ]
    return [(title, rates) for title, rates in found if any(rate.counted for rate in rates)]


def _said(measured: Measured, case: str) -> str:
    return ", ".join(dict.fromkeys(each.said for each in measured.tally.of_case[case] if each.reason))


def _is(said: str, reason: Reason) -> bool:
    """Whether a reason was said, with an argument or without."""
    return said.partition(":")[0] == reason


def _map(confusion: Mapping[tuple[str, str], int]) -> _Map:
    mixed = {name for pair in confusion if pair[0] != pair[1] for name in pair}
    names = sorted({name for pair in confusion for name in pair}, key=lambda name: (name == NO_TOOL, name))
    # Tools that were mixed up stay longest; what is shown keeps the order of the names.
    kept = sorted(names, key=lambda name: name not in mixed)[:_MOST_TOOLS]
    shown = [name for name in names if name in kept]
    wanted = [name for name in shown if any(pair[0] == name for pair in confusion)]
    rows = {name: sum(count for pair, count in confusion.items() if pair[0] == name) for name in wanted}
    cells = {
        pair: _Cell(count=count, share=count / rows[pair[0]], right=pair[0] == pair[1])
        for pair, count in confusion.items()
        if pair[0] in rows
    }
    return _Map(wanted=wanted, called=shown, cells=cells, left_out=len(names) - len(shown))
