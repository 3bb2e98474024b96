"""`open_postgres`: the store on PostgreSQL with everything in it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import cast

import psycopg

from fourfold.adapters.postgres.address import read_address
from fourfold.adapters.postgres.connect import Connection
from fourfold.adapters.postgres.migrate import exists, migrate, pending
from fourfold.adapters.postgres.queries import CopiedQueries
from fourfold.adapters.postgres.role import require_bound_role
from fourfold.adapters.postgres.units import PostgresUnits
from fourfold.adapters.sql.runs import SqlRuns
from fourfold.adapters.sql.seals import SqlSeals
from fourfold.adapters.sql.stores import SqlStores
from fourfold.ports.clock import Clock
from fourfold.ports.telemetry import Telemetry

__all__ = ["PostgresStore", "is_in_postgres", "migrate_postgres", "open_postgres", "pending_in_postgres"]


_CONNECTION = cast("type[Connection]", psycopg.Connection)

# An INSERT has this lock before it takes a number, until its transaction ends. Snapshots would not do: a transaction
# may have a number and no id yet.
_WRITERS = """
SELECT DISTINCT virtualtransaction AS writer FROM pg_locks
WHERE locktype = 'relation' AND mode = 'RowExclusiveLock' AND granted
    AND database = (SELECT oid FROM pg_database WHERE datname = current_database())
    AND relation = 'fourfold_run'::regclass
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class PostgresStore(SqlStores):
    """An open PostgreSQL store: transactions, and the framework's records over them."""

    units: PostgresUnits
    runs: SqlRuns
    queries: CopiedQueries
    seals: SqlSeals = field(default_factory=lambda: SqlSeals(_WRITERS))

    async def aclose(self) -> None:
        """Store what is queued and close the connections. Later calls raise `StoreError`."""
        await self.units.aclose()


def open_postgres(
    url: str,
    *,
    clock: Clock,
    connection_class: type[Connection] = _CONNECTION,
    telemetry: Telemetry | None = None,
) -> PostgresStore:
    """Open the store at `postgresql://user@host:5432/database`, with its tables brought up to date.

    `connection_class` is what the connections that work goes through are made of. `telemetry` is told how long commits
    took.

    Raises:
        ConfigError: the URL has another form, or its role may not serve.
        StoreError: the database cannot be reached, or is newer than this code.
    """
    address = read_address(url)
    migrate(address)
    require_bound_role(address)
    units = PostgresUnits(address, clock=clock, connection_class=connection_class, telemetry=telemetry)
    return PostgresStore(units=units, runs=SqlRuns(units, units.trail), queries=CopiedQueries(units.read_now))


def is_in_postgres(url: str) -> bool:
    """Whether the database at `url` has any of the framework's tables.

    Raises:
        ConfigError: the URL has another form.
        StoreError: the database cannot be reached.
    """
    return exists(read_address(url))


def migrate_postgres(url: str) -> Sequence[str]:
    """Bring the tables at `url` up to date, as whatever role it names; the names of what was applied.

    Raises:
        ConfigError: the URL has another form.
        StoreError: the database cannot be reached, is newer than this code, or refused; nothing was changed.
    """
    return migrate(read_address(url))


def pending_in_postgres(url: str) -> Sequence[str]:
    """The names of migrations that the database at `url` has still to get, in order.

    Raises:
        ConfigError: the URL has another form.
        StoreError: the database cannot be reached, or is newer than this code.
    """
    return pending(read_address(url))
