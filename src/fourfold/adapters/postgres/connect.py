"""How a connection to PostgreSQL is opened, and what the driver is told about values."""

from __future__ import annotations

from decimal import Decimal
from typing import Any, cast

import psycopg
from psycopg.abc import Buffer
from psycopg.adapt import AdaptersMap, Loader
from psycopg.rows import dict_row

from fourfold.adapters.postgres.address import Address
from fourfold.errors import StoreError

__all__ = ["DRIVER_ERRORS", "OPTIONS", "Connection", "connect"]

Connection = psycopg.Connection[dict[str, Any]]

DRIVER_ERRORS = (psycopg.Error, psycopg.Warning, OverflowError, UnicodeEncodeError)
"""What the driver raises for a bad statement or value; not all of it has one root."""

CONNECT_TIMEOUT_S = 10


class _Number(Loader):
    """A numeric without a fraction as `int`: in PostgreSQL the sum of whole numbers is a numeric."""

    def load(self, data: Buffer) -> int | Decimal:
        text = bytes(data).decode()
        return int(text) if text.lstrip("-").isdigit() else Decimal(text)


def _adapters() -> AdaptersMap:
    adapters = AdaptersMap(psycopg.adapters)
    adapters.register_loader("numeric", _Number)
    return adapters


OPTIONS: dict[str, Any] = {
    # The store begins and commits by itself, and a pooler may hand the next transaction to another server process:
    # nothing may be prepared on one.
    "autocommit": True,
    "prepare_threshold": None,
    "row_factory": dict_row,
    "cursor_factory": psycopg.RawCursor,
    "context": _adapters(),
}
"""How every connection of a store is opened."""


def connect(address: Address) -> Connection:
    """Open one connection outside of any pool.

    Raises:
        StoreError: the server cannot be reached or refuses.
    """
    try:
        return cast("Connection", psycopg.connect(address.reveal(), connect_timeout=CONNECT_TIMEOUT_S, **OPTIONS))
    except psycopg.Error as error:
        raise StoreError(f"cannot connect to {address.shown}: {_reason(error)}") from None


def _reason(error: psycopg.Error) -> str:
    """The first line of what the driver says; it names host and user, never a password."""
    return str(error).partition("\n")[0]
