"""What tests of several layers share: a PostgreSQL server, started by the first test that asks for it."""

from __future__ import annotations

from collections.abc import Generator

import pytest

from tests.postgres.cluster import Cluster


@pytest.fixture(scope="session")
def postgres() -> Generator[Cluster]:
    """A running server; each test takes a store of its own from it."""
    cluster = Cluster.make()
    yield cluster
    cluster.stop()
