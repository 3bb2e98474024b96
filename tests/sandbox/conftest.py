"""The stores that a sandboxed query runs on, each with the shop's tables."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from anyio.from_thread import start_blocking_portal

from fourfold.adapters.memory.store import MemoryStore, open_memory
from fourfold.adapters.sqlite.store import open_sqlite
from fourfold.testing import FixedClock
from tests.sandbox.shop import Stocked, stock


@pytest.fixture
def anyio_backend() -> str:
    """Services run on asyncio."""
    return "asyncio"


@pytest.fixture(scope="module", params=["memory", "sqlite"])
def stocked(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Stocked]:
    """An open store of each kind with the stock in it. No query changes it, so a module shares one."""
    # A space and a question mark: the path becomes a URI.
    path = tmp_path_factory.mktemp("stock") / "st ock?.db"
    with start_blocking_portal() as portal:
        opened = portal.call(_open, request.param, path)
        portal.call(opened.store.units.prepare, stock)
        yield opened
        portal.call(opened.store.aclose)


async def _open(kind: str, path: Path) -> Stocked:
    clock = FixedClock()
    if kind == "sqlite":
        return Stocked(store=open_sqlite(path, clock=clock), path=path, image=bytes)
    store: MemoryStore = open_memory(clock=clock)
    return Stocked(store=store, path=None, image=store.units.image)
