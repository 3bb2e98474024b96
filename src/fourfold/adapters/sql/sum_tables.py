"""The tables of sums: what their rows are kept by, and how a row takes more in. Owns no question to them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import islice
from typing import Any, NamedTuple

from fourfold.ports.units import Unit

__all__ = [
    "ACCOUNT_DAY",
    "CALLER_DAY",
    "CHARGE_DAY",
    "CHARGE_HOUR",
    "COUNT_DAY",
    "FAILURE_HOUR",
    "FILL_DAY",
    "LATENCY_DAY",
    "LATENCY_HOUR",
    "OPERATION_DAY",
    "OPERATION_HOUR",
    "RUN_DAY",
    "RUN_HOUR",
    "TABLES",
    "TOOL_DAY",
    "SumTable",
    "insert_all",
]

_ROWS = 40
"""Rows of one statement: a round trip to a database for each row would take most of the time."""

_TAKEN_IN = {
    "first_ms": "CASE WHEN t.first_ms < excluded.first_ms THEN t.first_ms ELSE excluded.first_ms END",
    "last_ms": "CASE WHEN t.last_ms > excluded.last_ms THEN t.last_ms ELSE excluded.last_ms END",
    "last_run": "CASE WHEN t.last_ms > excluded.last_ms THEN t.last_run ELSE excluded.last_run END",
}
"""How a row takes in what is not added up."""


class SumTable(NamedTuple):
    """A table of sums: its rows are kept by `time` and `keys`."""

    name: str
    time: str
    keys: tuple[str, ...]
    sums: tuple[str, ...]

    def add(self, unit: Unit, sums: Mapping[Any, Mapping[str, Any]]) -> None:
        """Add to rows, or make them; `sums` has what is added by time and keys."""
        columns = (self.time, *self.keys, *self.sums)
        sets = [f"{name} = {_TAKEN_IN.get(name, f't.{name} + excluded.{name}')}" for name in self.sums]
        conflict = f"ON CONFLICT ({self.time}, {', '.join(self.keys)}) DO UPDATE SET {', '.join(sets)}"
        # In the order of their keys, so that two writers of the same rows would not wait for each other in a circle.
        rows = ((*key, *(sums[key][name] for name in self.sums)) for key in sorted(sums))
        insert_all(unit, f"{self.name} AS t", columns=columns, rows=rows, conflict=conflict)


def insert_all(
    unit: Unit, table: str, *, columns: Sequence[str], rows: Iterable[Sequence[Any]], conflict: str = ""
) -> None:
    """Insert `rows`, many in one statement; the rest one by one, so that there are only two texts to prepare."""
    head = f"INSERT INTO {table} ({', '.join(columns)}) VALUES "
    row = f"({', '.join('?' * len(columns))})"
    for chunk in _chunks(rows):
        if len(chunk) == _ROWS:
            unit.execute(f"{head}{', '.join([row] * _ROWS)} {conflict}", [value for each in chunk for value in each])
            continue
        for each in chunk:
            unit.execute(f"{head}{row} {conflict}", each)


def _chunks(rows: Iterable[Sequence[Any]]) -> Iterator[list[Sequence[Any]]]:
    left = iter(rows)
    while chunk := list(islice(left, _ROWS)):
        yield chunk


_USAGE = ("runs", "tokens_in", "tokens_out", "tokens_definition", "first_ms", "last_ms")
_VERSION = ("tenant", "tool", "contract_version")
_RUN = ("tenant", "subject", "tool", "code", "outcome")

RUN_HOUR = SumTable("fourfold_run_hour", "hour_ms", (*_VERSION, "outcome"), _USAGE)
TOOL_DAY = SumTable("fourfold_tool_day", "day_ms", (*_VERSION, "code", "outcome"), _USAGE)
ACCOUNT_DAY = SumTable("fourfold_account_day", "day_ms", ("tenant", "subject", "outcome"), _USAGE)
RUN_DAY = SumTable("fourfold_run_day", "day_ms", _RUN, _USAGE)

LATENCY_HOUR = SumTable("fourfold_latency_hour", "hour_ms", (*_VERSION, "bucket"), ("runs",))
LATENCY_DAY = SumTable("fourfold_latency_day", "day_ms", (*_VERSION, "bucket"), ("runs",))

_OPERATIONS = ("operations", "retried", "attempts")
OPERATION_HOUR = SumTable(
    "fourfold_operation_hour", "hour_ms", ("tenant", "principal", "tool", "contract_version", "code"), _OPERATIONS
)
OPERATION_DAY = SumTable("fourfold_operation_day", "day_ms", (*_VERSION, "code"), _OPERATIONS)
CALLER_DAY = SumTable("fourfold_caller_day", "day_ms", ("tenant", "principal"), _OPERATIONS)

CHARGE_HOUR = SumTable("fourfold_charge_hour", "hour_ms", ("tenant", "tool", "currency"), ("amount_minor",))
CHARGE_DAY = SumTable("fourfold_charge_day", "day_ms", (*_RUN, "currency"), ("amount_minor",))

FAILURE_HOUR = SumTable(
    "fourfold_failure_hour",
    "hour_ms",
    ("tenant", "principal", "subject", "tool", "code"),
    ("runs", "first_ms", "last_ms", "last_run"),
)
COUNT_DAY = SumTable("fourfold_count_day", "day_ms", ("tenant", "tool", "field", "value"), ("runs", "last_ms"))
FILL_DAY = SumTable("fourfold_fill_day", "day_ms", ("tenant", "tool", "field"), ("results", "filled"))

TABLES = (
    RUN_HOUR,
    TOOL_DAY,
    ACCOUNT_DAY,
    RUN_DAY,
    LATENCY_HOUR,
    LATENCY_DAY,
    OPERATION_HOUR,
    OPERATION_DAY,
    CALLER_DAY,
    CHARGE_HOUR,
    CHARGE_DAY,
    FAILURE_HOUR,
    COUNT_DAY,
    FILL_DAY,
)
"""All of them."""
