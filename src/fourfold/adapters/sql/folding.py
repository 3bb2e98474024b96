"""Runs become operations and sums, a batch in one transaction. Owns the SQL; the rules are in `fourfold.runs`."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from fourfold.adapters.sql.records import run_in
from fourfold.adapters.sql.unit import own
from fourfold.model.run import Run
from fourfold.ports.units import Row, Unit
from fourfold.runs.linking import TRACE_WINDOW_MS, Attempt, Ledger, Linked, Operation, Place, link
from fourfold.runs.sums import attempt_of, charge_sums, fill_sums, operation_sums, run_sums

__all__ = ["FOLD", "fold"]

FOLD = "fourfold.fold"
"""What one process at a time does."""

_FRESH = """
SELECT at_ms, run_id FROM fourfold_run_fresh WHERE at_ms < :until_ms ORDER BY at_ms, run_id LIMIT :limit
"""
_RUNS = """
SELECT r.* FROM fourfold_run_fresh AS f JOIN fourfold_run AS r ON r.run_id = f.run_id
WHERE (f.at_ms, f.run_id) <= (:at_ms, :run_id)
"""
# In the same snapshot as the two above: what others commit meanwhile is fresh for the next batch.
_DONE = "DELETE FROM fourfold_run_fresh WHERE (at_ms, run_id) <= (:at_ms, :run_id)"

_WAITING = """
SELECT * FROM fourfold_operation
WHERE tenant = :tenant AND principal = :principal AND tool = :tool AND last_ms >= :since_ms AND awaits <> ''
"""
_NAMED = """
SELECT * FROM fourfold_operation
WHERE tenant = :tenant AND principal = :principal AND tool = :tool
    AND operation_id = :operation_id AND operation_id <> ''
"""
_KEEP = """
INSERT INTO fourfold_operation (
    first_run, tenant, principal, tool, contract_version, code, operation_id, trace_id, at_ms, last_ms, attempts, awaits
) VALUES (
    :first_run, :tenant, :principal, :tool, :contract_version, :code, :operation_id, :trace_id, :at_ms, :last_ms,
    :attempts, :awaits
)
ON CONFLICT (first_run) DO UPDATE SET
    operation_id = excluded.operation_id, trace_id = excluded.trace_id, last_ms = excluded.last_ms,
    attempts = excluded.attempts, awaits = excluded.awaits
"""
_FORGET = "DELETE FROM fourfold_operation WHERE first_run = :first_run"

_PLAIN = ("contract_version", "code", "operation_id", "trace_id", "at_ms", "last_ms", "attempts", "awaits")


class _Table(NamedTuple):
    """A table of sums, and how a row takes more of them in."""

    name: str
    keys: tuple[str, ...]
    sums: tuple[str, ...]
    newest: str = ""

    @property
    def add(self) -> str:
        """The statement that adds to a row, or makes it."""
        columns = (*self.keys, *self.sums, *([self.newest] if self.newest else []))
        sets = [f"{name} = t.{name} + excluded.{name}" for name in self.sums]
        if self.newest:
            new = self.newest
            sets.append(f"{new} = CASE WHEN t.{new} > excluded.{new} THEN t.{new} ELSE excluded.{new} END")
        values = ", ".join(f":{name}" for name in columns)
        return (
            f"INSERT INTO {self.name} AS t ({', '.join(columns)}) VALUES ({values}) "
            f"ON CONFLICT ({', '.join(self.keys)}) DO UPDATE SET {', '.join(sets)}"
        )


_DAY = ("day_ms", "tenant", "subject", "tool", "code", "outcome")
_OPERATIONS = _Table(
    "fourfold_operation_hour",
    ("hour_ms", "tenant", "principal", "tool", "contract_version", "code"),
    ("operations", "retried", "attempts"),
)
_USAGE = _Table("fourfold_run_day", _DAY, ("runs", "tokens_in", "tokens_out", "tokens_definition"), newest="last_ms")
_CHARGES = _Table("fourfold_charge_day", (*_DAY, "currency"), ("amount_minor",))
_FILL = _Table("fourfold_fill_day", ("day_ms", "tenant", "tool", "field"), ("results", "filled"))


def fold(unit: Unit, *, until_ms: int, limit: int) -> int:
    """Add at most `limit` runs that are in no sum yet and arrived before `until_ms`; how many there were.

    Raises:
        StoreContended: another process does the same, for longer than the framework waits.
    """
    own(unit).alone(FOLD)
    fresh = unit.rows(_FRESH, {"until_ms": until_ms, "limit": limit})
    if not fresh:
        return 0
    runs = [run_in(row) for row in unit.rows(_RUNS, fresh[-1])]
    attempts = [attempt_of(run) for run in runs]
    known = {operation.first_run: operation for operation in _known(unit, attempts, since_ms=fresh[0]["at_ms"])}
    linked = link(attempts, Ledger.of(known.values()))
    _keep(unit, linked, known=known.keys())
    _add(unit, _OPERATIONS, operation_sums(linked))
    _add_runs(unit, runs)
    unit.execute(_DONE, fresh[-1])
    return len(fresh)


def _known(unit: Unit, attempts: Sequence[Attempt], *, since_ms: int) -> Iterator[Operation]:
    """Every operation that one of `attempts` could belong to."""
    for place in {attempt.place for attempt in attempts}:
        rows = unit.rows(_WAITING, {**place._asdict(), "since_ms": since_ms - TRACE_WINDOW_MS})
        yield from map(_operation_of, rows)
    for place, named in {(attempt.place, attempt.operation_id) for attempt in attempts if attempt.operation_id}:
        yield from map(_operation_of, unit.rows(_NAMED, {**place._asdict(), "operation_id": named}))


def _keep(unit: Unit, linked: Iterable[Linked], *, known: Iterable[str]) -> None:
    """Store what operations came to. One that is over and has no key can be forgotten: nothing finds it again."""
    last = {after.first_run: after for _, after in linked}
    stored = frozenset(known)
    for operation in last.values():
        if operation.may_go_on:
            plain = {name: getattr(operation, name) for name in _PLAIN}
            unit.execute(_KEEP, {"first_run": operation.first_run, **operation.place._asdict(), **plain})
        elif operation.first_run in stored:
            unit.execute(_FORGET, {"first_run": operation.first_run})


def _add_runs(unit: Unit, runs: Sequence[Run]) -> None:
    _add(unit, _USAGE, run_sums(runs))
    _add(unit, _CHARGES, charge_sums(runs))
    _add(unit, _FILL, fill_sums(runs))


def _add(unit: Unit, table: _Table, sums: Mapping[Any, Mapping[str, int]]) -> None:
    # In the order of their keys, so that two writers of the same rows would not wait for each other in a circle.
    for key in sorted(sums):
        unit.execute(table.add, {**key._asdict(), **sums[key]})


def _operation_of(row: Row) -> Operation:
    place = Place(row["tenant"], row["principal"], row["tool"])
    return Operation(first_run=row["first_run"], place=place, **{name: row[name] for name in _PLAIN})
