"""`Trail`: stores runs that are no part of a write, a batch at a time, from a thread of its own."""

from __future__ import annotations

import threading
from collections.abc import Callable

import anyio.to_thread

from fourfold.adapters.postgres.transaction import PostgresTransaction
from fourfold.adapters.sql.backlog import Backlog, Batch
from fourfold.adapters.sql.records import Record
from fourfold.errors import StoreError

__all__ = ["Trail"]

_DELAY_S = 0.05
"""How long records wait for others to go with. With the commit they are stored within 100 ms."""

Write = Callable[[Callable[[PostgresTransaction], None]], None]
"""Runs its argument in one transaction and commits it."""


class Trail:
    """Where runs queue (`SqlRuns` puts them). Safe from any thread."""

    def __init__(self, write: Write) -> None:
        self.backlog = Backlog()
        self._write = write
        self._one_batch = threading.Lock()
        self._wake = threading.Condition()
        self._closing = False
        self._thread = threading.Thread(target=self._serve, name="fourfold-trail", daemon=True)
        self._thread.start()

    def put(self, record: Record) -> None:
        """Queue `record` for the next batch."""
        if self._closing:
            self.backlog.drop(1, why="the store is closed")
        elif self.backlog.put(record):
            with self._wake:
                self._wake.notify()

    async def flush(self) -> None:
        """Return when every record put so far is stored.

        Raises:
            StoreError: they could not be stored; they stay queued.
        """
        await anyio.to_thread.run_sync(self._store)

    def close(self) -> None:
        """Store what waits, with one try, and end the thread."""
        with self._wake:
            self._closing = True
            self._wake.notify()
        self._thread.join()

    def _serve(self) -> None:
        while self._await_records():
            self._try_to_store()
        self._try_to_store()
        if len(self.backlog):
            self.backlog.drop(len(self.backlog), why="the store was closed and could not take them")

    def _await_records(self) -> bool:
        """Wait until there is something to store, and a little longer; `False` when the store closes."""
        with self._wake:
            while not self._closing and not len(self.backlog):
                self._wake.wait()
            return not self._wake.wait_for(lambda: self._closing, _DELAY_S)

    def _try_to_store(self) -> None:
        try:
            self._store()
        except StoreError:
            # The batch has logged it, and its records wait for the next one.
            return

    def _store(self) -> None:
        with self._one_batch:
            if not len(self.backlog):
                return
            batch = Batch(self.backlog)
            try:
                self._write(batch.write)
            except BaseException as error:
                batch.settle(error)
                raise
            batch.settle(None)
