"""`Session`: one connection in one transaction, and the only place where statements run and driver errors become ours.

Owns the settings of the transaction, who it runs as, and the time limit of the running statement. Everything it sets
ends with the transaction.
"""

from __future__ import annotations

from collections.abc import Callable, Generator
from contextlib import contextmanager
from typing import Any, TypeVar

import psycopg
from psycopg import sql as compose
from psycopg.pq import TransactionStatus

from fourfold.adapters.postgres.address import Isolation
from fourfold.adapters.postgres.connect import DRIVER_ERRORS, Connection
from fourfold.adapters.postgres.guard import Rights, checked
from fourfold.adapters.postgres.watch import Watch
from fourfold.adapters.sql.limit import NO_LIMIT, Limit
from fourfold.errors import DeadlineExceeded, StoreContended, StoreError
from fourfold.ports.units import Parameters

__all__ = ["AnswerLost", "Cursor", "Session"]

T = TypeVar("T")

Cursor = psycopg.Cursor[dict[str, Any]]

LOCK_WAIT_MS = 1_000
"""How long the framework waits for a row that another transaction holds: a key that is running, above all."""

_SLACK_MS = 1_000
_LONGEST_MS = 60_000
_IN_TRANSACTION = (TransactionStatus.ACTIVE, TransactionStatus.INTRANS, TransactionStatus.INERROR)
_COLLISIONS = {"40001", "40P01"}
"""serialization_failure and deadlock_detected: the same work may succeed when it runs again."""

_MARK = "SELECT pg_current_xact_id()::text AS xid, left(pg_walfile_name(pg_current_wal_insert_lsn()), 8) AS timeline"


class AnswerLost(StoreError):
    """The connection broke while COMMIT was on its way; `mark` names the transaction."""

    def __init__(self, message: str, mark: dict[str, Any]) -> None:
        super().__init__(message)
        self.mark = mark


class Session:
    """One connection for one transaction. Exactly one thread at a time uses it."""

    def __init__(self, connection: Connection, watch: Watch, *, handlers: str | None) -> None:
        self.limit = NO_LIMIT
        self.writes = False
        """Whether the transaction may write."""
        self.collided = False
        """Whether the database gave up this transaction for another one; the work may run again."""
        self._connection = connection
        self._watch = watch
        self._handlers = handlers
        self._tenant: str | None = None
        self._rights = Rights.FRAMEWORK
        self._mark: dict[str, Any] = {}

    @property
    def alive(self) -> bool:
        """Whether a transaction is open, be it failed."""
        return not self.lost and self._connection.info.transaction_status in _IN_TRANSACTION

    @property
    def lost(self) -> bool:
        """Whether the connection is gone."""
        return self._connection.closed

    def begin_read(self, limit: Limit, *, tenant: str | None) -> None:
        """Begin a transaction over one snapshot that cannot write, for a handler.

        Raises:
            StoreError: the connection is gone, or the database refused.
        """
        self._begin("ISOLATION LEVEL REPEATABLE READ READ ONLY", limit, tenant=tenant, rights=Rights.HANDLER)

    def begin_write(self, limit: Limit, *, tenant: str | None, isolation: Isolation) -> None:
        """Begin a transaction that can be found again if COMMIT's answer is lost.

        Raises:
            StoreError: the connection is gone, or the database refused.
        """
        mode = f"ISOLATION LEVEL {isolation.upper()}"
        cursor = self._begin(mode, limit, tenant=tenant, rights=Rights.FRAMEWORK, last=_MARK)
        self._mark = cursor.fetchone() or {}
        self.writes = True

    def run(
        self,
        sql: str,
        read: Callable[[Cursor], T],
        *,
        parameters: Parameters = (),
        rights: Rights = Rights.FRAMEWORK,
    ) -> T:
        """Run one statement of the open transaction and `read` its cursor.

        Raises:
            DeadlineExceeded: the limit was passed before or while it ran.
            StoreContended: another transaction holds what it needs.
            StoreError: it may not run, there is no transaction any more, or PostgreSQL refused.
        """
        # Looked at before the transaction is: a statement that may not run costs no round trip.
        statement = checked(sql, rights)
        values = statement.values(parameters)
        self.require_transaction()
        if self.limit.passed():
            raise DeadlineExceeded("the deadline passed before the next statement")
        self._enter(rights)
        try:
            with self._watch.over(self._connection, self.limit):
                return read(self._connection.execute(statement.numbered.encode(), values))
        except DRIVER_ERRORS as error:
            raise self._translated(error) from error

    def require_transaction(self) -> None:
        """Refuse to go on without a transaction.

        Raises:
            StoreError: no transaction is open.
        """
        if not self.alive:
            raise StoreError("the transaction is over, so nothing more can be done in it")

    @contextmanager
    def savepoint(self, name: str, *, inside: Rights = Rights.FRAMEWORK) -> Generator[None]:
        """Keep what the block does, or undo exactly that if it raises. The block begins with the rights `inside`."""
        self.require_transaction()
        outside = self._rights
        self._control(f"SAVEPOINT {name}; {self._settings(inside)}")
        self._rights = inside
        try:
            yield
            self._control(f"{self._settings(outside)}; RELEASE {name}")
        except BaseException:
            self._undo_to(name)
            raise
        finally:
            # Undoing to a savepoint also undoes what was set after it.
            self._rights = outside

    def commit(self) -> None:
        """Commit.

        Raises:
            AnswerLost: the connection broke; the transaction may or may not be committed.
            StoreContended: the database gave it up for another transaction; nothing was saved.
            StoreError: the database refused; nothing was saved.
        """
        self.require_transaction()
        try:
            cursor = self._connection.execute("COMMIT")
        except DRIVER_ERRORS as error:
            if self.lost:
                raise AnswerLost(f"the answer to COMMIT was lost: {_primary(error)}", self._mark) from error
            raise self._translated(error) from error
        # COMMIT of a transaction in which something failed is a ROLLBACK, and no error.
        if cursor.statusmessage != "COMMIT":
            raise StoreError("a statement of this transaction failed, so nothing of it was saved")

    def rollback(self) -> None:
        """Undo the open transaction; if that fails, close the connection, which undoes it for certain."""
        if not self.alive:
            return
        try:
            self._control("ROLLBACK")
        except StoreError:
            self._connection.close()

    def _begin(self, mode: str, limit: Limit, *, tenant: str | None, rights: Rights, last: str = "") -> Cursor:
        self.limit, self._tenant, self._rights = limit, tenant, rights
        # All of it goes in one message: a round trip for each setting would cost more than the handler.
        left = limit.left()
        longest = round(left * 1_000) + _SLACK_MS if left < _LONGEST_MS else 0
        settings = [
            f"BEGIN {mode}",
            self._settings(rights),
            f"SET LOCAL statement_timeout = {longest}",
            # A process that hangs in the middle of a transaction would hold its locks for ever.
            f"SET LOCAL idle_in_transaction_session_timeout = {longest or _LONGEST_MS}",
            f"SET LOCAL fourfold.tenant = {self._quoted(tenant)}",
        ]
        cursor = self._control("; ".join([*settings, last] if last else settings))
        while cursor.nextset():
            pass
        return cursor

    def _quoted(self, text: str | None) -> str:
        try:
            return compose.Literal(text or "").as_string(self._connection)
        except DRIVER_ERRORS as error:
            raise StoreError(f"{type(error).__name__}: {error}") from error

    def _enter(self, rights: Rights) -> None:
        """Change over to the settings of `rights`."""
        if rights is not self._rights:
            self._control(self._settings(rights))
            self._rights = rights

    def _settings(self, rights: Rights) -> str:
        """Who runs statements with `rights`, whose rows they see, and how long they wait for others."""
        operator = rights is Rights.PREPARE or (rights is Rights.FRAMEWORK and self._tenant is None)
        settings = [
            f"SET LOCAL fourfold.operator = '{'on' if operator else ''}'",
            f"SET LOCAL lock_timeout = {LOCK_WAIT_MS if rights is Rights.FRAMEWORK else 0}",
        ]
        if self._handlers is not None:
            role = compose.Identifier(self._handlers).as_string(self._connection)
            settings.append(f"SET LOCAL ROLE {role if rights is Rights.HANDLER else 'NONE'}")
        return "; ".join(settings)

    def _undo_to(self, name: str) -> None:
        if not self.alive:
            return
        try:
            self._control(f"ROLLBACK TO {name}; RELEASE {name}")
        except StoreError:
            # Half-undone work must not be committed; closing the connection undoes all of it.
            self._connection.close()

    def _control(self, text: str) -> Cursor:
        """Run statements that open, set, save, commit or undo; no limit stops them."""
        try:
            return self._connection.execute(text.encode())
        except DRIVER_ERRORS as error:
            raise self._translated(error) from error

    def _translated(self, error: Exception) -> StoreError:
        """Our error for the driver's; the text is for logs and runs."""
        code = getattr(error, "sqlstate", None)
        text = f"{type(error).__name__}: {_primary(error)}"
        if code in _COLLISIONS:
            self.collided = True
            return StoreContended(text)
        if code == "55P03":
            return StoreContended("another transaction holds what this one needs")
        if code == "57014" and self.limit.passed():
            return DeadlineExceeded("the deadline passed while a statement ran")
        if code == "25006":
            return StoreError("a read-only unit cannot write; declare an effect that writes")
        if code == "25P02":
            return StoreError("a statement of this transaction failed, so nothing more can be done in it")
        return StoreError(text)


def _primary(error: Exception) -> str:
    """What the database says, without the values that it puts into details."""
    said = error.diag.message_primary if isinstance(error, psycopg.Error) else None
    return said or str(error).partition("\n")[0]
