"""A store of either kind beside a bank, for processes that are killed or stopped: they get its folder and no more.

The bank is a database of its own. What it was paid is the truth that the store has to agree with.
"""

from __future__ import annotations

import sqlite3
from collections import Counter
from collections.abc import Callable
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import anyio
import pytest

from fourfold.adapters.clock import SystemClock
from fourfold.adapters.postgres.store import PostgresStore
from fourfold.adapters.sealing.keys import KeyRing
from fourfold.adapters.sealing.sealer import AesGcmSealer
from fourfold.adapters.sqlite.store import SqliteStore, sqlite_path
from fourfold.ports.clock import Clock
from fourfold.stages.service import Service
from tests.postgres.cluster import Cluster
from tests.stages.bank import Bank, catalog_of
from tests.stores.breaking import outside
from tests.stores.kill_harness import Killer, open_killed

__all__ = ["STORES", "Place", "bank_of", "made", "refunding", "store_in"]

STORES = ("SQLite", "PostgreSQL")

_ALIVE = 0
"""The statement before which nobody is killed."""

_BANK = """
CREATE TABLE paid (key TEXT NOT NULL UNIQUE);
CREATE TABLE request (key TEXT NOT NULL);
CREATE TABLE process (started INTEGER);
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Place:
    """The folder, and how somebody else looks at the store whose address it holds."""

    folder: Path
    store: str
    look: Callable[[str], list[tuple[Any, ...]]]

    def column(self, sql: str) -> Counter[Any]:
        """The values of a column of the store, counted."""
        return Counter(value for (value,) in self.look(sql))

    def paid(self, sql: str) -> list[tuple[Any, ...]]:
        """What the bank knows."""
        return outside(bank_of(self.folder), sql)


def made(request: pytest.FixtureRequest, folder: Path) -> Place:
    """An empty store, of the kind that the test is parametrised with, beside an empty bank."""
    if request.param == "SQLite":
        url = f"sqlite:///{folder}/store.db"
        place = Place(folder=folder, store=request.param, look=lambda sql: outside(sqlite_path(url), sql))
    else:
        cluster: Cluster = request.getfixturevalue("postgres")
        url = cluster.store()
        place = Place(folder=folder, store=request.param, look=lambda sql: cluster.execute(sql, url=url))
    (folder / "url").write_text(url, "utf-8")
    with closing(sqlite3.connect(bank_of(folder), isolation_level=None)) as bank:
        bank.executescript(_BANK)
    anyio.run(_prepare, folder)
    return place


def bank_of(folder: Path) -> Path:
    """The database of the bank."""
    return folder / "bank.db"


def store_in(folder: Path, *, clock: Clock, killer: Killer | None = None) -> SqliteStore | PostgresStore:
    """Open the store of that folder."""
    url = (folder / "url").read_text("utf-8")
    return open_killed(url, killer or Killer(_ALIVE), clock=clock)


def refunding(store: SqliteStore | PostgresStore, bank: Bank, *, clock: Clock, kind: str = "keyed") -> Service:
    """A service of refunds at `bank`, in one of three ways."""
    sealer = AesGcmSealer(KeyRing.of(("k", b"a key ring that all of them share")))
    return Service.over(catalog_of(bank, kind=kind).build(), store, sealer=sealer, clock=clock)


async def _prepare(folder: Path) -> None:
    store = store_in(folder, clock=SystemClock())
    for work in catalog_of(Bank()).preparations:
        await store.units.prepare(work)
    await store.aclose()
