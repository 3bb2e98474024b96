"""Records that wait to be stored: a bounded queue, and the batch that stores it in one transaction."""

from __future__ import annotations

import logging
import threading
from collections import deque
from collections.abc import Sequence
from contextlib import AbstractContextManager
from typing import Protocol

from fourfold.adapters.sql.records import Record, insert
from fourfold.errors import StoreError
from fourfold.ports.units import Unit

__all__ = ["Backlog", "Batch", "Savepoints"]

CAPACITY = 10_000
"""Records kept while they cannot be stored; beyond it the oldest are dropped and counted."""

_log = logging.getLogger(__name__)


class Backlog:
    """Records in the order they came. Safe from any thread."""

    def __init__(self, *, capacity: int = CAPACITY) -> None:
        self._records: deque[Record] = deque()
        self._capacity = capacity
        self._lock = threading.RLock()
        self.dropped = 0
        """Records that were never stored: the queue was full, or the database refused them."""
        self.stuck = False
        """Whether the last batch failed; its records wait for the next one."""

    def __len__(self) -> int:
        return len(self._records)

    def put(self, record: Record) -> bool:
        """Queue `record`, in place of the oldest one if it must be; whether it is the only one."""
        with self._lock:
            self._records.append(record)
            self._trim()
            return len(self._records) == 1

    def take(self) -> list[Record]:
        """All records, which are the taker's now."""
        with self._lock:
            taken = list(self._records)
            self._records.clear()
        return taken

    def give_back(self, records: Sequence[Record]) -> None:
        """Put records that could not be stored in front again."""
        with self._lock:
            self._records.extendleft(reversed(records))
            self._trim()

    def drop(self, count: int, *, why: str) -> None:
        """Count records that will not be stored; the log has the first time only."""
        with self._lock:
            if not self.dropped:
                _log.error("run records are lost: %s; from now on they are only counted", why)
            self.dropped += count

    def _trim(self) -> None:
        while len(self._records) > self._capacity:
            self._records.popleft()
            self.drop(1, why="the queue is full")


class Savepoints(Protocol):
    """What a batch needs of the transaction that it runs in."""

    @property
    def unit(self) -> Unit:
        """The framework's own unit."""
        ...

    @property
    def open(self) -> bool:
        """Whether the transaction is still there; the database may have undone all of it."""
        ...

    def savepoint(self, name: str) -> AbstractContextManager[None]:
        """A savepoint for the framework's own statements."""
        ...


class Batch:
    """What a backlog holds when its turn comes, stored in one transaction."""

    def __init__(self, backlog: Backlog) -> None:
        self._backlog = backlog
        self._records: list[Record] = []
        self._refused: list[str] = []

    def write(self, transaction: Savepoints) -> None:
        """Store the records. It may run again with its transaction, and then stores what came meanwhile as well."""
        self._records += self._backlog.take()
        self._refused = []
        try:
            with transaction.savepoint("batch"):
                for record in self._records:
                    insert(transaction.unit, record)
        except StoreError:
            # Most likely one bad record; it must not cost the others.
            if not transaction.open:
                raise
            for record in self._records:
                self._write_alone(transaction, record)

    def settle(self, error: BaseException | None) -> None:
        """Forget the records that are committed now, or give them back."""
        if error is None:
            self._count_refused()
        else:
            self._give_back(error)
        self._records = []

    def _write_alone(self, transaction: Savepoints, record: Record) -> None:
        try:
            with transaction.savepoint("record"):
                insert(transaction.unit, record)
        except StoreError as error:
            if not transaction.open:
                raise
            self._refused.append(str(error))

    def _count_refused(self) -> None:
        self._backlog.stuck = False
        for why in self._refused:
            self._backlog.drop(1, why=why)

    def _give_back(self, error: BaseException) -> None:
        if not self._backlog.stuck:
            _log.error("run records cannot be stored now; they wait", exc_info=error)
        self._backlog.stuck = True
        self._backlog.give_back(self._records)
