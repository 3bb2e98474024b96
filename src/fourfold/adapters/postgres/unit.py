"""`PostgresUnit`: the open transaction as handlers, claims and runs see it (ports.Unit)."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

from fourfold.adapters.postgres.guard import Rights
from fourfold.adapters.postgres.session import Cursor, Session
from fourfold.adapters.sql.unit import ALONE, no_subject
from fourfold.errors import StoreError
from fourfold.ports.units import Parameters, Row

__all__ = ["PostgresUnit"]

T = TypeVar("T")

# The command tag tells changes from reads: the driver counts the rows of a SELECT as well.
_CHANGES = ("INSERT", "UPDATE", "DELETE", "MERGE")


class PostgresUnit:
    """Statements in, rows out, for as long as its transaction is open; afterwards `StoreError`."""

    def __init__(self, session: Session, *, rights: Rights, subject: Callable[[str], None] = no_subject) -> None:
        self._session: Session | None = session
        self._rights = rights
        self._subject = subject
        self.changed = 0
        """Rows that this unit changed; not those that triggers and cascades changed."""

    def execute(self, sql: str, parameters: Parameters = ()) -> int:
        """Run one statement; the number of rows it changed."""
        before = self.changed
        self._run(sql, _nothing, parameters=parameters)
        return self.changed - before

    def row(self, sql: str, parameters: Parameters = ()) -> Row | None:
        """The first row of a query, or `None`."""
        return self._run(sql, Cursor.fetchone, parameters=parameters)

    def rows(self, sql: str, parameters: Parameters = ()) -> list[Row]:
        """All rows of a query. Bound it with LIMIT."""
        return [*self._run(sql, Cursor.fetchall, parameters=parameters)]

    def subject(self, value: str) -> None:
        """Name the run's Subject."""
        self._subject(value)

    def as_framework(self) -> PostgresUnit:
        """A unit over the same transaction for the framework's tables."""
        return PostgresUnit(self._open(), rights=Rights.FRAMEWORK)

    def alone(self, about: str) -> None:
        """Keep out other writes that ask for the same `about`, until this one ends; a read keeps out nobody.

        Raises:
            StoreContended: another one has it, and went on for longer than the framework waits.
        """
        if self._open().writes:
            self.execute(ALONE, (about,))

    def close(self) -> None:
        """End it: the transaction goes on without this unit."""
        self._session = None

    def _open(self) -> Session:
        if self._session is None:
            raise StoreError("this unit is over; a handler must not keep it beyond its call")
        return self._session

    def _run(self, sql: str, read: Callable[[Cursor], T], *, parameters: Parameters) -> T:
        def counted(cursor: Cursor) -> T:
            if (cursor.statusmessage or "").startswith(_CHANGES):
                self.changed += cursor.rowcount
            return read(cursor)

        return self._open().run(sql, counted, parameters=parameters, rights=self._rights)


def _nothing(_: Cursor) -> None:
    """Read no rows: the statement may have none to read."""
