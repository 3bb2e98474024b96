"""`open_sqlite`: the embedded store with everything in it."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from urllib.parse import unquote, urlsplit

from fourfold.adapters.sql.runs import SqlRuns
from fourfold.adapters.sql.stores import SqlStores
from fourfold.adapters.sqlite.connect import Connect, connect
from fourfold.adapters.sqlite.migrate import migrate
from fourfold.adapters.sqlite.sandbox.runner import SandboxRunner
from fourfold.adapters.sqlite.units import SqliteUnits
from fourfold.errors import ConfigError
from fourfold.ports.clock import Clock
from fourfold.ports.telemetry import Telemetry

__all__ = ["SqliteStore", "open_sqlite", "sqlite_path"]


@dataclass(frozen=True, slots=True, kw_only=True)
class SqliteStore(SqlStores):
    """An open SQLite store: transactions, claims, runs and sandboxed queries over one database."""

    units: SqliteUnits
    runs: SqlRuns
    queries: SandboxRunner

    async def aclose(self) -> None:
        """Store what is queued and close the database. Later calls raise `StoreError`."""
        await self.units.aclose()


def open_sqlite(
    url_or_path: str | Path, *, clock: Clock, connect: Connect = connect, telemetry: Telemetry | None = None
) -> SqliteStore:
    """Open the store at `sqlite:///relative/path`, `sqlite:////absolute/path` or a path; make it if it is missing.

    Pending migrations are applied. `connect` opens the connections that work goes through. `telemetry` is told how
    long commits took.

    Raises:
        ConfigError: the URL names no file.
        StoreBusy: another process is writing and did not stop in time.
        StoreError: the file cannot be opened, or is newer than this code.
    """
    path = sqlite_path(url_or_path)
    migrate(path)
    units = SqliteUnits(path, clock=clock, connect=connect, telemetry=telemetry)
    queries = SandboxRunner(path=path)
    return SqliteStore(units=units, runs=SqlRuns(units, units.trail), queries=queries)


def sqlite_path(url_or_path: str | Path) -> Path:
    """The file that a store URL or path names.

    Raises:
        ConfigError: it names none.
    """
    if isinstance(url_or_path, Path):
        return url_or_path
    if "://" not in url_or_path and not url_or_path.startswith("sqlite:"):
        return _file(url_or_path)
    parts = urlsplit(url_or_path)
    if not url_or_path.startswith("sqlite:///") or parts.query or parts.fragment:
        raise ConfigError(f"{url_or_path!r} is not a store URL; write sqlite:///path, with no host and no options")
    return _file(unquote(parts.path.removeprefix("/")))


def _file(text: str) -> Path:
    if not text or text.startswith(":"):
        raise ConfigError("a SQLite store needs a file; write sqlite:///path, or use the memory store")
    return Path(text)
