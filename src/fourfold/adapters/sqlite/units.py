"""`SqliteUnits`: reads and writes of the embedded store (ports.Units)."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import TypeVar

from fourfold.adapters.sql.limit import NO_LIMIT, Limit
from fourfold.adapters.sqlite.connect import Connect
from fourfold.adapters.sqlite.group import GroupCommit
from fourfold.adapters.sqlite.lock import WriterLock
from fourfold.adapters.sqlite.readers import Readers
from fourfold.adapters.sqlite.transaction import SqliteTransaction, read_once
from fourfold.adapters.sqlite.writer import Writer
from fourfold.ports.clock import Clock
from fourfold.ports.telemetry import Telemetry
from fourfold.ports.units import Transaction, Unit

__all__ = ["SqliteUnits"]

T = TypeVar("T")


class SqliteUnits:
    """One SQLite database with a writer thread and a few readers.

    A write joins a group with others: `work` runs on the writer thread, and may run again before anyone is
    answered, when another member of the group loses the transaction of all. A caller that is cancelled while its
    work waits takes it back; once it runs, it finishes and is committed.
    """

    def __init__(self, path: Path, *, clock: Clock, connect: Connect, telemetry: Telemetry | None = None) -> None:
        self._clock = clock
        self._readers = Readers(connect, path)
        self._writer = Writer(GroupCommit(connect, path, telemetry=telemetry), WriterLock(path))

    @property
    def trail(self) -> Writer:
        """Where runs queue that are not part of a write."""
        return self._writer

    @property
    def writes(self) -> int:
        """Rows that handlers changed and that were committed, by triggers and cascades too; not the framework's."""
        return self._writer.writes

    async def read(
        self, work: Callable[[Unit], T], *, deadline: float, subject: Callable[[str], None], tenant: str | None = None
    ) -> T:
        """Run `work` in a thread, over one snapshot and with a unit that cannot write.

        A caller that is cancelled leaves at once; the running statement is stopped.

        Raises:
            DeadlineExceeded: the deadline passed; the query was interrupted.
            StoreError: the database refused or failed.
        """
        limit = Limit(self._clock.ticks, deadline)
        return await self._readers.run(partial(read_once, work=work, limit=limit, subject=subject), limit)

    async def write(self, work: Callable[[Transaction], T], *, deadline: float, tenant: str | None = None) -> T:
        """Run `work` in a group's transaction; its value once that is committed.

        Raises:
            DeadlineExceeded: the deadline passed, and what the work had done was undone.
            StoreBusy: another writer process holds the store.
            CommitUnknown: COMMIT failed and the database cannot be read.
            StoreError: the database refused or failed; nothing was saved.
        """
        return await self._writer.submit(work, Limit(self._clock.ticks, deadline))

    async def prepare(self, work: Callable[[Unit], object]) -> None:
        """Make a catalog's own tables and first rows, in one transaction. What it writes does not count as writes.

        Raises:
            StoreError: the database refused or failed; nothing was saved.
        """

        def member(transaction: SqliteTransaction) -> None:
            transaction.prepare(work)

        await self._writer.submit(member, NO_LIMIT)

    async def aclose(self) -> None:
        """Flush what is waiting and close. Later calls raise `StoreError`."""
        # The writer's connection is the last to close: the last one moves the write-ahead log into the database.
        self._readers.close()
        await self._writer.aclose()
