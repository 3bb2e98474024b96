"""Looking after a store without a catalog: its migrations, its records as they are, and the keys that open them."""

from __future__ import annotations

import os
from collections.abc import AsyncGenerator, Sequence
from contextlib import asynccontextmanager

from fourfold.adapters.clock import SystemClock
from fourfold.adapters.sealing.keys import KeyRing, key_file
from fourfold.adapters.sealing.sealer import AesGcmSealer
from fourfold.adapters.sqlite.migrate import migrate, pending
from fourfold.adapters.sqlite.store import open_sqlite, sqlite_path
from fourfold.adapters.store_url import is_postgres, shown_url
from fourfold.bootstrap import postgres
from fourfold.bootstrap.service import KEYS_VARIABLE, ServedStore
from fourfold.errors import ConfigError
from fourfold.ports.sealer import Sealer

__all__ = ["apply_migrations", "open_existing", "pending_migrations", "sealer_of", "store_exists"]


def store_exists(url: str) -> bool:
    """Whether the store's file is there, or for a database, whether it has any of our tables.

    Raises:
        ConfigError: the URL names no store that is known.
        StoreError: the database cannot be reached.
    """
    if is_postgres(url):
        return postgres.has_store(url)
    return sqlite_path(url).is_file()


def pending_migrations(url: str) -> Sequence[str]:
    """Names of the migrations that the store lacks, in order; all of them for one that does not exist.

    Raises:
        StoreError: the store is newer than this version, or cannot be read.
    """
    return postgres.pending(url) if is_postgres(url) else pending(sqlite_path(url))


def apply_migrations(url: str) -> Sequence[str]:
    """Apply what the store lacks, in one transaction; the names of what was applied.

    Raises:
        StoreError: the store is newer than this version, or a migration failed; nothing was changed.
    """
    return postgres.migrate(url) if is_postgres(url) else migrate(sqlite_path(url))


@asynccontextmanager
async def open_existing(url: str) -> AsyncGenerator[ServedStore]:
    """An existing store as it is. Looking into one neither makes it nor changes its tables.

    Raises:
        ConfigError: there is no store at `url`, or its tables are old.
    """
    shown = shown_url(url)
    if not store_exists(url):
        raise ConfigError(f"there is no store at {shown}; a server makes it when it is first started")
    # Opening it would migrate it, or put our tables into a database of something else.
    if pending_migrations(url):
        raise ConfigError(
            f"{shown} has not the tables of this version; is it the right file? fourfold migrate adds them"
        )
    clock = SystemClock()
    store = postgres.open_database(url, clock=clock) if is_postgres(url) else open_sqlite(url, clock=clock)
    try:
        yield store
    finally:
        await store.aclose()


def sealer_of(url: str) -> Sealer:
    """What opens the records of the store at `url`, with keys that are there; none are made.

    Raises:
        ConfigError: there are none, or they cannot be read.
    """
    text = os.environ.get(KEYS_VARIABLE)
    if text:
        return AesGcmSealer(KeyRing.from_text(text))
    path = None if is_postgres(url) else sqlite_path(url).with_suffix(".keys")
    if path is None or not path.exists():
        raise ConfigError(f"the keys of this store are not here: set {KEYS_VARIABLE} as its server has it")
    return AesGcmSealer(key_file(path))
