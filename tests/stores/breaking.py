"""What store tests break, through the seam that stores have for it: the function that opens connections."""

from __future__ import annotations

import sqlite3
import threading
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import anyio.to_thread

from fourfold.adapters.sqlite.connect import Connect, connect
from fourfold.ports.units import Transaction

__all__ = ["Gate", "Wire", "group_no", "outside"]

PATIENCE_S = 30
"""How long a test waits for another thread before it fails."""


class Wire:
    """Sees every statement of the connections that `connect` opens, and may raise before or after it.

    A test sets `before` and `after`; both get the text of the statement.
    """

    def __init__(self) -> None:
        self.before: Callable[[str], None] = lambda _: None
        self.after: Callable[[str], None] = lambda _: None

    @property
    def connect(self) -> Connect:
        """Opens connections that are seen."""
        wire = self

        class Seen(sqlite3.Connection):
            def execute(self, sql: str, parameters: Any = (), /) -> sqlite3.Cursor:
                wire.before(sql)
                cursor = super().execute(sql, parameters)
                wire.after(sql)
                return cursor

        return partial(connect, factory=Seen)


class Gate:
    """Holds the writer thread until it is opened, so that members queue behind it."""

    def __init__(self) -> None:
        self._reached = threading.Event()
        self._open = threading.Event()

    def work(self, _: Transaction) -> None:
        """Work that waits for the gate."""
        self.wait()

    def wait(self) -> None:
        """Wait for the gate, on the writer thread."""
        self._reached.set()
        assert self._open.wait(PATIENCE_S)

    async def reached(self) -> None:
        """Return when the writer thread waits."""
        assert await anyio.to_thread.run_sync(self._reached.wait, PATIENCE_S)

    def open(self) -> None:
        """Let the writer thread go on."""
        self._open.set()


def outside(path: Path, sql: str) -> list[tuple[Any, ...]]:
    """Run `sql` as another program would, on a connection of its own."""
    connection = sqlite3.connect(path, isolation_level=None)
    try:
        return connection.execute(sql).fetchall()
    finally:
        connection.close()


def group_no(path: Path) -> int:
    """How many groups have been committed."""
    return outside(path, "SELECT group_no FROM fourfold_writer")[0][0]
