"""`SqlTallies`: sums over the runs, kept and asked for in SQL (ports.tallies.Tallies). Owns no connection."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from fourfold.adapters.sql import folding
from fourfold.adapters.sql.unit import own
from fourfold.ports.tallies import ChargeSum, FillSum, OperationBy, OperationSum, SumFilter, UsageBy, UsageSum
from fourfold.ports.units import Row, Unit
from fourfold.runs.sums import day_of, hour_of

__all__ = ["SqlTallies"]

_FIRST_MS, _LAST_MS = -(2**62), 2**62

_SUCCEEDED = "('done', 'needs_input')"

_MEASURES = {
    "fourfold_operation_hour": ("operations", "retried", "attempts"),
    "fourfold_run_day": ("runs", "tokens_in", "tokens_out", "tokens_definition"),
    "fourfold_charge_day": ("amount_minor",),
    "fourfold_fill_day": ("results", "filled"),
}
_FAILED = f"CAST(coalesce(sum(CASE WHEN t.outcome IN {_SUCCEEDED} THEN 0 ELSE t.runs END), 0) AS BIGINT) AS failed"
_NEWEST = "coalesce(max(t.last_ms), 0) AS last_ms"

_OLDEST = "SELECT at_ms FROM fourfold_run ORDER BY at_ms LIMIT 1"
_FORGET = (
    ("fourfold_operation", "last_ms"),
    ("fourfold_operation_hour", "hour_ms"),
    ("fourfold_run_day", "day_ms"),
    ("fourfold_charge_day", "day_ms"),
    ("fourfold_fill_day", "day_ms"),
)
_ALL_FRESH = "INSERT INTO fourfold_run_fresh (at_ms, run_id) SELECT at_ms, run_id FROM fourfold_run WHERE at_ms >= ?"

_CUT = "SELECT at_ms FROM fourfold_run WHERE at_ms < :before_ms ORDER BY at_ms LIMIT 1 OFFSET :skipped"
_PRUNE = (
    "DELETE FROM fourfold_run_closing WHERE run_id IN (SELECT run_id FROM fourfold_run WHERE at_ms <= :cut)",
    "DELETE FROM fourfold_run_count WHERE at_ms <= :cut",
    "DELETE FROM fourfold_run_fresh WHERE at_ms <= :cut",
    "DELETE FROM fourfold_operation WHERE last_ms <= :cut",
)
_PRUNE_RUNS = "DELETE FROM fourfold_run WHERE at_ms <= :cut"


class SqlTallies:
    """Keeps the sums, and reads them."""

    def fold(self, unit: Unit, *, until_ms: int, limit: int) -> int:
        """Add runs that arrived before `until_ms` and are in no sum yet, oldest first; how many there were."""
        return folding.fold(own(unit), until_ms=until_ms, limit=limit)

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

    def prune(self, unit: Unit, *, before_ms: int, limit: int) -> int:
        """Drop about `limit` of the oldest runs from before `before_ms`; how many. What they add to sums stays."""
        owned = own(unit)
        found = owned.row(_CUT, {"before_ms": before_ms, "skipped": limit - 1})
        cut = before_ms - 1 if found is None else found["at_ms"]
        for statement in _PRUNE:
            owned.execute(statement, {"cut": cut})
        return owned.execute(_PRUNE_RUNS, {"cut": cut})

    def operations(self, unit: Unit, where: SumFilter, *, by: Sequence[OperationBy]) -> Sequence[OperationSum]:
        """Operations by the hour of their first run and by what that run was, in the order of their keys."""
        sql = _sql("fourfold_operation_hour", _conditions(where, "hour_ms", _OPERATION_FIELDS), by)
        return [
            OperationSum(
                key=_key(row, by), operations=row["operations"], retried=row["retried"], attempts=row["attempts"]
            )
            for row in own(unit).rows(sql, _values(where))
        ]

    def usage(self, unit: Unit, where: SumFilter, *, by: Sequence[UsageBy]) -> Sequence[UsageSum]:
        """Runs and what they took, in the order of their keys."""
        sql = _sql("fourfold_run_day", _conditions(where, "day_ms", _RUN_FIELDS), by, more=(_FAILED, _NEWEST))
        return [
            UsageSum(
                key=_key(row, by),
                failed=row["failed"],
                last_ms=row["last_ms"],
                **{name: row[name] for name in _MEASURES["fourfold_run_day"]},
            )
            for row in own(unit).rows(sql, _values(where))
        ]

    def charges(self, unit: Unit, where: SumFilter, *, by: Sequence[UsageBy]) -> Sequence[ChargeSum]:
        """What other systems charged, in the order of their keys."""
        sql = _sql("fourfold_charge_day", _conditions(where, "day_ms", _RUN_FIELDS), (*by, "currency"))
        return [
            ChargeSum(key=_key(row, by), currency=row["currency"], amount_minor=row["amount_minor"])
            for row in own(unit).rows(sql, _values(where))
        ]

    def fill(self, unit: Unit, where: SumFilter, *, field: str = "") -> Sequence[FillSum]:
        """How often each output field held anything, by the day, in the order of days, tools and fields."""
        conditions = _conditions(where, "day_ms", ("tenant", "tool"))
        if field:
            conditions += " AND t.field = :field"
        sql = _sql("fourfold_fill_day", conditions, ("day_ms", "tool", "field"))
        return [FillSum(**row) for row in own(unit).rows(sql, {**_values(where), "field": field})]


_OPERATION_FIELDS = ("tenant", "principal", "tool", "code")
_RUN_FIELDS = ("tenant", "subject", "tool", "code")


def _sql(table: str, conditions: str, by: Sequence[str], *, more: Sequence[str] = ()) -> str:
    """The question for the sums of `table`. Only fixed words are joined; every value is a parameter."""
    sums = [f"CAST(coalesce(sum(t.{name}), 0) AS BIGINT) AS {name}" for name in _MEASURES[table]]
    keys = ", ".join(f"t.{name}" for name in by)
    ordered = f" GROUP BY {keys} ORDER BY {keys}" if by else ""
    columns = ", ".join([*(f"t.{name}" for name in by), *sums, *more])
    return f"SELECT {columns} FROM {table} AS t WHERE {conditions}{ordered}"


def _conditions(where: SumFilter, time: str, fields: Sequence[str]) -> str:
    since = "hour_since" if time == "hour_ms" else "day_since"
    chosen = [f"t.{time} >= :{since} AND t.{time} < :until_ms"]
    chosen += [f"t.{name} = :{name}" for name in fields if getattr(where, name)]
    if where.failed:
        chosen.append(f"t.outcome NOT IN {_SUCCEEDED}")
    return " AND ".join(chosen)


def _values(where: SumFilter) -> dict[str, Any]:
    since = _FIRST_MS if where.since_ms is None else where.since_ms
    return {
        "hour_since": hour_of(since),
        "day_since": day_of(since),
        "until_ms": _LAST_MS if where.until_ms is None else where.until_ms,
        **{name: getattr(where, name) for name in ("tenant", "principal", "subject", "tool", "code")},
    }


def _key(row: Row, by: Sequence[str]) -> tuple[str | int, ...]:
    return tuple(row[name] for name in by)
