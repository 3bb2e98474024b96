"""What happens inside one transaction: savepoints, attempts, and a member from its start to its end.

Shared by the writer thread, the readers and the memory store. Does not begin or commit writes: their owners do.
"""

from __future__ import annotations

from collections.abc import Callable, Generator
from contextlib import AbstractContextManager, contextmanager
from typing import TypeVar

from fourfold.adapters.sql.limit import NO_LIMIT, Limit
from fourfold.adapters.sqlite.guard import Rights
from fourfold.adapters.sqlite.session import Session
from fourfold.adapters.sqlite.unit import SqliteUnit
from fourfold.errors import DeadlineExceeded, StoreError

__all__ = ["SqliteTransaction", "read_once", "run_member", "savepoint"]

T = TypeVar("T")


@contextmanager
def savepoint(session: Session, name: str) -> Generator[None]:
    """Keep what the block does, or undo exactly that if it raises."""
    # Outside a transaction SAVEPOINT would open one of its own, and RELEASE would commit it.
    session.require_transaction()
    session.control(f"SAVEPOINT {name}")
    try:
        yield
    except BaseException:
        _undo_to(session, name)
        raise
    session.require_transaction()
    session.control(f"RELEASE {name}")


class SqliteTransaction:
    """One member of a write (ports.Transaction)."""

    def __init__(self, session: Session) -> None:
        self._session = session
        self._unit = SqliteUnit(session, rights=Rights.OWN)
        self.changed = 0
        """Rows that attempts changed and kept, by triggers and cascades too."""

    @property
    def unit(self) -> SqliteUnit:
        """The framework's own unit: claims and runs go through it; it counts no handler writes."""
        return self._unit

    @property
    def open(self) -> bool:
        """Whether the transaction is still there; SQLite may have undone all of it."""
        return self._session.alive

    def attempt(self, work: Callable[[SqliteUnit], T], *, subject: Callable[[str], None]) -> T:
        """Run `work` with a guarded unit inside a savepoint; if it raises, what it wrote is undone."""
        unit = SqliteUnit(self._session, rights=Rights.NONE, subject=subject)
        result = self._within(unit, work)
        self.changed += unit.changed
        return result

    def prepare(self, work: Callable[[SqliteUnit], T]) -> T:
        """Run `work` with a unit that may also change the schema; what it writes counts as no handler's."""
        return self._within(SqliteUnit(self._session, rights=Rights.SCHEMA), work)

    def savepoint(self, name: str) -> AbstractContextManager[None]:
        """A savepoint for the framework's own statements."""
        return savepoint(self._session, name)

    def close(self) -> None:
        """End the framework's unit with the member."""
        self._unit.close()

    def _within(self, unit: SqliteUnit, work: Callable[[SqliteUnit], T]) -> T:
        with savepoint(self._session, "attempt"):
            try:
                return work(unit)
            finally:
                unit.close()


def run_member(session: Session, work: Callable[[SqliteTransaction], T], *, limit: Limit) -> tuple[T, int]:
    """Run one member of a write in a savepoint of its own; its value and the rows its handlers changed.

    Raises:
        DeadlineExceeded: the limit was passed, even if only between the last statement and the end.
        BaseException: whatever `work` raised; what it wrote is undone.
    """
    transaction = SqliteTransaction(session)
    session.limit = limit
    try:
        with savepoint(session, "member"):
            value = work(transaction)
            if limit.passed():
                raise DeadlineExceeded("the deadline passed before the end of the work")
        return value, transaction.changed
    finally:
        session.limit = NO_LIMIT
        transaction.close()


def read_once(session: Session, work: Callable[[SqliteUnit], T], *, limit: Limit, subject: Callable[[str], None]) -> T:
    """Run `work` over one snapshot of the data; the session is `query_only`, so that nothing can be written."""
    unit = SqliteUnit(session, rights=Rights.NONE, subject=subject)
    session.control("BEGIN")
    session.limit = limit
    try:
        return work(unit)
    finally:
        session.limit = NO_LIMIT
        unit.close()
        session.rollback()


def _undo_to(session: Session, name: str) -> None:
    """Undo to the savepoint, unless SQLite has undone the whole transaction already."""
    if not session.alive:
        return
    try:
        session.control(f"ROLLBACK TO {name}")
        session.control(f"RELEASE {name}")
    except StoreError:
        # Half-undone work must not be committed with the group; closing the connection undoes all of it.
        session.close()
