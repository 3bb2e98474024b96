"""How a connection to SQLite is opened: the settings that durability and isolation rest on."""

from __future__ import annotations

import sqlite3
from pathlib import Path
from typing import Protocol

__all__ = ["Connect", "connect"]

BUSY_TIMEOUT_MS = 5_000
"""How long SQLite itself waits for a lock of a program that does not know our lock file."""


class Connect(Protocol):
    """Opens one connection. A store takes it as an argument, so that a test can hand in one that fails."""

    def __call__(self, path: Path, *, read_only: bool) -> sqlite3.Connection:
        """Open `path`, for reading only or as the writer."""
        ...


def connect(
    path: Path, *, read_only: bool, factory: type[sqlite3.Connection] = sqlite3.Connection
) -> sqlite3.Connection:
    """Open `path` in WAL mode with full synchronization, foreign keys on and no implicit transactions.

    Threads may share the connection: whoever owns it makes sure that one at a time uses it.
    """
    # The driver would begin transactions by itself, and would tie a connection to the thread that opened it.
    connection = sqlite3.connect(
        path, isolation_level=None, check_same_thread=False, cached_statements=256, factory=factory
    )
    settings = (f"busy_timeout = {BUSY_TIMEOUT_MS}", "synchronous = FULL", "foreign_keys = ON", "trusted_schema = OFF")
    # Savepoints keep the pages that they may have to put back; in files these would be most of what a write writes.
    settings = (*settings, "temp_store = MEMORY")
    for setting in (*settings, "query_only = ON" if read_only else "journal_mode = WAL"):
        connection.execute(f"PRAGMA {setting}")
    return connection
