"""One store for each adapter, so that one suite proves them all."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Callable
from itertools import count
from pathlib import Path

import pytest

from fourfold.adapters.memory.store import MemoryStore, open_memory
from fourfold.adapters.postgres.store import PostgresStore, open_postgres
from fourfold.adapters.sqlite.store import SqliteStore, open_sqlite
from tests.postgres.cluster import Cluster
from tests.stores.clocks import SteppedClock
from tests.stores.domain import Store, postgres_schema, schema, schema_of


@pytest.fixture
def anyio_backend() -> str:
    """Stores run on asyncio."""
    return "asyncio"


@pytest.fixture
def clock() -> SteppedClock:
    """The clock that the store under test looks at."""
    return SteppedClock()


@pytest.fixture(params=["memory", "sqlite", "postgres"])
def open_new(request: pytest.FixtureRequest, tmp_path: Path, clock: SteppedClock) -> Callable[[], Store]:
    """What opens a new, empty store of each kind."""
    if request.param == "memory":
        return lambda: open_memory(clock=clock)
    if request.param == "sqlite":
        numbers = count()
        return lambda: open_sqlite(tmp_path / f"s{next(numbers)}.db", clock=clock)
    cluster: Cluster = request.getfixturevalue("postgres")
    return lambda: open_postgres(cluster.store(), clock=clock)


@pytest.fixture
async def store(open_new: Callable[[], Store]) -> AsyncGenerator[Store]:
    """An open store of each kind, with the domain's table."""
    opened = open_new()
    await opened.units.prepare(schema_of(opened))
    yield opened
    await opened.aclose()


@pytest.fixture(params=["memory", "sqlite"])
async def embedded_store(
    request: pytest.FixtureRequest, tmp_path: Path, clock: SteppedClock
) -> AsyncGenerator[MemoryStore | SqliteStore]:
    """An open store of each kind that is SQLite, with the domain's table."""
    opened = open_memory(clock=clock) if request.param == "memory" else open_sqlite(tmp_path / "s.db", clock=clock)
    await opened.units.prepare(schema)
    yield opened
    await opened.aclose()


@pytest.fixture
async def sqlite_store(tmp_path: Path, clock: SteppedClock) -> AsyncGenerator[SqliteStore]:
    """An open SQLite store in `tmp_path / "s.db"`, with the domain's table."""
    opened = open_sqlite(tmp_path / "s.db", clock=clock)
    await opened.units.prepare(schema)
    yield opened
    await opened.aclose()


@pytest.fixture
def url(postgres: Cluster) -> str:
    """The URL of an empty store on PostgreSQL."""
    return postgres.store()


@pytest.fixture
async def postgres_store(url: str, clock: SteppedClock) -> AsyncGenerator[PostgresStore]:
    """An open PostgreSQL store at `url`, with the domain's table."""
    opened = open_postgres(url, clock=clock)
    await opened.units.prepare(postgres_schema)
    yield opened
    await opened.aclose()
