"""`open_memory`: a store with one connection to SQLite in memory.

It is SQLite and not dictionaries so that it behaves as the embedded store does: the same SQL, the same unit, guard,
claims and runs, and so nothing that has to be kept equal. What it lacks is what one process does not need: no writer
thread, no group, no lock file. Each write is a transaction of its own and runs where it is called.
"""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

import anyio.lowlevel

from fourfold.adapters.sql.limit import NO_LIMIT, Limit
from fourfold.adapters.sql.records import Record, insert
from fourfold.adapters.sql.runs import SqlRuns
from fourfold.adapters.sql.stores import SqlStores
from fourfold.adapters.sqlite.connect import connect
from fourfold.adapters.sqlite.migrate import apply_missing
from fourfold.adapters.sqlite.sandbox.runner import SandboxRunner
from fourfold.adapters.sqlite.session import Session
from fourfold.adapters.sqlite.transaction import SqliteTransaction, read_once, run_member
from fourfold.errors import DeadlineExceeded, StoreError
from fourfold.ports.clock import Clock
from fourfold.ports.units import Transaction, Unit

__all__ = ["MemoryStore", "MemoryUnits", "open_memory"]

T = TypeVar("T")

_log = logging.getLogger(__name__)


class MemoryUnits:
    """Reads and writes over one connection, one at a time (ports.Units)."""

    def __init__(self, *, clock: Clock) -> None:
        self._clock = clock
        self._session = Session.open(connect, Path(":memory:"), read_only=False)
        self._lock = threading.Lock()
        self.writes = 0
        """Rows that handlers changed and that were committed, by triggers and cascades too; not the framework's."""
        apply_missing(self._session)

    async def read(
        self, work: Callable[[Unit], T], *, deadline: float, subject: Callable[[str], None], tenant: str | None = None
    ) -> T:
        """Run `work` where it is called, with a unit that cannot write.

        Raises:
            DeadlineExceeded: the deadline passed; the query was interrupted.
            StoreError: the database refused, or the store is closed.
        """
        # A caller that was cancelled before is gone before anything runs, as one that waits for a writer would be.
        await anyio.lowlevel.checkpoint()
        with self._lock:
            self._check_open()
            self._session.control("PRAGMA query_only = ON")
            try:
                return read_once(self._session, work, limit=Limit(self._clock.ticks, deadline), subject=subject)
            finally:
                self._session.control("PRAGMA query_only = OFF")

    async def write(self, work: Callable[[Transaction], T], *, deadline: float, tenant: str | None = None) -> T:
        """Run `work` in one transaction and commit it; if it raises, all of it is undone.

        Raises:
            DeadlineExceeded: the deadline passed, and what the work had done was undone.
            StoreError: the database refused, or the store is closed.
        """
        limit = Limit(self._clock.ticks, deadline)
        await anyio.lowlevel.checkpoint()
        if limit.passed():
            raise DeadlineExceeded("the deadline passed before the work could begin")
        return self._commit(work, limit)

    async def prepare(self, work: Callable[[Unit], object]) -> None:
        """Make a catalog's own tables and first rows, in one transaction. What it writes does not count as writes.

        Raises:
            StoreError: the database refused, or the store is closed; nothing was saved.
        """

        def member(transaction: SqliteTransaction) -> None:
            transaction.prepare(work)

        await anyio.lowlevel.checkpoint()
        self._commit(member, NO_LIMIT)

    def image(self) -> bytes:
        """A copy of the database as it is between two writes.

        Raises:
            StoreError: the store is closed.
        """
        with self._lock:
            self._check_open()
            return self._session.image()

    def put(self, record: Record) -> None:
        """Store a run or a closing at once; one that cannot be stored is logged."""

        def member(transaction: SqliteTransaction) -> None:
            insert(transaction.unit, record)

        try:
            self._commit(member, NO_LIMIT)
        except StoreError as error:
            _log.error("a run record is lost", exc_info=error)

    async def flush(self) -> None:
        """Return: nothing waits here."""
        await anyio.lowlevel.checkpoint()

    async def aclose(self) -> None:
        """Close, and with it forget everything. Later calls raise `StoreError`."""
        await anyio.lowlevel.checkpoint()
        with self._lock:
            self._session.close()

    def _commit(self, work: Callable[[SqliteTransaction], T], limit: Limit) -> T:
        with self._lock:
            self._check_open()
            self._session.control("BEGIN IMMEDIATE")
            try:
                value, changed = run_member(self._session, work, limit=limit)
                self._session.control("COMMIT")
            finally:
                self._session.rollback()
        self.writes += changed
        return value

    def _check_open(self) -> None:
        if self._session.closed:
            raise StoreError("the store is closed")


@dataclass(frozen=True, slots=True, kw_only=True)
class MemoryStore(SqlStores):
    """An open store in memory, with the same parts as a SQLite store."""

    units: MemoryUnits
    runs: SqlRuns
    queries: SandboxRunner

    async def aclose(self) -> None:
        """Close it and forget everything. Later calls raise `StoreError`."""
        await self.units.aclose()


def open_memory(*, clock: Clock) -> MemoryStore:
    """A new, empty store."""
    units = MemoryUnits(clock=clock)
    queries = SandboxRunner(image=units.image)
    return MemoryStore(units=units, runs=SqlRuns(units, units), queries=queries)
