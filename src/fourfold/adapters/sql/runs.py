"""`SqlRuns`: the run records of a store (ports.runs.Runs): where they go in, and what can be asked."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Protocol, TypeVar

from fourfold.adapters.sql.records import Record, insert, record_of
from fourfold.adapters.sql.run_questions import RunQuestion
from fourfold.adapters.sql.unit import no_subject, own
from fourfold.model.kept import Kept
from fourfold.model.run import Closing, Run, RunFilter
from fourfold.ports.runs import RunCount, RunPlace, RunRecord, RunStretch
from fourfold.ports.units import Row, Unit, Units

__all__ = ["SqlRuns", "Trail"]

A = TypeVar("A")

_NO_DEADLINE = float("inf")

_SHOW = """
SELECT r.*, c.total_us, c.delivered
FROM fourfold_run AS r LEFT JOIN fourfold_run_closing AS c ON c.run_id = r.run_id
WHERE r.run_id = :id OR (r.reference <> '' AND r.reference = :id)
ORDER BY r.run_id = :id DESC LIMIT 1
"""

_KEPT = """
SELECT run_id, tenant, purge_after_ms, sealed FROM fourfold_run_kept WHERE run_id = :run_id AND tenant = :tenant
"""

_PURGE_KEPT = """
DELETE FROM fourfold_run_kept WHERE run_id IN (
    SELECT run_id FROM fourfold_run_kept WHERE purge_after_ms < ? ORDER BY purge_after_ms LIMIT ?
)
"""

_THESE = """
SELECT r.*, c.total_us, c.delivered
FROM fourfold_run AS r LEFT JOIN fourfold_run_closing AS c ON c.run_id = r.run_id
WHERE r.run_id IN ({places}) {of_tenant}
ORDER BY r.at_ms, r.run_id
"""


class Trail(Protocol):
    """Where records go that are not part of a write."""

    def put(self, record: Record) -> None:
        """Store `record` soon. Never blocks, never raises."""
        ...

    async def flush(self) -> None:
        """Return when everything put so far is stored."""
        ...


class SqlRuns:
    """Stores runs and answers questions about them. Owns no connection: it reads and writes through units."""

    def __init__(self, units: Units, trail: Trail) -> None:
        self._units = units
        self._trail = trail

    def insert(self, unit: Unit, run: Run, *, kept: Kept | None = None) -> None:
        """Insert `run`, and what is kept of its call, inside the effect's transaction."""
        insert(own(unit), run)
        if kept is not None:
            insert(own(unit), kept)

    def append(self, run: Run, *, kept: Kept | None = None) -> None:
        """Queue `run`, and what is kept of its call; it is stored within 100 ms."""
        self._trail.put(run)
        if kept is not None:
            self._trail.put(kept)

    def close(self, closing: Closing) -> None:
        """Queue the closing row of a run that was inserted with its effect."""
        self._trail.put(closing)

    async def flush(self) -> None:
        """Return when everything queued so far is stored.

        Raises:
            StoreError: it could not be stored; it stays queued.
        """
        await self._trail.flush()

    async def list(self, where: RunFilter, *, limit: int) -> Sequence[RunRecord]:
        """The newest runs first."""
        return await self._nearest(RunQuestion(where=where), limit)

    async def following(self, where: RunFilter, *, after: RunRecord | None, limit: int) -> Sequence[RunRecord]:
        """The oldest runs first, those after `after` in that order."""
        place = None if after is None else RunPlace(after.run.at_ms, after.run.run_id)
        return await self._nearest(RunQuestion(where=where, place=place, older=False), limit)

    async def beside(
        self, where: RunFilter, *, place: RunPlace | None, older: bool, limit: int, reach: int
    ) -> RunStretch:
        """Runs that are older or newer than `place`; without one, from the newest or the oldest on."""
        question = RunQuestion(where=where, place=place, older=older)

        def look(unit: Unit) -> RunStretch:
            owned = own(unit)
            reached_ms = _reached_ms(owned, question, reach)
            rows = owned.rows(question.records, {**question.values(reached_ms=reached_ms), "limit": limit})
            ended = None if reached_ms is None or len(rows) == limit else _beyond(reached_ms, older=older)
            return RunStretch(records=[record_of(row) for row in rows], reached=ended)

        return await self._read(look, tenant=where.tenant)

    async def count(self, where: RunFilter, *, limit: int, reach: int) -> RunCount:
        """How many runs `where` lets through, counted up to `limit` and among about the newest `reach` of them."""
        question = RunQuestion(where=where)

        def look(unit: Unit) -> RunCount:
            owned = own(unit)
            reached_ms = _reached_ms(owned, question, reach)
            row = owned.rows(question.count, {**question.values(reached_ms=reached_ms), "limit": limit + 1})[0]
            return RunCount(runs=min(row["runs"], limit), at_least=row["runs"] > limit or reached_ms is not None)

        return await self._read(look, tenant=where.tenant)

    async def show(self, run_id: str) -> RunRecord | None:
        """One run by its id, or by the reference that an `internal` answer gave."""
        rows = await self._query(_SHOW, {"id": run_id})
        return record_of(rows[0]) if rows else None

    async def these(self, run_ids: Sequence[str], *, tenant: str | None) -> Sequence[RunRecord]:
        """The runs of these ids that are kept and are the tenant's, oldest first."""
        if not run_ids:
            return []
        of_tenant = "" if tenant is None else "AND r.tenant = :tenant"
        ids = {f"run_{place}": run_id for place, run_id in enumerate(run_ids)}
        sql = _THESE.format(places=", ".join(f":{name}" for name in ids), of_tenant=of_tenant)
        rows = await self._query(sql, {**ids, "tenant": tenant}, tenant=tenant)
        return [record_of(row) for row in rows]

    async def kept(self, run_id: str, *, tenant: str) -> Kept | None:
        """What is kept of the call of that run, sealed; `None` if nothing is, or not any more."""
        rows = await self._query(_KEPT, {"run_id": run_id, "tenant": tenant})
        return Kept(**rows[0]) if rows else None

    def purge_kept(self, unit: Unit, *, before_ms: int, limit: int) -> int:
        """Drop what was to be kept until then and no longer; how many. The runs stay."""
        return own(unit).execute(_PURGE_KEPT, (before_ms, limit))

    async def _nearest(self, question: RunQuestion, limit: int) -> Sequence[RunRecord]:
        rows = await self._query(question.records, {**question.values(), "limit": limit})
        return [record_of(row) for row in rows]

    async def _query(self, sql: str, parameters: dict[str, Any], *, tenant: str | None = None) -> Sequence[Row]:
        return await self._read(lambda unit: own(unit).rows(sql, parameters), tenant=tenant)

    async def _read(self, look: Callable[[Unit], A], *, tenant: str | None) -> A:
        return await self._units.read(look, deadline=_NO_DEADLINE, subject=no_subject, tenant=tenant)


def _reached_ms(unit: Unit, question: RunQuestion, reach: int) -> int | None:
    """When the run arrived that is `reach` runs away; `None` if there are fewer."""
    found = unit.row(question.reach, {**question.values(), "reach": reach})
    return None if found is None else found["at_ms"]


def _beyond(at_ms: int, *, older: bool) -> RunPlace:
    """The place behind all runs of a millisecond."""
    return RunPlace(at_ms if older else at_ms + 1, "")
