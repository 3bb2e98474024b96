"""Opens a store for a catalog and makes the `Service` out of both."""

from __future__ import annotations

import os
import secrets
from collections.abc import AsyncGenerator, Callable, Iterable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol
from urllib.parse import quote

import anyio
import anyio.to_thread

from fourfold.adapters.clock import SystemClock
from fourfold.adapters.memory.store import open_memory
from fourfold.adapters.query_check import queries_for
from fourfold.adapters.sealing.keys import KeyRing, key_file
from fourfold.adapters.sealing.sealer import AesGcmSealer
from fourfold.adapters.sqlite.store import open_sqlite, sqlite_path
from fourfold.adapters.store_url import is_postgres
from fourfold.bootstrap.postgres import open_database
from fourfold.catalog.build import BuiltCatalog
from fourfold.errors import ConfigError
from fourfold.model.retention import Retention
from fourfold.ports.clock import Clock
from fourfold.ports.sandbox import QueryRunner
from fourfold.ports.store import Store
from fourfold.ports.telemetry import Telemetry
from fourfold.ports.units import Unit, Units
from fourfold.stages.query import rehearse
from fourfold.stages.service import Service

__all__ = [
    "KEYS_VARIABLE",
    "OpenStore",
    "ServedStore",
    "default_store",
    "open_service",
    "open_store",
    "open_with_store",
    "service_of",
]

KEYS_VARIABLE = "FOURFOLD_KEYS"
"""Environment variable with the key ring, `kid:base64,kid:base64`, newest first; needed by several replicas."""


class PreparableUnits(Units, Protocol):
    """A store's units that can also make a catalog's own tables."""

    async def prepare(self, work: Callable[[Unit], None]) -> None:
        """Run `work` in one write transaction in which tables may be made."""
        ...


class ServedStore(Store, Protocol):
    """What an adapter opens."""

    @property
    def units(self) -> PreparableUnits:
        """Transactions."""
        ...

    @property
    def queries(self) -> QueryRunner:
        """Sandboxed queries."""
        ...

    async def aclose(self) -> None:
        """Flush and close."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class OpenStore:
    """An open store, and the keys that belong to it."""

    store: ServedStore
    keys: KeyRing


def default_store(catalog: str) -> str:
    """The URL of the embedded store of a catalog: `.fourfold/<catalog>.db` in the current folder."""
    return f"sqlite:///.fourfold/{quote(catalog)}.db"


def open_store(url: str, *, clock: Clock, telemetry: Telemetry | None = None) -> OpenStore:
    """Open the store at `url`: `sqlite:///path`, `postgresql://user@host/database` or `memory:`.

    `telemetry` is told how long commits took.

    Raises:
        ConfigError: the URL has another form, or PostgreSQL lacks its driver, its keys or a role that may serve.
        StoreError: the store cannot be opened.
    """
    if url == "memory:":
        return OpenStore(store=open_memory(clock=clock), keys=KeyRing.of(("ephemeral", secrets.token_bytes(32))))
    if is_postgres(url):
        keys = _keys_of_replicas()
        return OpenStore(store=open_database(url, clock=clock, telemetry=telemetry), keys=keys)
    scheme, separator, _ = url.partition(":")
    if scheme != "sqlite" or not separator:
        # Only the scheme is shown: the rest of another database's URL may hold a password.
        known = "use sqlite:///path/to/file.db, postgresql://user@host/database, or memory: for a trial"
        raise ConfigError(f"{scheme if separator else 'this'!r} is no store that is known here; {known}")
    path = sqlite_path(url)
    keys = _keys_beside(path)
    return OpenStore(store=open_sqlite(path, clock=clock, telemetry=telemetry), keys=keys)


def _keys_beside(path: Path) -> KeyRing:
    """The ring of the environment, else of the key file beside the database, made when it is missing."""
    from_environment = os.environ.get(KEYS_VARIABLE)
    return KeyRing.from_text(from_environment) if from_environment else key_file(path.with_suffix(".keys"))


def _keys_of_replicas() -> KeyRing:
    """The ring of the environment: several servers may share the database, and each has to open what others seal."""
    from_environment = os.environ.get(KEYS_VARIABLE)
    if from_environment:
        return KeyRing.from_text(from_environment)
    how = f'{KEYS_VARIABLE}="k1:$(openssl rand -base64 32)"'
    raise ConfigError(f"a server on PostgreSQL shares its keys with its replicas: give all of them the same {how}")


def service_of(
    catalog: BuiltCatalog,
    opened: OpenStore,
    *,
    clock: Clock,
    toolsets: Iterable[str] = (),
    retention: Retention | None = None,
    telemetry: Telemetry | None = None,
) -> Service:
    """The service of `catalog` over an open store.

    Raises:
        ConfigError: a toolset is not in the catalog, or a tool cannot be served.
    """
    return Service.over(
        catalog,
        opened.store,
        sealer=AesGcmSealer(opened.keys),
        clock=clock,
        toolsets=frozenset(toolsets),
        queries=queries_for(catalog, opened.store.queries),
        retention=retention,
        telemetry=telemetry,
    )


@asynccontextmanager
async def open_service(
    catalog: BuiltCatalog,
    store_url: str,
    *,
    toolsets: Iterable[str] = (),
    clock: Clock | None = None,
    retention: Retention | None = None,
    telemetry: Telemetry | None = None,
) -> AsyncGenerator[Service]:
    """Open the store, prepare the catalog's own tables, and serve until the block ends; then flush and close.

    Raises:
        ConfigError, StoreError: as `open_store` and `service_of`; a view of a sandbox cannot be read.
    """
    async with open_with_store(
        catalog, store_url, toolsets=toolsets, clock=clock, retention=retention, telemetry=telemetry
    ) as (service, _):
        yield service


@asynccontextmanager
async def open_with_store(
    catalog: BuiltCatalog,
    store_url: str,
    *,
    toolsets: Iterable[str] = (),
    clock: Clock | None = None,
    retention: Retention | None = None,
    telemetry: Telemetry | None = None,
) -> AsyncGenerator[tuple[Service, ServedStore]]:
    """As `open_service`, with the store for what looks into it beside the calls.

    Raises:
        ConfigError, StoreError: as `open_service`.
    """
    clock = clock or SystemClock()
    opened = open_store(store_url, clock=clock, telemetry=telemetry)
    try:
        service = service_of(catalog, opened, clock=clock, toolsets=toolsets, retention=retention, telemetry=telemetry)
        for work in catalog.source.preparations:
            await opened.store.units.prepare(work)
        await anyio.to_thread.run_sync(rehearse, catalog, opened.store.queries)
        yield service, opened.store
    finally:
        await opened.store.aclose()
