"""`SqliteUnit`: the open transaction as handlers, claims and runs see it (ports.Unit)."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from typing import Any, TypeVar

from fourfold.adapters.sql.unit import no_subject
from fourfold.adapters.sqlite.guard import Rights, check_text
from fourfold.adapters.sqlite.session import Session
from fourfold.errors import StoreError
from fourfold.ports.units import Parameters, Row

__all__ = ["SqliteUnit"]

T = TypeVar("T")


class SqliteUnit:
    """Statements in, rows out, for as long as its transaction is open; afterwards `StoreError`."""

    def __init__(self, session: Session, *, rights: Rights, subject: Callable[[str], None] = no_subject) -> None:
        self._session: Session | None = session
        self._rights = rights
        # The driver keeps prepared statements by their text, and only preparing asks the authorizer: the mark keeps
        # a statement that was prepared under some rights from being run under others.
        self._mark = f"/*{rights.value}*/ "
        self._subject = subject
        self.changed = 0
        """Rows that this unit changed, by triggers and cascades too."""

    def execute(self, sql: str, parameters: Parameters = ()) -> int:
        """Run one statement; the number of rows it changed."""
        before = self.changed
        counted = self._run(sql, _count, parameters=parameters)
        # The driver counts only statements that start with INSERT, UPDATE, DELETE or REPLACE: not WITH … INSERT.
        return counted if counted >= 0 else self.changed - before

    def row(self, sql: str, parameters: Parameters = ()) -> Row | None:
        """The first row of a query, or `None`."""
        return self._run(sql, _first, parameters=parameters)

    def rows(self, sql: str, parameters: Parameters = ()) -> list[Row]:
        """All rows of a query. Bound it with LIMIT."""
        return self._run(sql, _all, parameters=parameters)

    def subject(self, value: str) -> None:
        """Name the run's Subject."""
        self._subject(value)

    def as_framework(self) -> SqliteUnit:
        """A unit over the same transaction for the framework's tables."""
        return SqliteUnit(self._open(), rights=self._rights | Rights.OWN)

    def alone(self, about: str) -> None:
        """Do nothing: whoever writes is alone."""

    def close(self) -> None:
        """End it: the transaction goes on without this unit."""
        self._session = None

    def _open(self) -> Session:
        if self._session is None:
            raise StoreError("this unit is over; a handler must not keep it beyond its call")
        return self._session

    def _run(self, sql: str, read: Callable[[sqlite3.Cursor], T], *, parameters: Parameters) -> T:
        session = self._open()
        before = session.changes
        if Rights.OWN not in self._rights:
            check_text(sql)
        result = session.run(self._mark + sql, read, parameters=parameters, rights=self._rights)
        self.changed += session.changes - before
        return result


def _count(cursor: sqlite3.Cursor) -> int:
    cursor.fetchall()
    return cursor.rowcount


def _first(cursor: sqlite3.Cursor) -> Row | None:
    rows = _named(cursor, cursor.fetchmany(1))
    cursor.close()
    return rows[0] if rows else None


def _all(cursor: sqlite3.Cursor) -> list[Row]:
    return _named(cursor, cursor.fetchall())


def _named(cursor: sqlite3.Cursor, rows: list[tuple[Any, ...]]) -> list[Row]:
    names = [column[0] for column in cursor.description or ()]
    return [dict(zip(names, row, strict=True)) for row in rows]
