"""Looking after a store: which migrations it lacks, applying them, and reading its runs without a catalog."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Sequence
from contextlib import asynccontextmanager

from fourfold.adapters.clock import SystemClock
from fourfold.adapters.sqlite.migrate import migrate, pending
from fourfold.adapters.sqlite.store import open_sqlite, sqlite_path
from fourfold.errors import ConfigError
from fourfold.ports.runs import Runs

__all__ = ["apply_migrations", "open_runs", "pending_migrations", "store_exists"]


def store_exists(url: str) -> bool:
    """Whether the store's file is there.

    Raises:
        ConfigError: the URL names no store that is known.
    """
    return sqlite_path(url).is_file()


def pending_migrations(url: str) -> Sequence[str]:
    """Names of the migrations that the store lacks, in order; all of them for one that does not exist.

    Raises:
        StoreError: the store is newer than this version, or cannot be read.
    """
    return pending(sqlite_path(url))


def apply_migrations(url: str) -> Sequence[str]:
    """Apply what the store lacks, in one transaction; the names of what was applied.

    Raises:
        StoreError: the store is newer than this version, or a migration failed; nothing was changed.
    """
    return migrate(sqlite_path(url))


@asynccontextmanager
async def open_runs(url: str) -> AsyncGenerator[Runs]:
    """The run records of an existing store.

    Raises:
        ConfigError: there is no store at `url`; reading must not make one.
    """
    if not store_exists(url):
        raise ConfigError(f"there is no store at {url}; a server makes it when it is first started")
    store = open_sqlite(sqlite_path(url), clock=SystemClock())
    try:
        yield store.runs
    finally:
        await store.aclose()
