"""A store that explains every statement of a question before it runs it, through the unit that it runs in."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any, TypeVar

from fourfold.adapters.postgres.store import PostgresStore
from fourfold.adapters.sql.runs import SqlRuns
from fourfold.adapters.sql.tallies import SqlTallies
from fourfold.adapters.sql.unit import OwnedUnit, own
from fourfold.adapters.sqlite.store import SqliteStore
from fourfold.ports.units import Parameters, Row, Transaction, Unit, Units

__all__ = ["Explained", "Read", "read_of", "scans_of"]

A = TypeVar("A")


@dataclass(frozen=True, slots=True)
class Read:
    """How PostgreSQL read a table in one place of a plan, and how many rows it looked at there."""

    how: str
    table: str
    rows: int


@dataclass(slots=True)
class Explained:
    """The part of a store that is asked (runs.asking.AskedStore); `plans` has how each statement was answered."""

    store: SqliteStore | PostgresStore
    plans: list[str] = field(default_factory=list[str])

    @property
    def units(self) -> Units:
        """Transactions whose statements are explained."""
        return _Units(self)

    @property
    def runs(self) -> SqlRuns:
        """Run records."""
        return SqlRuns(self.units, self.store.units.trail)

    @property
    def tallies(self) -> SqlTallies:
        """The sums."""
        return self.store.tallies

    def explain(self, unit: OwnedUnit, sql: str, parameters: Parameters) -> None:
        """Keep how `sql` is answered."""
        if isinstance(self.store, PostgresStore):
            # Few rows are scanned or sorted for good reasons; with these off, only where no index is in their order.
            for way in ("enable_seqscan", "enable_bitmapscan", "enable_sort", "jit"):
                unit.execute(f"SET LOCAL {way} = off")
            (row,) = unit.rows(f"EXPLAIN (ANALYZE, FORMAT JSON) {sql}", parameters)
            (plan,) = row.values()
            self.plans.append(plan if isinstance(plan, str) else json.dumps(plan))
            return
        rows = unit.rows(f"EXPLAIN QUERY PLAN {sql}", parameters)
        self.plans.append("\n".join(row["detail"] for row in rows))


def scans_of(plan: str) -> list[str]:
    """What SQLite would read from end to end, but for what it has just made itself."""
    made = set(re.findall(r"(?:CO-ROUTINE|MATERIALIZE) (\S+)", plan))
    return [table for table in re.findall(r"SCAN (\S+)", plan) if table not in made]


def read_of(plan: str) -> list[Read]:
    """How PostgreSQL read each table of a plan."""
    return [*_reads(json.loads(plan)[0]["Plan"])]


def _reads(node: dict[str, Any]) -> Iterator[Read]:
    if "Relation Name" in node:
        looked = node["Actual Rows"] + node.get("Rows Removed by Filter", 0)
        yield Read(node["Node Type"], node["Relation Name"], round(looked * node["Actual Loops"]))
    for inner in node.get("Plans", ()):
        yield from _reads(inner)


@dataclass(slots=True)
class _Unit:
    """A unit that has each query explained first."""

    inner: OwnedUnit
    explained: Explained

    def as_framework(self) -> _Unit:
        """The same."""
        return self

    def alone(self, about: str) -> None:
        """Keep out other writes."""
        self.inner.alone(about)

    def execute(self, sql: str, parameters: Parameters = ()) -> int:
        """Run a statement."""
        return self.inner.execute(sql, parameters)

    def row(self, sql: str, parameters: Parameters = ()) -> Row | None:
        """Explain a query and ask it."""
        self.explained.explain(self.inner, sql, parameters)
        return self.inner.row(sql, parameters)

    def rows(self, sql: str, parameters: Parameters = ()) -> list[Row]:
        """Explain a query and ask it."""
        self.explained.explain(self.inner, sql, parameters)
        return self.inner.rows(sql, parameters)

    def subject(self, value: str) -> None:
        """Name the Subject."""
        self.inner.subject(value)


@dataclass(slots=True)
class _Units:
    """Units whose reads are explained."""

    explained: Explained

    async def read(
        self, work: Callable[[Unit], A], *, deadline: float, subject: Callable[[str], None], tenant: str | None = None
    ) -> A:
        """Run `work` with a unit that explains."""
        return await self.explained.store.units.read(
            lambda unit: work(_Unit(own(unit), self.explained)), deadline=deadline, subject=subject, tenant=tenant
        )

    async def write(self, work: Callable[[Transaction], A], *, deadline: float, tenant: str | None = None) -> A:
        """Write as the store does."""
        return await self.explained.store.units.write(work, deadline=deadline, tenant=tenant)

    async def aclose(self) -> None:
        """Leave the store open: it is somebody else's."""
