"""Claims and plans inside your own `sqlite3` transaction."""

from __future__ import annotations

import sqlite3

from fourfold.adapters.sql.join import JoinedUnit, Ran
from fourfold.errors import StoreError
from fourfold.ports.units import Parameters

__all__ = ["join_sqlite"]


def join_sqlite(connection: sqlite3.Connection) -> JoinedUnit:
    """A unit over the open transaction of `connection`, which is the writer until it commits.

    Begin with BEGIN IMMEDIATE: a transaction that has only read may find another writer when it wants to write. Each
    statement raises `StoreError` if no transaction is open, or SQLite refuses.
    """

    def run(sql: str, parameters: Parameters) -> Ran:
        if not connection.in_transaction:
            raise StoreError("begin a transaction first: a claim that commits without its effect protects nothing")
        cursor = connection.cursor()
        cursor.row_factory = None
        try:
            rows = cursor.execute(sql, parameters).fetchall()
        except sqlite3.Error as error:
            raise StoreError(f"{type(error).__name__}: {error}") from error
        names = [column[0] for column in cursor.description or ()]
        return Ran(max(cursor.rowcount, 0), [dict(zip(names, row, strict=True)) for row in rows])

    return JoinedUnit(run, one_writer=True)
