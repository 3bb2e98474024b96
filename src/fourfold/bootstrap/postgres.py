"""PostgreSQL, imported only when a store's URL asks for it: its driver is an extra."""

from __future__ import annotations

from collections.abc import Sequence
from importlib import import_module
from typing import TYPE_CHECKING

from fourfold.errors import ConfigError
from fourfold.ports.clock import Clock
from fourfold.ports.telemetry import Telemetry

if TYPE_CHECKING:
    from fourfold.adapters.postgres.store import PostgresStore

__all__ = ["has_store", "migrate", "open_database", "pending"]


def open_database(url: str, *, clock: Clock, telemetry: Telemetry | None = None) -> PostgresStore:
    """Open the store at `url`; `telemetry` is told how long commits took.

    Raises:
        ConfigError: the driver is not installed, the URL has another form, or its role may not serve.
        StoreError: the database cannot be reached, or is newer than this version.
    """
    _require_driver()
    from fourfold.adapters.postgres.store import open_postgres

    return open_postgres(url, clock=clock, telemetry=telemetry)


def has_store(url: str) -> bool:
    """Whether the database has any of the framework's tables.

    Raises:
        ConfigError, StoreError: as `open_database`.
    """
    _require_driver()
    from fourfold.adapters.postgres.store import is_in_postgres

    return is_in_postgres(url)


def pending(url: str) -> Sequence[str]:
    """Names of the migrations that the database lacks, in order.

    Raises:
        ConfigError, StoreError: as `open_database`.
    """
    _require_driver()
    from fourfold.adapters.postgres.store import pending_in_postgres

    return pending_in_postgres(url)


def migrate(url: str) -> Sequence[str]:
    """Apply what the database lacks, in one transaction; the names of what was applied.

    Raises:
        ConfigError, StoreError: as `open_database`; the role may be any that may make the tables.
    """
    _require_driver()
    from fourfold.adapters.postgres.store import migrate_postgres

    return migrate_postgres(url)


def _require_driver() -> None:
    try:
        import_module("fourfold.adapters.postgres.store")
    except ImportError as error:
        raise ConfigError(f"PostgreSQL needs its driver ({error}): pip install fourfold[postgres]") from error
