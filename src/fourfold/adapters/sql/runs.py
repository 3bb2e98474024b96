"""`SqlRuns`: the run records of a store (ports.runs.Runs): where they go in, and what can be asked."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Protocol

from fourfold.adapters.sql.records import Record, insert, record_of
from fourfold.adapters.sql.unit import no_subject, own
from fourfold.model.run import Closing, Run, RunFilter
from fourfold.ports.runs import Count, RunRecord
from fourfold.ports.units import Row, Unit, Units

__all__ = ["SqlRuns", "Trail"]

_NO_DEADLINE = float("inf")
_FIRST_MS, _LAST_MS = -(2**63), 2**63 - 1

_FAILED = "r.outcome NOT IN ('done', 'needs_input')"
"""What counts as a failure; the partial index has the same words. A question to a person is none."""

_LIST = """
SELECT r.*, c.total_us, c.delivered
FROM fourfold_run AS r LEFT JOIN fourfold_run_closing AS c ON c.run_id = r.run_id
WHERE {conditions}
ORDER BY r.at_ms DESC, r.seq DESC LIMIT :limit
"""

_FOLLOWING = """
SELECT r.*, c.total_us, c.delivered
FROM fourfold_run AS r LEFT JOIN fourfold_run_closing AS c ON c.run_id = r.run_id
WHERE {conditions} AND r.at_ms >= :after_ms AND (r.at_ms > :after_ms OR r.run_id > :after_id)
ORDER BY r.at_ms, r.run_id LIMIT :limit
"""

_SHOW = """
SELECT r.*, c.total_us, c.delivered
FROM fourfold_run AS r LEFT JOIN fourfold_run_closing AS c ON c.run_id = r.run_id
WHERE r.run_id = :id OR (r.reference <> '' AND r.reference = :id)
ORDER BY r.run_id = :id DESC LIMIT 1
"""

_FAILURES = """
SELECT r.subject, r.tool, r.code, count(*) AS runs, max(r.at_ms) AS last_ms
FROM fourfold_run AS r
WHERE {conditions}
GROUP BY r.subject, r.tool, r.code
ORDER BY runs DESC, last_ms DESC LIMIT :limit
"""

_COUNTS = """
SELECT n.tool, n.field, n.value, count(*) AS runs, max(n.at_ms) AS last_ms
FROM fourfold_run_count AS n
WHERE {conditions}
GROUP BY n.tool, n.field, n.value
ORDER BY runs DESC, last_ms DESC LIMIT :limit
"""

_OF_RUN = "EXISTS (SELECT 1 FROM fourfold_run AS r WHERE r.run_id = n.run_id AND {conditions})"


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

    def insert(self, unit: Unit, run: Run) -> None:
        """Insert `run` inside the effect's transaction."""
        insert(own(unit), run)

    def append(self, run: Run) -> None:
        """Queue `run`; it is stored within 100 ms."""
        self._trail.put(run)

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
        sql = _LIST.format(conditions=_conditions(where))
        return [record_of(row) for row in await self._rows(sql, where, limit=limit)]

    async def following(self, where: RunFilter, *, after: RunRecord | None, limit: int) -> Sequence[RunRecord]:
        """The oldest runs first, those after `after` in that order."""
        sql = _FOLLOWING.format(conditions=_conditions(where))
        place = (_FIRST_MS, "") if after is None else (after.run.at_ms, after.run.run_id)
        parameters = {**_parameters(where), "limit": limit, "after_ms": place[0], "after_id": place[1]}
        return [record_of(row) for row in await self._query(sql, parameters)]

    async def show(self, run_id: str) -> RunRecord | None:
        """One run by its id, or by the reference that an `internal` answer gave."""
        rows = await self._query(_SHOW, {"id": run_id})
        return record_of(rows[0]) if rows else None

    async def failures(self, where: RunFilter, *, limit: int) -> Sequence[Count]:
        """Runs that did not succeed, counted by subject, tool and code; most frequent first."""
        sql = _FAILURES.format(conditions=f"{_conditions(where)} AND {_FAILED}")
        return [_count_of(row, "subject", "tool", "code") for row in await self._rows(sql, where, limit=limit)]

    async def counts(self, where: RunFilter, *, field: str = "", limit: int) -> Sequence[Count]:
        """How often each declared output value was returned, by tool, field and value; most frequent first."""
        sql = _COUNTS.format(conditions=_count_conditions(where, field))
        rows = await self._rows(sql, where, limit=limit, field=field)
        return [_count_of(row, "tool", "field", "value") for row in rows]

    async def _rows(self, sql: str, where: RunFilter, *, limit: int, field: str = "") -> Sequence[Row]:
        return await self._query(sql, _parameters(where) | {"limit": limit, "field": field})

    async def _query(self, sql: str, parameters: dict[str, Any]) -> Sequence[Row]:
        return await self._units.read(
            lambda unit: own(unit).rows(sql, parameters), deadline=_NO_DEADLINE, subject=no_subject
        )


def _conditions(where: RunFilter) -> str:
    """SQL for `where` over `fourfold_run AS r`. Only fixed words are joined; every value is a parameter."""
    chosen = ["r.at_ms >= :since_ms AND r.at_ms < :until_ms"]
    chosen += [f"r.{name} = :{name}" for name in _EQUAL if getattr(where, name)]
    return " AND ".join([*chosen, _FAILED] if where.failed else chosen)


_EQUAL = ("tenant", "principal", "subject", "tool", "code", "outcome")


def _count_conditions(where: RunFilter, field: str) -> str:
    """SQL for `where` over `fourfold_run_count AS n`, which knows tenant, tool and time by itself."""
    chosen = ["n.at_ms >= :since_ms AND n.at_ms < :until_ms"]
    chosen += [f"n.{name} = :{name}" for name in ("tenant", "tool") if getattr(where, name)]
    if field:
        chosen.append("n.field = :field")
    if where.failed or where.principal or where.subject or where.code or where.outcome:
        chosen.append(_OF_RUN.format(conditions=_conditions(where)))
    return " AND ".join(chosen)


def _parameters(where: RunFilter) -> dict[str, Any]:
    times = {
        "since_ms": _FIRST_MS if where.since_ms is None else where.since_ms,
        "until_ms": _LAST_MS if where.until_ms is None else where.until_ms,
    }
    return times | {name: getattr(where, name) for name in _EQUAL}


def _count_of(row: Row, *key: str) -> Count:
    return Count(key=tuple(row[name] for name in key), runs=row["runs"], last_ms=row["last_ms"])
