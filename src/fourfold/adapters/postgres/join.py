"""Claims and plans inside your own `psycopg` transaction."""

from __future__ import annotations

from typing import Any

import psycopg
from psycopg.pq import TransactionStatus
from psycopg.rows import dict_row

from fourfold.adapters.postgres.connect import DRIVER_ERRORS
from fourfold.adapters.sql.join import JoinedUnit, Ran
from fourfold.adapters.sql.statement import read_statement
from fourfold.errors import StoreError
from fourfold.ports.units import Parameters

__all__ = ["join_psycopg"]


def join_psycopg(connection: psycopg.Connection[Any], *, tenant: str) -> JoinedUnit:
    """A unit over the transaction of `connection`, for the rows of `tenant`, which stays set until it ends.

    Each statement raises `StoreError` if it would be committed by itself, or PostgreSQL refuses.
    """

    def run(sql: str, parameters: Parameters) -> Ran:
        if connection.autocommit and connection.info.transaction_status == TransactionStatus.IDLE:
            raise StoreError("begin a transaction first: a claim that commits without its effect protects nothing")
        statement = read_statement(sql)
        cursor = psycopg.RawCursor(connection, row_factory=dict_row)
        try:
            # No prepared statement: the connection may lead to a pooler.
            cursor.execute(statement.numbered.encode(), statement.values(parameters), prepare=False)
            rows = cursor.fetchall() if cursor.description else []
        except DRIVER_ERRORS as error:
            raise StoreError(f"{type(error).__name__}: {error}") from error
        return Ran(0 if rows else max(cursor.rowcount, 0), rows)

    unit = JoinedUnit(run, one_writer=False)
    unit.row("SELECT set_config('fourfold.tenant', ?, true)", (tenant,))
    return unit
