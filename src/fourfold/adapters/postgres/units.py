"""`PostgresUnits`: transactions on pooled connections (ports.Units), each in a thread."""

from __future__ import annotations

import secrets
import threading
import time
from collections.abc import Callable, Generator
from contextlib import contextmanager
from functools import partial
from typing import TypeVar

import anyio
import anyio.to_thread

from fourfold.adapters.postgres.address import Address
from fourfold.adapters.postgres.commit import was_committed
from fourfold.adapters.postgres.connect import Connection
from fourfold.adapters.postgres.guard import Rights
from fourfold.adapters.postgres.pool import Pool
from fourfold.adapters.postgres.session import AnswerLost, Session
from fourfold.adapters.postgres.trail import Trail
from fourfold.adapters.postgres.transaction import PostgresTransaction
from fourfold.adapters.postgres.unit import PostgresUnit
from fourfold.adapters.sql.limit import NO_LIMIT, Limit
from fourfold.adapters.sql.unit import no_subject
from fourfold.errors import CommitUnknown, DeadlineExceeded, StoreContended, StoreError
from fourfold.ports.clock import Clock
from fourfold.ports.telemetry import Telemetry
from fourfold.ports.units import Transaction, Unit

__all__ = ["PostgresUnits"]

T = TypeVar("T")

READS = 8
WRITES = 16
"""Transactions of a kind that run at a time in one process; more of them wait."""

_RUNS = 30
"""How often work runs at most, when the database gives it up for other work or the connection breaks."""

_LONGEST_PAUSE_MS = 40


class _Again(Exception):
    """The transaction is undone for certain, and its work may run again. Carries what would be raised instead."""

    def __init__(self, error: BaseException) -> None:
        self.error = error
        super().__init__("the work may run again")


class PostgresUnits:
    """One PostgreSQL database with pooled connections.

    `work` runs in a thread. It runs again when the database gave up its transaction for another one, and when the
    connection broke before anything was committed.
    """

    def __init__(
        self,
        address: Address,
        *,
        clock: Clock,
        connection_class: type[Connection],
        telemetry: Telemetry | None = None,
    ) -> None:
        self._address = address
        self._telemetry = telemetry
        self._clock = clock
        # One connection beyond them is for the runs.
        self._pool = Pool(address, size=READS + WRITES + 1, connection_class=connection_class)
        self._readers = anyio.CapacityLimiter(READS)
        self._writers = anyio.CapacityLimiter(WRITES)
        self._counting = threading.Lock()
        self._again = threading.Lock()
        self.trail = Trail(partial(self._commit, limit=NO_LIMIT, tenant=None))
        """Where runs queue that are not part of a write."""
        self.writes = 0
        """Rows that handlers changed and that were committed; not the framework's."""

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
        run = partial(self.read_now, work, limit, subject=subject, tenant=tenant)
        try:
            return await anyio.to_thread.run_sync(run, limiter=self._readers, abandon_on_cancel=True)
        finally:
            # After a cancellation the thread still runs; this ends its statement.
            limit.stop()

    async def write(self, work: Callable[[Transaction], T], *, deadline: float, tenant: str | None = None) -> T:
        """Run `work` in a transaction; its value once that is committed.

        Raises:
            DeadlineExceeded: the deadline passed, and what the work had done was undone.
            StoreBusy: no connection became free, or could be made.
            StoreContended: another transaction holds what this one needs; nothing was saved.
            CommitUnknown: COMMIT's answer was lost and the database cannot be asked.
            StoreError: the database refused or failed; nothing was saved.
        """
        run = partial(self._commit, work, limit=Limit(self._clock.ticks, deadline), tenant=tenant)
        return await anyio.to_thread.run_sync(run, limiter=self._writers)

    async def prepare(self, work: Callable[[Unit], object]) -> None:
        """Make a catalog's own tables and first rows, in one transaction. What it writes does not count as writes.

        Raises:
            StoreError: the database refused or failed; nothing was saved.
        """

        def run(transaction: PostgresTransaction) -> None:
            transaction.prepare(work, handlers=self._address.handlers)

        await anyio.to_thread.run_sync(partial(self._commit, run, limit=NO_LIMIT, tenant=None), limiter=self._writers)

    async def aclose(self) -> None:
        """Store what is queued and close. Later calls raise `StoreError`."""
        with anyio.CancelScope(shield=True):
            await anyio.to_thread.run_sync(self._close, limiter=anyio.CapacityLimiter(1))

    def _close(self) -> None:
        self.trail.close()
        self._pool.close()

    def read_now(
        self,
        work: Callable[[Unit], T],
        limit: Limit,
        *,
        tenant: str | None,
        subject: Callable[[str], None] = no_subject,
    ) -> T:
        """Run a read in the calling thread.

        Raises:
            DeadlineExceeded, StoreError: as `read`.
        """
        if limit.passed():
            raise DeadlineExceeded("the deadline passed before the read could begin")
        with self._pool.begun(lambda session: session.begin_read(limit, tenant=tenant), limit) as session:
            unit = PostgresUnit(session, rights=Rights.HANDLER, subject=subject)
            try:
                return work(unit)
            finally:
                unit.close()

    def _commit(self, work: Callable[[PostgresTransaction], T], *, limit: Limit, tenant: str | None) -> T:
        """Run `work` until it is committed, or for as often as may be."""
        for run in range(1, _RUNS + 1):
            if limit.passed():
                raise DeadlineExceeded("the deadline passed before the work could begin")
            try:
                with self._turn(run, limit):
                    return self._commit_once(work, limit, tenant=tenant)
            except _Again as again:
                if run == _RUNS:
                    raise StoreContended("other work came in between each time; nothing was saved") from again.error
                self._prepare_again(again.error, run)
        raise AssertionError("the last run returns or raises")

    @contextmanager
    def _turn(self, run: int, limit: Limit) -> Generator[None]:
        """Let work that runs again wait for others that do: all at once, they would only give each other up."""
        if run == 1:
            yield
            return
        if not self._again.acquire(timeout=min(limit.left(), threading.TIMEOUT_MAX)):
            raise DeadlineExceeded("the deadline passed before the work could begin again")
        try:
            yield
        finally:
            self._again.release()

    def _prepare_again(self, error: BaseException, run: int) -> None:
        """Wait for a moment that grows and that two rivals do not share."""
        if not isinstance(error, StoreContended):
            self._pool.renew()
        # Rivals that wait equally long meet again.
        time.sleep(secrets.randbelow(min(2**run, _LONGEST_PAUSE_MS)) / 1_000)

    def _commit_once(self, work: Callable[[PostgresTransaction], T], limit: Limit, *, tenant: str | None) -> T:
        def begin(session: Session) -> None:
            session.begin_write(limit, tenant=tenant, isolation=self._address.isolation)

        with self._pool.begun(begin, limit) as session:
            value, changed = _worked(session, work, limit)
            self._conclude(session)
        with self._counting:
            self.writes += changed
        return value

    @contextmanager
    def _told(self) -> Generator[None]:
        """Tell how long a COMMIT took."""
        started, error = time.perf_counter(), ""
        try:
            yield
        except StoreError as failed:
            error = type(failed).__name__
            raise
        finally:
            if self._telemetry is not None:
                self._telemetry.store_worked("commit", seconds=time.perf_counter() - started, error=error)

    def _conclude(self, session: Session) -> None:
        """Commit, and return only if that is certain."""
        try:
            with self._told():
                session.commit()
        except AnswerLost as lost:
            committed = was_committed(self._address, lost.mark)
            if committed is None:
                raise CommitUnknown(str(lost)) from lost
            if not committed:
                raise _Again(StoreError(f"nothing was saved: {lost}")) from lost
        except StoreContended as error:
            raise _Again(error) from error


def _worked(session: Session, work: Callable[[PostgresTransaction], T], limit: Limit) -> tuple[T, int]:
    """What `work` comes to, and the rows its handlers changed."""
    transaction = PostgresTransaction(session)
    try:
        value = work(transaction)
    except BaseException as error:
        _require_standing(session, error)
        raise
    finally:
        transaction.close()
    _require_standing(session, None)
    if limit.passed():
        raise DeadlineExceeded("the deadline passed before the end of the work")
    return value, transaction.changed


def _require_standing(session: Session, error: BaseException | None) -> None:
    """Refuse what was made of a transaction that the database gave up, whatever the work made of its errors."""
    if session.collided or session.lost:
        why = error or StoreContended("the database gave this transaction up for another one")
        raise _Again(why) from error
