"""A small domain for store tests: a table of quotes, written and read as a handler would."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

from fourfold.adapters.memory.store import MemoryStore, MemoryUnits
from fourfold.adapters.sqlite.store import SqliteStore
from fourfold.adapters.sqlite.units import SqliteUnits
from fourfold.ports.units import Transaction, Unit

__all__ = ["FAR", "Store", "StoreUnits", "ignore", "quote", "quote_names", "read", "schema", "write"]

T = TypeVar("T")

Store = MemoryStore | SqliteStore
StoreUnits = MemoryUnits | SqliteUnits

FAR = float("inf")
"""A deadline that does not come."""


def ignore(_: str) -> None:
    """Receive a Subject that no test asks for."""


def schema(unit: Unit) -> None:
    """The domain's table."""
    unit.execute("CREATE TABLE IF NOT EXISTS quote (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE)")


def quote(name: str) -> Callable[[Unit], int]:
    """A handler that adds the quote `name`."""
    return lambda unit: unit.execute("INSERT INTO quote (name) VALUES (?)", (name,))


async def write(units: StoreUnits, work: Callable[[Unit], T], *, deadline: float = FAR) -> T:
    """Run `work` as the only handler of one write."""

    def attempt(transaction: Transaction) -> T:
        return transaction.attempt(work, subject=ignore)

    return await units.write(attempt, deadline=deadline)


async def read(units: StoreUnits, work: Callable[[Unit], T], *, deadline: float = FAR) -> T:
    """Run `work` as a reading handler."""
    return await units.read(work, deadline=deadline, subject=ignore)


async def quote_names(units: StoreUnits) -> list[str]:
    """The names of all quotes, in order."""
    rows = await read(units, lambda unit: unit.rows("SELECT name FROM quote ORDER BY name LIMIT 1000"))
    return [row["name"] for row in rows]
