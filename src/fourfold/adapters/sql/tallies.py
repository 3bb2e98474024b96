"""`SqlTallies`: sums over the runs, kept and asked for in SQL (ports.tallies.Tallies). Owns no connection."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Literal

from fourfold.adapters.sql import folding
from fourfold.adapters.sql.sum_questions import by_hours_and_days, conditions, grouped, table_with, values_of
from fourfold.adapters.sql.sum_tables import (
    ACCOUNT_DAY,
    CALLER_DAY,
    CHARGE_DAY,
    CHARGE_HOUR,
    COUNT_DAY,
    FAILURE_HOUR,
    FILL_DAY,
    LATENCY_DAY,
    LATENCY_HOUR,
    OPERATION_DAY,
    OPERATION_HOUR,
    RUN_DAY,
    RUN_HOUR,
    TABLES,
    TOOL_DAY,
)
from fourfold.adapters.sql.unit import own
from fourfold.ports.tallies import (
    ChargeSum,
    CountSum,
    FailureBy,
    FailureSum,
    FillSum,
    LatencyBy,
    LatencySum,
    OperationBy,
    OperationSum,
    SumFilter,
    UsageBy,
    UsageSum,
    Waiting,
)
from fourfold.ports.units import Row, Unit
from fourfold.runs.sum_keys import day_of

__all__ = ["SqlTallies"]

_OLDEST = "SELECT at_ms FROM fourfold_run ORDER BY at_ms LIMIT 1"
_FORGET = (
    ("fourfold_operation", "last_ms"),
    ("fourfold_attempt", "at_ms"),
    *((table.name, table.time) for table in TABLES),
)
_ALL_FRESH = "INSERT INTO fourfold_run_fresh (at_ms, run_id) SELECT at_ms, run_id FROM fourfold_run WHERE at_ms >= ?"

_CUT = """
SELECT at_ms FROM fourfold_run WHERE at_ms < :before_ms AND seq <= :to_seq ORDER BY at_ms LIMIT 1 OFFSET :skipped
"""
_DROPPED = "at_ms <= :cut AND seq <= :to_seq"
_ITS = f"run_id IN (SELECT run_id FROM fourfold_run WHERE {_DROPPED})"
_PRUNE = (
    f"DELETE FROM fourfold_run_kept WHERE {_ITS}",
    f"DELETE FROM fourfold_run_closing WHERE {_ITS}",
    f"DELETE FROM fourfold_run_fresh WHERE at_ms <= :cut AND {_ITS}",
    f"DELETE FROM fourfold_attempt WHERE at_ms <= :cut AND {_ITS}",
    "DELETE FROM fourfold_operation WHERE last_ms <= :cut",
)
_PRUNE_RUNS = f"DELETE FROM fourfold_run WHERE {_DROPPED}"

_WAITING = """
SELECT count(*) AS runs, min(f.at_ms) AS first_ms FROM (
    SELECT at_ms, run_id FROM fourfold_run_fresh WHERE at_ms >= :first_ms ORDER BY at_ms, run_id LIMIT :limit
) AS f
"""
_WAITING_OF = """
SELECT count(r.run_id) AS runs, min(f.at_ms) AS first_ms FROM (
    SELECT at_ms, run_id FROM fourfold_run_fresh WHERE at_ms >= :first_ms ORDER BY at_ms, run_id LIMIT :limit
) AS f LEFT JOIN fourfold_run AS r ON r.run_id = f.run_id AND r.tenant = :tenant
"""
_FIRST_MS = -(2**62)

_FIRST_RUN = "SELECT first_run FROM fourfold_attempt WHERE run_id = ?"
_ATTEMPTS = "SELECT run_id FROM fourfold_attempt WHERE first_run = ? ORDER BY at_ms, run_id LIMIT ?"

_RUN_FILTERS = ("tenant", "subject", "tool", "code", "failed")
_USAGE = ("runs", "failed", "tokens_in", "tokens_out", "tokens_definition", "first_ms", "last_ms")
_OPERATIONS = ("operations", "retried", "attempts")
_VALUE = ("tool", "field", "value")
_FAILURES = ("runs", "first_ms", "last_ms", "last_run")


class SqlTallies:
    """Keeps the sums, and reads them."""

    def fold(self, unit: Unit, *, until_ms: int, limit: int) -> int:
        """Add runs that arrived before `until_ms` and are in no sum yet, oldest first; how many there were."""
        return folding.fold(own(unit), until_ms=until_ms, limit=limit)

    def waiting(self, unit: Unit, *, tenant: str | None, limit: int) -> Waiting:
        """How many of the first `limit` runs that are in no sum yet are the tenant's, and when the first came.

        The first of all: runs are added in their order, so a tenant's are in the sums up to then.
        """
        sql = _WAITING if tenant is None else _WAITING_OF
        found = own(unit).rows(sql, {"first_ms": _FIRST_MS, "limit": limit, "tenant": tenant})[0]
        return Waiting(runs=found["runs"], first_ms=found["first_ms"])

    def begin_again(self, unit: Unit) -> None:
        """Forget the sums of all days of which runs are kept, and have those runs added anew."""
        owned = own(unit)
        owned.alone(folding.FOLD)
        oldest = owned.row(_OLDEST)
        if oldest is None:
            return
        first = day_of(oldest["at_ms"])
        owned.execute("DELETE FROM fourfold_run_fresh")
        for table, column in _FORGET:
            owned.execute(f"DELETE FROM {table} WHERE {column} >= ?", (first,))
        owned.execute(_ALL_FRESH, (first,))

    def prune(self, unit: Unit, *, before_ms: int, to_seq: int, limit: int) -> int:
        """Drop about `limit` of the oldest runs from before `before_ms`, up to the number `to_seq`; how many.

        What they add to sums stays.
        """
        owned = own(unit)
        found = owned.row(_CUT, {"before_ms": before_ms, "to_seq": to_seq, "skipped": limit - 1})
        dropped = {"cut": before_ms - 1 if found is None else found["at_ms"], "to_seq": to_seq}
        for statement in _PRUNE:
            owned.execute(statement, dropped)
        return owned.execute(_PRUNE_RUNS, dropped)

    def attempts(self, unit: Unit, run_id: str, *, limit: int) -> Sequence[str]:
        """The ids of the first runs of the operation that `run_id` belongs to, in the order of their arrival."""
        owned = own(unit)
        found = owned.row(_FIRST_RUN, (run_id,))
        first = run_id if found is None else found["first_run"]
        return [first, *(row["run_id"] for row in owned.rows(_ATTEMPTS, (first, limit - 1)))]

    def operations(self, unit: Unit, where: SumFilter, *, by: Sequence[OperationBy]) -> Sequence[OperationSum]:
        """Operations by the hour of their first run and by what that run was, in the order of their keys."""
        knows = ("tenant", "principal", "tool", "code")
        table = table_with((OPERATION_DAY, CALLER_DAY, OPERATION_HOUR), where, by=by, knows=knows)
        if table is OPERATION_HOUR:
            sql = grouped(table.name, conditions(table, where), keys=by, sums=_OPERATIONS)
        else:
            sql = grouped(f"({by_hours_and_days(table, where)})", "true", keys=by, sums=_OPERATIONS)
        return [
            OperationSum(key=_key(row, by), **{name: row[name] for name in _OPERATIONS})
            for row in own(unit).rows(sql, values_of(where))
        ]

    def usage(
        self,
        unit: Unit,
        where: SumFilter,
        *,
        by: Sequence[UsageBy],
        most: Literal["runs", "failed"] | None = None,
        limit: int | None = None,
    ) -> Sequence[UsageSum]:
        """Runs and what they took, in the order of their keys, or those with the most runs or failures first."""
        tables = (RUN_HOUR,) if "hour_ms" in by else (TOOL_DAY, ACCOUNT_DAY, RUN_DAY)
        table = table_with(tables, where, by=by, knows=_RUN_FILTERS)
        order = {"runs": "runs DESC", "failed": "failed DESC, runs DESC"}[most] if most else ""
        condition = conditions(table, where)
        sql = grouped(table.name, condition, keys=by, sums=_USAGE, order=order, limited=limit is not None)
        rows = own(unit).rows(sql, {**values_of(where), "limit": limit})
        return [UsageSum(key=_key(row, by), **{name: row[name] for name in _USAGE}) for row in rows]

    def latencies(self, unit: Unit, where: SumFilter, *, by: Sequence[LatencyBy]) -> Sequence[LatencySum]:
        """How long runs took, in the order of their keys and then of the buckets."""
        table = LATENCY_HOUR if "hour_ms" in by else LATENCY_DAY
        sql = grouped(table.name, conditions(table, where), keys=(*by, "bucket"), sums=("runs",))
        return [
            LatencySum(key=_key(row, by), bucket=row["bucket"], runs=row["runs"])
            for row in own(unit).rows(sql, values_of(where))
        ]

    def charges(self, unit: Unit, where: SumFilter, *, by: Sequence[UsageBy]) -> Sequence[ChargeSum]:
        """What other systems charged, in the order of their keys."""
        table = table_with((CHARGE_HOUR,) if "hour_ms" in by else (CHARGE_DAY,), where, by=by, knows=_RUN_FILTERS)
        sql = grouped(table.name, conditions(table, where), keys=(*by, "currency"), sums=("amount_minor",))
        return [
            ChargeSum(key=_key(row, by), currency=row["currency"], amount_minor=row["amount_minor"])
            for row in own(unit).rows(sql, values_of(where))
        ]

    def failures(
        self,
        unit: Unit,
        where: SumFilter,
        *,
        by: Sequence[FailureBy],
        named: Mapping[FailureBy, Sequence[str]] | None = None,
        limit: int,
    ) -> Sequence[FailureSum]:
        """Runs that did not succeed, most frequent first. With `named`, values of a key that are not in it are one."""
        keys, values = _keys_of(by, named or {})
        condition = conditions(FAILURE_HOUR, where)
        order = "runs DESC, last_ms DESC" if by else ""
        sql = grouped(FAILURE_HOUR.name, condition, keys=keys, sums=_FAILURES, order=order, limited=True)
        return [
            FailureSum(
                key=tuple(row[name] for name in by),
                runs=row["runs"],
                first_ms=row["first_ms"],
                last_ms=row["last_ms"],
                last_run=(row["last_run"] or "").partition(" ")[2],
            )
            for row in own(unit).rows(sql, {**values_of(where), **values, "limit": limit})
        ]

    def counts(self, unit: Unit, where: SumFilter, *, field: str = "", limit: int) -> Sequence[CountSum]:
        """How often each declared output value was returned, most frequent first."""
        condition, order = _of_field(conditions(COUNT_DAY, where), field), "runs DESC, last_ms DESC"
        sql = grouped(COUNT_DAY.name, condition, keys=_VALUE, sums=("runs", "last_ms"), order=order, limited=True)
        rows = own(unit).rows(sql, {**values_of(where), "field": field, "limit": limit})
        return [CountSum(**row) for row in rows]

    def counts_by_day(self, unit: Unit, where: SumFilter, *, field: str = "") -> Sequence[CountSum]:
        """The same for each day, in the order of days, tools, fields and values."""
        condition = _of_field(conditions(COUNT_DAY, where), field)
        sql = grouped(COUNT_DAY.name, condition, keys=("day_ms", *_VALUE), sums=("runs", "last_ms"))
        return [CountSum(**row) for row in own(unit).rows(sql, {**values_of(where), "field": field})]

    def fill(self, unit: Unit, where: SumFilter, *, field: str = "") -> Sequence[FillSum]:
        """How often each output field held anything, by the day, in the order of days, tools and fields."""
        condition = _of_field(conditions(FILL_DAY, where), field)
        sql = grouped(FILL_DAY.name, condition, keys=("day_ms", "tool", "field"), sums=("results", "filled"))
        return [FillSum(**row) for row in own(unit).rows(sql, {**values_of(where), "field": field})]


def _of_field(condition: str, field: str) -> str:
    return f"{condition} AND t.field = :field" if field else condition


def _key(row: Row, by: Sequence[str]) -> tuple[str | int, ...]:
    return tuple(row[name] for name in by)


def _keys_of(
    by: Sequence[FailureBy], named: Mapping[FailureBy, Sequence[str]]
) -> tuple[Mapping[str, str], Mapping[str, str]]:
    """How the keys are made, and the parameters of that: a value that is not named becomes NULL."""
    keys = {name: f"t.{name}" for name in by}
    values: dict[str, str] = {}
    for name in by:
        if name in named:
            own_values = {f"{name}_{place}": value for place, value in enumerate(named[name])}
            listed = ", ".join(f":{each}" for each in own_values) or "NULL"
            keys[name] = f"CASE WHEN t.{name} IN ({listed}) THEN t.{name} END"
            values |= own_values
    return keys, values
