"""`Readers`: a few read-only connections, used from threads."""

from __future__ import annotations

import threading
from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

import anyio
import anyio.to_thread

from fourfold.adapters.sql.limit import Limit
from fourfold.adapters.sqlite.connect import Connect
from fourfold.adapters.sqlite.session import Session
from fourfold.errors import DeadlineExceeded, StoreError

__all__ = ["Readers"]

T = TypeVar("T")

CONNECTIONS = 4
"""Reads that run at a time."""

_RECHECK_S = 0.05


class Readers:
    """Runs reads in threads of its own limiter, so that other threads of the process cannot starve them."""

    def __init__(self, connect: Connect, path: Path, *, count: int = CONNECTIONS) -> None:
        self._idle = [Session.open(connect, path, read_only=True) for _ in range(count)]
        self._free = threading.Condition()
        self._closed = False
        self._limiter = anyio.CapacityLimiter(count)

    async def run(self, work: Callable[[Session], T], limit: Limit) -> T:
        """Run `work` with an idle connection. A caller that is cancelled does not wait for the running statement.

        Raises:
            DeadlineExceeded: the limit was passed.
            StoreError: SQLite refused, or the store is closed.
        """
        try:
            return await anyio.to_thread.run_sync(self._run, work, limit, limiter=self._limiter, abandon_on_cancel=True)
        finally:
            # After a cancellation the thread still runs; this ends its statement within a millisecond.
            limit.stop()

    def close(self) -> None:
        """Close the idle connections; one that is in use is closed when it comes back."""
        with self._free:
            self._closed = True
            while self._idle:
                self._idle.pop().close()
            self._free.notify_all()

    def _run(self, work: Callable[[Session], T], limit: Limit) -> T:
        session = self._borrow(limit)
        try:
            return work(session)
        finally:
            self._return(session)

    def _borrow(self, limit: Limit) -> Session:
        """An idle connection. There is one, unless a cancelled read has not ended yet."""
        with self._free:
            while not self._idle:
                if self._closed:
                    raise StoreError("the store is closed")
                if limit.passed():
                    raise DeadlineExceeded("the deadline passed before the read could begin")
                self._free.wait(_RECHECK_S)
            return self._idle.pop()

    def _return(self, session: Session) -> None:
        with self._free:
            if self._closed:
                session.close()
                return
            self._idle.append(session)
            self._free.notify()
