"""One store for each adapter, so that one suite proves them all."""

from __future__ import annotations

from collections.abc import AsyncGenerator
from pathlib import Path

import pytest

from fourfold.adapters.memory.store import open_memory
from fourfold.adapters.sqlite.store import SqliteStore, open_sqlite
from tests.stores.clocks import SteppedClock
from tests.stores.domain import Store, schema


@pytest.fixture
def anyio_backend() -> str:
    """Stores run on asyncio."""
    return "asyncio"


@pytest.fixture
def clock() -> SteppedClock:
    """The clock that the store under test looks at."""
    return SteppedClock()


@pytest.fixture(params=["memory", "sqlite"])
async def store(request: pytest.FixtureRequest, tmp_path: Path, clock: SteppedClock) -> AsyncGenerator[Store]:
    """An open store of each kind, with the domain's table."""
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
