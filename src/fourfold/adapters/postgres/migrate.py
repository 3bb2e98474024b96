"""Migrations of the framework's tables in PostgreSQL. Owns the table `fourfold_migration`."""

from __future__ import annotations

from collections.abc import Sequence

import psycopg

from fourfold.adapters.postgres.address import Address
from fourfold.adapters.postgres.connect import Connection, connect
from fourfold.adapters.sql.migrations import Migration, load, missing
from fourfold.errors import StoreError

__all__ = ["exists", "migrate", "pending"]

_PACKAGE = "fourfold.adapters.postgres"

_TABLE = b"""
CREATE TABLE IF NOT EXISTS fourfold_migration (
    number BIGINT PRIMARY KEY,
    name TEXT NOT NULL,
    sha256 TEXT NOT NULL,
    applied_at TIMESTAMPTZ NOT NULL DEFAULT now()
)
"""

_HAS_TABLE = "SELECT to_regclass('fourfold_migration') IS NOT NULL AS there"
_APPLIED = "SELECT number, sha256 FROM fourfold_migration ORDER BY number"
_RECORD = "INSERT INTO fourfold_migration (number, name, sha256) VALUES ($1, $2, $3)"
_ALONE = "SELECT pg_advisory_xact_lock(hashtext('fourfold.migrate'))"


def exists(address: Address) -> bool:
    """Whether the database has had a migration.

    Raises:
        StoreError: the database cannot be reached.
    """
    with connect(address) as connection:
        return bool(_applied(connection))


def migrate(address: Address) -> Sequence[str]:
    """Bring the database up to date; the names of what was applied. All of it is one transaction.

    Raises:
        StoreError: the database cannot be reached, is newer than this code, was made from other migrations, or
            refused; nothing was changed.
    """
    # Looking needs no right to make tables, so a server can start with a role that has none.
    if not pending(address):
        return []
    with connect(address) as connection:
        try:
            return _apply_missing(connection)
        except psycopg.errors.InsufficientPrivilege as error:
            how = "run `fourfold migrate` as a role that may make tables, or GRANT CREATE ON SCHEMA … to this one"
            raise StoreError(f"{error.diag.message_primary}: {how}") from error
        except psycopg.Error as error:
            raise StoreError(f"a migration failed, nothing was changed: {error.diag.message_primary}") from error


def pending(address: Address) -> Sequence[str]:
    """The names of migrations that the database has still to get, in order.

    Raises:
        StoreError: the database cannot be reached, is newer than this code, or was made from other migrations.
    """
    with connect(address) as connection:
        return [migration.name for migration in _missing(connection)]


def _apply_missing(connection: Connection) -> Sequence[str]:
    with connection.transaction():
        connection.execute(_ALONE)
        # Looked at again: another server may have been first.
        lacking = _missing(connection)
        connection.execute(_TABLE)
        for migration in lacking:
            connection.execute(migration.script.encode())
            connection.execute(_RECORD, (migration.number, migration.name, migration.sha256))
    return [migration.name for migration in lacking]


def _missing(connection: Connection) -> Sequence[Migration]:
    return missing(load(_PACKAGE), _applied(connection))


def _applied(connection: Connection) -> dict[int, str]:
    """The digest of each applied migration by its number."""
    there = connection.execute(_HAS_TABLE).fetchone()
    rows = connection.execute(_APPLIED).fetchall() if there and there["there"] else []
    return {row["number"]: row["sha256"] for row in rows}
