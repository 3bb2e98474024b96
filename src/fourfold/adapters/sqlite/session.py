"""`Session`: one connection, and the only place where statements run and driver errors become ours.

Owns the rights and the time limit of the running statement. Does not know what a transaction is for.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

from fourfold.adapters.sql.limit import NO_LIMIT
from fourfold.adapters.sqlite.connect import Connect
from fourfold.adapters.sqlite.guard import Rights, refusal
from fourfold.errors import DeadlineExceeded, StoreBusy, StoreError
from fourfold.ports.units import Parameters

__all__ = ["Session"]

T = TypeVar("T")

_STEPS_BETWEEN_CHECKS = 1_000
"""Instructions of SQLite's machine between two looks at the limit: well under a millisecond."""

_EVERYTHING = ~Rights.NONE

_DRIVER_ERRORS = (sqlite3.Error, sqlite3.Warning, OverflowError, UnicodeEncodeError)
"""What the driver raises for a bad statement or value; not all of it has one root."""


class Session:
    """One connection with its guard. Exactly one thread at a time uses it."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self.limit = NO_LIMIT
        self._connection = connection
        self._closed = False
        self._rights = Rights.NONE
        self._refusal = ""
        connection.set_authorizer(self._authorize)
        connection.set_progress_handler(self._stops, _STEPS_BETWEEN_CHECKS)

    @classmethod
    def open(cls, connect: Connect, path: Path, *, read_only: bool) -> Session:
        """Open a connection to `path`.

        Raises:
            StoreError: SQLite cannot open it.
        """
        try:
            return cls(connect(path, read_only=read_only))
        except _DRIVER_ERRORS as error:
            raise StoreError(f"cannot open {path}: {error}") from error

    @property
    def alive(self) -> bool:
        """Whether a transaction is open."""
        return not self._closed and self._connection.in_transaction

    @property
    def closed(self) -> bool:
        """Whether the connection is gone."""
        return self._closed

    @property
    def changes(self) -> int:
        """Rows changed since the connection was opened, by triggers and cascades too, whether or not kept."""
        return 0 if self._closed else self._connection.total_changes

    def run(
        self, sql: str, read: Callable[[sqlite3.Cursor], T], *, parameters: Parameters = (), rights: Rights = Rights.OWN
    ) -> T:
        """Run one statement of the open transaction and `read` its cursor.

        Raises:
            DeadlineExceeded: the limit was passed before or while it ran.
            StoreError: there is no transaction any more, or SQLite refused.
        """
        self.require_transaction()
        if self.limit.passed():
            raise DeadlineExceeded("the deadline passed before the next statement")
        return self._run(sql, read, parameters=parameters, rights=rights)

    def require_transaction(self) -> None:
        """Refuse to go on without a transaction; SQLite may have undone it, and then commits each statement.

        Raises:
            StoreError: no transaction is open.
        """
        if not self.alive:
            raise StoreError("the transaction is over, so nothing more can be done in it")

    def control(self, sql: str) -> None:
        """Run a statement that opens, saves, commits or undoes; no limit stops it.

        Raises:
            StoreError: SQLite refused.
        """
        # SQLite counts the steps of a prepared statement over all its runs, so even COMMIT has one that looks.
        limit, self.limit = self.limit, NO_LIMIT
        try:
            self._run(sql, sqlite3.Cursor.close, parameters=(), rights=_EVERYTHING)
        finally:
            self.limit = limit

    def rollback(self) -> None:
        """Undo the open transaction; if that fails, close the connection, which undoes it for certain."""
        if not self.alive:
            return
        try:
            self.control("ROLLBACK")
        except StoreError:
            self.close()

    def image(self) -> bytes:
        """The database as the bytes of a file."""
        return self._connection.serialize()

    def close(self) -> None:
        """Close the connection; what was not committed is undone."""
        self._closed = True
        self._connection.close()

    # Statements run in two ways only: `run` for what a unit asks, `control` for what holds a unit up.
    def _run(self, sql: str, read: Callable[[sqlite3.Cursor], T], *, parameters: Parameters, rights: Rights) -> T:
        self._rights = rights
        try:
            return read(self._connection.execute(sql, parameters))
        except _DRIVER_ERRORS as error:
            raise self._translated(error) from error

    def _translated(self, error: Exception) -> StoreError:
        """Our error for the driver's; the text is for logs and runs."""
        # The low byte is the primary code; errors of the driver itself, such as a bad parameter, have none.
        code = getattr(error, "sqlite_errorcode", sqlite3.SQLITE_OK) & 0xFF
        if code == sqlite3.SQLITE_INTERRUPT and self.limit.passed():
            return DeadlineExceeded("the deadline passed while a statement ran")
        if code == sqlite3.SQLITE_AUTH:
            return StoreError(self._refusal)
        if code == sqlite3.SQLITE_READONLY:
            return StoreError("a read-only unit cannot write; declare an effect that writes")
        if code in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED):
            return StoreBusy(f"another program holds the database: {error}")
        return StoreError(f"{type(error).__name__}: {error}")

    def _authorize(self, action: int, first: str | None, second: str | None, *_: str | None) -> int:
        reason = refusal(self._rights, action, first=first, second=second)
        if reason is None:
            return sqlite3.SQLITE_OK
        self._refusal = reason
        return sqlite3.SQLITE_DENY

    def _stops(self) -> bool:
        return self.limit.passed()
