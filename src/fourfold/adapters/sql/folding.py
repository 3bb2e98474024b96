"""Runs become operations and sums, a batch in one transaction. Owns the SQL; the rules are in `fourfold.runs`."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import islice

from fourfold.adapters.sql.records import record_of
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
    TOOL_DAY,
    insert_all,
)
from fourfold.adapters.sql.unit import own
from fourfold.ports.runs import RunRecord
from fourfold.ports.units import Row, Unit
from fourfold.runs.latency import total_us
from fourfold.runs.linking import TRACE_WINDOW_MS, Attempt, Ledger, Linked, Operation, Place, link
from fourfold.runs.sum_keys import account_day, latency_day, latency_hour, run_day, run_hour, tool_day
from fourfold.runs.sums import (
    attempt_of,
    caller_day_sums,
    charge_day_sums,
    charge_hour_sums,
    count_sums,
    failure_sums,
    fill_sums,
    latency_sums,
    operation_day_sums,
    operation_sums,
    usage_sums,
)

__all__ = ["FOLD", "fold"]

FOLD = "fourfold.fold"
"""What one process at a time does."""

_FRESH = """
SELECT at_ms, run_id FROM fourfold_run_fresh WHERE at_ms < :until_ms ORDER BY at_ms, run_id LIMIT :limit
"""
_RUNS = """
SELECT r.*, c.total_us, c.delivered
FROM fourfold_run_fresh AS f
    JOIN fourfold_run AS r ON r.run_id = f.run_id
    LEFT JOIN fourfold_run_closing AS c ON c.run_id = f.run_id
WHERE (f.at_ms, f.run_id) <= (:at_ms, :run_id)
ORDER BY f.at_ms, f.run_id
"""
# In the same snapshot as the two above: what others commit meanwhile is fresh for the next batch.
_DONE = "DELETE FROM fourfold_run_fresh WHERE (at_ms, run_id) <= (:at_ms, :run_id)"

_TOGETHER = 40
"""Places, or keys, that one statement asks for: a round trip for each would take most of the time."""

_WAITING = f"""
SELECT o.* FROM (VALUES {", ".join(["(?, ?, ?)"] * _TOGETHER)}) AS w
    JOIN fourfold_operation AS o ON o.tenant = w.column1 AND o.principal = w.column2 AND o.tool = w.column3
WHERE o.last_ms >= ? AND o.awaits <> ''
"""
_NAMED = f"""
SELECT o.* FROM (VALUES {", ".join(["(?, ?, ?, ?)"] * _TOGETHER)}) AS w
    JOIN fourfold_operation AS o ON o.tenant = w.column1 AND o.principal = w.column2 AND o.tool = w.column3
        AND o.operation_id = w.column4
WHERE o.operation_id <> ''
"""
_FORGET = "DELETE FROM fourfold_operation WHERE first_run = :first_run"

_PLAIN = ("contract_version", "code", "operation_id", "trace_id", "at_ms", "last_ms", "attempts", "awaits")
_OPERATION = ("first_run", "tenant", "principal", "tool", *_PLAIN)
_GOES_ON = """
ON CONFLICT (first_run) DO UPDATE SET
    operation_id = excluded.operation_id, trace_id = excluded.trace_id, last_ms = excluded.last_ms,
    attempts = excluded.attempts, awaits = excluded.awaits
"""


def fold(unit: Unit, *, until_ms: int, limit: int) -> int:
    """Add at most `limit` runs that are in no sum yet and arrived before `until_ms`; how many there were.

    Raises:
        StoreContended: another process does the same, for longer than the framework waits.
    """
    own(unit).alone(FOLD)
    fresh = unit.rows(_FRESH, {"until_ms": until_ms, "limit": limit})
    if not fresh:
        return 0
    records = [record_of(row) for row in unit.rows(_RUNS, fresh[-1])]
    _link(unit, [attempt_of(record.run) for record in records])
    _add(unit, records)
    unit.execute(_DONE, fresh[-1])
    return len(fresh)


def _link(unit: Unit, attempts: Sequence[Attempt]) -> None:
    """Put `attempts`, which are in the order of their arrival, into operations."""
    known = {operation.first_run: operation for operation in _known(unit, attempts)}
    linked = link(attempts, Ledger.of(known.values()))
    _keep(unit, linked, known=known.keys())
    further = [
        (attempt.run_id, attempt.place.tenant, after.first_run, attempt.at_ms)
        for attempt, (before, after) in zip(attempts, linked, strict=True)
        if before is not None
    ]
    insert_all(unit, "fourfold_attempt", columns=("run_id", "tenant", "first_run", "at_ms"), rows=further)
    hours = operation_sums(linked)
    OPERATION_HOUR.add(unit, hours)
    OPERATION_DAY.add(unit, operation_day_sums(hours))
    CALLER_DAY.add(unit, caller_day_sums(hours))


def _known(unit: Unit, attempts: Sequence[Attempt]) -> Iterator[Operation]:
    """Every operation that one of `attempts` could belong to."""
    since = min((attempt.at_ms for attempt in attempts), default=0) - TRACE_WINDOW_MS
    for values in _together({attempt.place for attempt in attempts}):
        yield from map(_operation_of, unit.rows(_WAITING, (*values, since)))
    for values in _together({(*attempt.place, attempt.operation_id) for attempt in attempts if attempt.operation_id}):
        yield from map(_operation_of, unit.rows(_NAMED, values))


def _together(rows: Iterable[tuple[str, ...]]) -> Iterator[list[str]]:
    """The values of so many rows at a time; the last one is repeated until there are as many."""
    left = iter(sorted(rows))
    while chunk := [*islice(left, _TOGETHER)]:
        chunk += chunk[-1:] * (_TOGETHER - len(chunk))
        yield [value for row in chunk for value in row]


def _keep(unit: Unit, linked: Iterable[Linked], *, known: Iterable[str]) -> None:
    """Store what operations came to. One that is over and has no key can be forgotten: nothing finds it again."""
    last = {after.first_run: after for _, after in linked}
    stored = frozenset(known)
    rows = (
        (each.first_run, *each.place, *(getattr(each, name) for name in _PLAIN))
        for each in last.values()
        if each.may_go_on
    )
    insert_all(unit, "fourfold_operation", columns=_OPERATION, rows=rows, conflict=_GOES_ON)
    for each in last.values():
        if not each.may_go_on and each.first_run in stored:
            unit.execute(_FORGET, {"first_run": each.first_run})


def _add(unit: Unit, records: Sequence[RunRecord]) -> None:
    runs = [record.run for record in records]
    RUN_HOUR.add(unit, usage_sums(runs, run_hour))
    TOOL_DAY.add(unit, usage_sums(runs, tool_day))
    ACCOUNT_DAY.add(unit, usage_sums(runs, account_day))
    RUN_DAY.add(unit, usage_sums(runs, run_day))
    took = [(record.run, total_us(record.run, record.closing)) for record in records]
    LATENCY_HOUR.add(unit, latency_sums(took, latency_hour))
    LATENCY_DAY.add(unit, latency_sums(took, latency_day))
    CHARGE_HOUR.add(unit, charge_hour_sums(runs))
    CHARGE_DAY.add(unit, charge_day_sums(runs))
    FAILURE_HOUR.add(unit, failure_sums(runs))
    COUNT_DAY.add(unit, count_sums(runs))
    FILL_DAY.add(unit, fill_sums(runs))


def _operation_of(row: Row) -> Operation:
    place = Place(row["tenant"], row["principal"], row["tool"])
    return Operation(first_run=row["first_run"], place=place, **{name: row[name] for name in _PLAIN})
