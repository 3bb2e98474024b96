"""Puts made-up runs into a store, many at a time: `seed(url, Made(runs=50))`; and sums them up: `fold(url)`.

The rows are those that a server writes, and the store's triggers run. What is skipped is a server: no call is made.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Callable, Generator, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from functools import partial
from itertools import islice
from typing import Any

import psycopg

from benchmarks.made_runs import Made, MadeRun, made_runs
from fourfold.adapters.clock import SystemClock
from fourfold.adapters.postgres.address import read_address
from fourfold.adapters.sql.records import row_of
from fourfold.adapters.sqlite.store import sqlite_path
from fourfold.adapters.store_url import is_postgres
from fourfold.bootstrap.maintenance import apply_migrations, open_existing
from fourfold.model.run import Closing
from fourfold.runs.upkeep import fold_all

__all__ = ["fold", "seed"]

_CHUNK = 5_000

Rows = Sequence[Mapping[str, Any]]
Insert = Callable[[str, Rows], None]
"""Puts rows of the same columns into a table."""


def seed(url: str, made: Made) -> int:
    """Store the runs of `made` at `url`, `sqlite:///path` or `postgresql://…`; how many. The store is made if need be.

    Nothing sums them up: a server does so within a minute, `fourfold runs …` at once, and so does `fold`.
    """
    apply_migrations(url)
    stored = 0
    with _inserting(url) as insert:
        for chunk in _chunks(made_runs(made)):
            insert("fourfold_run", [row_of(each.run) for each in chunk])
            closings = [each.closing for each in chunk if each.closing]
            if closings:
                insert("fourfold_run_closing", [_closing_row(each) for each in closings])
            stored += len(chunk)
    return stored


async def fold(url: str, *, batch: int = _CHUNK) -> int:
    """Sum up every run at `url` that is in no sum yet; how many."""
    async with open_existing(url) as store:
        return await fold_all(store, clock=SystemClock(), batch=batch)


def _closing_row(closed: Closing) -> Mapping[str, Any]:
    return {"run_id": closed.run_id, "total_us": closed.total_us, "delivered": int(closed.delivered)}


def _chunks(runs: Iterator[MadeRun]) -> Iterator[Sequence[MadeRun]]:
    while chunk := list(islice(runs, _CHUNK)):
        yield chunk


@contextmanager
def _inserting(url: str) -> Generator[Insert]:
    """What inserts at `url`; all of it is one transaction."""
    if is_postgres(url):
        with psycopg.connect(read_address(url).reveal()) as connection:
            connection.execute("SELECT set_config('fourfold.operator', 'on', true)")
            yield partial(_into_postgres, connection)
        return
    with closing(sqlite3.connect(sqlite_path(url))) as connection, connection:
        connection.execute("PRAGMA synchronous = OFF")
        yield partial(_into_sqlite, connection)


def _into_sqlite(connection: sqlite3.Connection, table: str, rows: Rows) -> None:
    columns = ", ".join(rows[0])
    values = ", ".join(f":{name}" for name in rows[0])
    connection.executemany(f"INSERT INTO {table} ({columns}) VALUES ({values})", rows)  # noqa: S608  # our own names


def _into_postgres(connection: psycopg.Connection[Any], table: str, rows: Rows) -> None:
    """As one JSON text: COPY is refused where row-level security binds."""
    columns = ", ".join(rows[0])
    types = ", ".join(f"{name} {'bigint' if isinstance(value, int) else 'text'}" for name, value in rows[0].items())
    source = f"SELECT {columns} FROM jsonb_to_recordset(%s::jsonb) AS r ({types})"  # noqa: S608  # our own names
    statement = f"INSERT INTO {table} ({columns}) {source}"
    connection.execute(statement.encode(), (json.dumps(rows),))
