"""The books that the confusion tests act on: each test runs on SQLite and on PostgreSQL."""

from __future__ import annotations

import os
from collections.abc import Generator
from functools import partial

import pytest

from fourfold.adapters.postgres.store import PostgresStore, open_postgres
from fourfold.adapters.sqlite.store import SqliteStore, open_sqlite
from fourfold.testing import FixedClock
from tests.adapters.gateway import Gateway, running
from tests.confusion.calls import keep_apart
from tests.confusion.over_store import Opener, StoreKit, open_books
from tests.postgres.cluster import Cluster


@pytest.fixture(scope="session", params=["sqlite", "postgres"])
def open_new(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Opener:
    """What opens a new, empty store of each kind."""
    if request.param == "sqlite":
        return partial(_new_sqlite, tmp_path_factory)
    return partial(_new_postgres, request.getfixturevalue("postgres"))


def _new_sqlite(folders: pytest.TempPathFactory, clock: FixedClock) -> SqliteStore:
    return open_sqlite(folders.mktemp("books") / "books.db", clock=clock)


def _new_postgres(cluster: Cluster, clock: FixedClock) -> PostgresStore:
    return open_postgres(cluster.store(), clock=clock)


@pytest.fixture(scope="session")
def books(open_new: Opener) -> Generator[StoreKit]:
    """Billing on books that all tests share: each makes what it looks at, and lets no more than minutes go by."""
    with open_books(open_new) as opened:
        keep_apart(opened)
        yield opened


@pytest.fixture
def aging(open_new: Opener) -> Generator[StoreKit]:
    """Billing on books of its own, for a test that lets days go by."""
    with open_books(open_new) as opened:
        keep_apart(opened)
        yield opened


@pytest.fixture(scope="session")
def gateway_process(tmp_path_factory: pytest.TempPathFactory) -> Generator[Gateway]:
    """One payment gateway for all tests that need one."""
    with running(tmp_path_factory.mktemp("gateway") / "ledger.db") as gateway:
        yield gateway


@pytest.fixture
def gateway(gateway_process: Gateway, monkeypatch: pytest.MonkeyPatch) -> Gateway:
    """It, as if it had just started, and named to the billing server."""
    gateway_process.forget()
    monkeypatch.setitem(os.environ, "BILLING_GATEWAY_URL", gateway_process.url)
    monkeypatch.setitem(os.environ, "BILLING_GATEWAY_TIMEOUT_MS", "300")
    return gateway_process
