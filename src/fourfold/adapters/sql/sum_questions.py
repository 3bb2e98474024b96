"""Questions to the tables of sums as SQL: which table has the keys, what restricts it, what is added up.

Only fixed words are joined; every value is a parameter.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from fourfold.adapters.sql.sum_tables import OPERATION_HOUR, SumTable
from fourfold.ports.tallies import SumFilter
from fourfold.runs.sum_keys import DAY_MS, day_of, hour_of

__all__ = ["added", "by_hours_and_days", "conditions", "grouped", "table_with", "values_of"]

_FIRST_MS, _LAST_MS = -(2**62), 2**62

_FILTERS = ("tenant", "principal", "subject", "tool", "code")
_SUCCEEDED = "('done', 'needs_input')"

_ADDED = {
    "first_ms": "coalesce(min(t.first_ms), 0) AS first_ms",
    "last_ms": "coalesce(max(t.last_ms), 0) AS last_ms",
    # The newest of the rows: times in front of the ids, all of the same length until the year 2286.
    "last_run": "max(CAST(t.last_ms AS TEXT) || ' ' || t.last_run) AS last_run",
    "failed": f"CAST(coalesce(sum(CASE WHEN t.outcome IN {_SUCCEEDED} THEN 0 ELSE t.runs END), 0) AS BIGINT) AS failed",
}


def table_with(tables: Sequence[SumTable], where: SumFilter, *, by: Sequence[str], knows: Sequence[str]) -> SumTable:
    """The first of `tables` that has every key of `by` and of `where`, as far as the question `knows` its filters.

    Raises:
        ValueError: none has.
    """
    # Whether a run failed is read from its outcome.
    needed = {*by, *("outcome" if name == "failed" else name for name in knows if getattr(where, name))}
    for table in tables:
        if needed <= {table.time, *table.keys}:
            return table
    raise ValueError(f"no sum is kept by all of {', '.join(sorted(needed))}")


def conditions(table: SumTable, where: SumFilter) -> str:
    """What restricts `table`, which is called `t`: its time, and the filters that it knows."""
    since = "hour_since" if table.time == "hour_ms" else "day_since"
    chosen = [f"t.{table.time} >= :{since} AND t.{table.time} < :until_ms"]
    chosen += [f"t.{name} = :{name}" for name in _FILTERS if name in table.keys and getattr(where, name)]
    if where.failed and "outcome" in table.keys:
        chosen.append(f"t.outcome NOT IN {_SUCCEEDED}")
    return " AND ".join(chosen)


def added(names: Sequence[str]) -> Sequence[str]:
    """What the rows of a key come to, column by column."""
    return [_ADDED.get(name, f"CAST(coalesce(sum(t.{name}), 0) AS BIGINT) AS {name}") for name in names]


def grouped(
    source: str,
    condition: str,
    *,
    keys: Mapping[str, str] | Sequence[str],
    sums: Sequence[str],
    order: str = "",
    limited: bool = False,
) -> str:
    """The question for `sums` by `keys`, in the order of these or in another one. A key may be made by an expression.

    What is limited has a parameter `limit`.
    """
    made = keys if isinstance(keys, Mapping) else {name: f"t.{name}" for name in keys}
    columns = ", ".join([*(f"{how} AS {name}" for name, how in made.items()), *added(sums)])
    places = ", ".join(str(place) for place in range(1, len(made) + 1))
    by = f" GROUP BY {places}" if made else ""
    ordered = ", ".join(each for each in (order, places) if each)
    end = " LIMIT :limit" if limited else ""
    return f"SELECT {columns} FROM {source} AS t WHERE {condition}{by}{f' ORDER BY {ordered}' if made else ''}{end}"


def values_of(where: SumFilter) -> dict[str, Any]:
    """The parameters of every question about `where`."""
    since = _FIRST_MS if where.since_ms is None else where.since_ms
    until = _LAST_MS if where.until_ms is None else where.until_ms
    first_day, end_day = day_of(hour_of(since) + DAY_MS - 1), day_of(until)
    if end_day <= first_day:
        first_day = end_day = until
    return {
        "hour_since": hour_of(since),
        "day_since": day_of(since),
        "until_ms": until,
        "first_day": first_day,
        "end_day": end_day,
        **{name: getattr(where, name) for name in _FILTERS},
    }


def by_hours_and_days(days: SumTable, where: SumFilter) -> str:
    """Operations of a span, as a table: whole days from `days`, and what is left at both ends by the hour.

    By the hour, a month has nearly as many rows as operations.
    """
    columns = ", ".join((*days.keys, *days.sums))
    known = [f"t.{name} = :{name}" for name in _FILTERS if name in days.keys and getattr(where, name)]
    parts = (
        (OPERATION_HOUR, "hour_since", "first_day"),
        (days, "first_day", "end_day"),
        (OPERATION_HOUR, "end_day", "until_ms"),
    )
    return " UNION ALL ".join(
        f"SELECT t.{table.time} - t.{table.time} % {DAY_MS} AS day_ms, {columns} FROM {table.name} AS t WHERE "
        + " AND ".join([f"t.{table.time} >= :{since} AND t.{table.time} < :{until}", *known])
        for table, since, until in parts
    )
