"""SQLite as the contenders without a store of their own use it: a lock, a connection, one COMMIT a write.

The settings are those of Fourfold's store: WAL and full synchronization, so a write that was answered survives a
power cut in every contender.
"""

from __future__ import annotations

import sqlite3
import threading
from pathlib import Path
from typing import Any
from uuid import UUID

from benchmarks.quote import TENANT, Invoices, QuoteRequest, Saved, invoices_of, prepare, save
from fourfold.ports.units import Parameters, Row

__all__ = ["PlainStore"]


class _PlainUnit:
    """Statements on a connection, in the shape that the domain code takes (ports.Unit)."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection = connection

    def execute(self, sql: str, parameters: Parameters = ()) -> int:
        """Run one statement."""
        return self._connection.execute(sql, parameters).rowcount

    def row(self, sql: str, parameters: Parameters = ()) -> Row | None:
        """The first row of a query."""
        return next(iter(self.rows(sql, parameters)), None)

    def rows(self, sql: str, parameters: Parameters = ()) -> list[Row]:
        """All rows of a query."""
        cursor = self._connection.execute(sql, parameters)
        names = [column[0] for column in cursor.description]
        found: list[tuple[Any, ...]] = cursor.fetchall()
        return [dict(zip(names, row, strict=True)) for row in found]

    def subject(self, value: str) -> None:
        """No run is kept here, so no Subject is."""


class PlainStore:
    """One database with a connection for writes and one for reads. Call it from worker threads."""

    def __init__(self, path: Path) -> None:
        self._writing = _open(path)
        self._reading = _open(path)
        self._write_lock = threading.Lock()
        self._read_lock = threading.Lock()
        with self._writing:
            prepare(_PlainUnit(self._writing))

    def save(self, request: QuoteRequest) -> Saved:
        """Save a quote in a transaction of its own."""
        # Entering the connection begins nothing; leaving it commits, or rolls back.
        with self._write_lock, self._writing:
            self._writing.execute("BEGIN IMMEDIATE")
            return save(_PlainUnit(self._writing), request, tenant=TENANT)

    def invoices(self, account_id: UUID) -> Invoices:
        """The invoices of an account."""
        with self._read_lock:
            return invoices_of(_PlainUnit(self._reading), account_id, tenant=TENANT)


def _open(path: Path) -> sqlite3.Connection:
    connection = sqlite3.connect(path, isolation_level=None, check_same_thread=False, cached_statements=256)
    connection.execute("PRAGMA journal_mode = WAL")
    connection.execute("PRAGMA synchronous = FULL")
    return connection
