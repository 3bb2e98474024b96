"""Failures: which account met which code, how often, and since when."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from starlette.responses import Response

from fourfold.console.asked import Asked
from fourfold.console.heat import level
from fourfold.console.spans import Span, span_of
from fourfold.ports.tallies import FailureSum, SumFilter
from fourfold.runs.asking import ask
from fourfold.runs.failing import Failures, HeatMap, heat_map

__all__ = ["failures"]

_ROWS = ("50", "200", "1000")
_OF_RUNS = frozenset({"24h", "7d", "30d"})
"""Spans that the list of runs knows, too; for any other it shows all."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Cell:
    """Failures, how strongly they are drawn, and the list of their runs; "" where no filter finds just them."""

    found: Failures
    level: int
    link: str


@dataclass(frozen=True, slots=True, kw_only=True)
class _Row:
    """An account's line; `None` stands for all that have no line of their own."""

    subject: str | None
    total: _Cell
    cells: Sequence[_Cell | None]


async def failures(asked: Asked) -> Response:
    """The map, and below it the list."""
    span, store = span_of(asked, "7d", "24h", "30d", "90d", "all"), asked.console.store
    where = SumFilter(tenant=asked.tenant, tool=asked.value("tool"), since_ms=span.since_ms)
    most = int(asked.choice("rows", *_ROWS))
    heat = await heat_map(store, where)
    listed = await ask(
        store,
        lambda unit: store.tallies.failures(unit, where, by=("subject", "tool", "code"), limit=most + 1),
        tenant=asked.tenant,
    )
    drawn = _Drawn(asked, span, heat)
    return asked.page(
        "failures.html",
        span=span,
        total=heat.total,
        codes=[(code, drawn.code(code, found)) for code, found in heat.codes.items()],
        rows=[drawn.row(subject, found) for subject, found in heat.subjects.items()],
        listed=[drawn.line(each) for each in listed[:most]],
        more=next((rows for rows in _ROWS if int(rows) > most), "") if len(listed) > most else "",
        most=most,
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class _Line:
    """Failures of one account, tool and code."""

    subject: str
    tool: str
    code: str
    found: FailureSum
    link: str


class _Drawn:
    """A map as it is drawn for somebody who asked for a span."""

    def __init__(self, asked: Asked, span: Span, heat: HeatMap) -> None:
        self._asked, self._heat = asked, heat
        self._since = span.name if span.name in _OF_RUNS else ""
        self._most = max((each.runs for pair, each in heat.cells.items() if None not in pair), default=0)

    def row(self, subject: str | None, found: Failures) -> _Row:
        """The line of an account."""
        return _Row(
            subject=subject,
            total=_Cell(found=found, level=0, link=self._link(account=subject)),
            cells=[self._pair(subject, code) for code in self._heat.codes],
        )

    def code(self, code: str | None, found: Failures) -> _Cell:
        """What a code comes to."""
        return _Cell(found=found, level=0, link=self._link(code=code))

    def _pair(self, subject: str | None, code: str | None) -> _Cell | None:
        found = self._heat.cells.get((subject, code))
        if found is None:
            return None
        # All others together are no account: drawn beside the accounts, they would pale them.
        drawn = 0 if subject is None or code is None else level(found.runs, self._most)
        return _Cell(found=found, level=drawn, link=self._link(account=subject, code=code))

    def line(self, found: FailureSum) -> _Line:
        """A line of the list."""
        subject, tool, code = (str(each) for each in found.key)
        link = self._link(account=subject, tool=tool, code=code)
        return _Line(subject=subject, tool=tool, code=code, found=found, link=link)

    def _link(self, **by: str | None) -> str:
        # Neither "all others" nor an empty value can be filtered by: the list would have other runs than were counted.
        if not all(by.values()):
            return ""
        values = {"tool": self._asked.value("tool"), **by}
        return self._asked.link("/runs", **values, failed="yes", since=self._since)
