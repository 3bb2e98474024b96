"""What was paid back, in SQLite: one row for each idempotency key, so that a restart remembers."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from dataclasses import astuple, dataclass
from pathlib import Path

__all__ = ["Conflict", "Ledger", "Refund", "RefundOrder"]

_TABLE = """
CREATE TABLE IF NOT EXISTS refund (
  number INTEGER PRIMARY KEY,
  key TEXT NOT NULL UNIQUE,
  payment_reference TEXT NOT NULL,
  currency TEXT NOT NULL,
  amount_minor INTEGER NOT NULL CHECK (amount_minor > 0)
)
"""

_ADD = """
INSERT INTO refund (key, payment_reference, currency, amount_minor) VALUES (?, ?, ?, ?) ON CONFLICT (key) DO NOTHING
"""

_FIND = "SELECT number, payment_reference, currency, amount_minor FROM refund WHERE key = ?"


class Conflict(Exception):
    """The key was used for another order."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RefundOrder:
    """What to pay back; `amount_minor` in minor units of `currency`."""

    payment_reference: str
    currency: str
    amount_minor: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Refund:
    """What was paid back. `is_new` is false for an answer to a repeated request."""

    refund_id: str
    order: RefundOrder
    is_new: bool


class Ledger:
    """The refunds in the database at `path`. Each call has a connection of its own, and so belongs to no thread."""

    def __init__(self, path: Path) -> None:
        self._path = path
        with closing(self._connect()) as connection:
            connection.execute(_TABLE)

    def pay_back(self, key: str, order: RefundOrder) -> Refund:
        """Pay back once for `key`, however often it is asked for.

        Raises:
            Conflict: the key was used for another order.
        """
        with closing(self._connect()) as connection:
            is_new = connection.execute(_ADD, (key, *astuple(order))).rowcount > 0
        found = self.find(key)
        if found is None or found.order != order:
            raise Conflict
        return Refund(refund_id=found.refund_id, order=order, is_new=is_new)

    def find(self, key: str) -> Refund | None:
        """What was paid back under `key`, or `None`."""
        with closing(self._connect()) as connection:
            row = connection.execute(_FIND, (key,)).fetchone()
        if row is None:
            return None
        number, reference, currency, amount_minor = row
        order = RefundOrder(payment_reference=reference, currency=currency, amount_minor=amount_minor)
        return Refund(refund_id=f"re_{number:06}", order=order, is_new=False)

    def count(self) -> int:
        """How often it paid back."""
        with closing(self._connect()) as connection:
            return connection.execute("SELECT count(*) FROM refund").fetchone()[0]

    def forget(self) -> None:
        """Begin anew."""
        with closing(self._connect()) as connection:
            connection.execute("DELETE FROM refund")

    def _connect(self) -> sqlite3.Connection:
        return sqlite3.connect(self._path, isolation_level=None)
