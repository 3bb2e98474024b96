"""A service over PostgreSQL: from a URL to answers, its keys, its driver, and looking after its tables."""

from __future__ import annotations

import base64
import subprocess
import sys

import pytest

from fourfold.bootstrap.maintenance import apply_migrations, open_existing, pending_migrations, store_exists
from fourfold.bootstrap.service import KEYS_VARIABLE, open_service, open_store
from fourfold.errors import ConfigError
from fourfold.model.run import RunFilter
from fourfold.testing import FixedClock
from tests.interaction.one_of_two import adding, calls, slips
from tests.postgres.cluster import Cluster

pytestmark = pytest.mark.anyio

KEY = "a-key-of-16-signs"


@pytest.fixture
def url(postgres: Cluster, monkeypatch: pytest.MonkeyPatch) -> str:
    """An empty store, and the keys for it."""
    monkeypatch.setenv(KEYS_VARIABLE, f"k1:{base64.b64encode(b'k' * 32).decode()}")
    return postgres.store()


async def test_the_next_server_replays_what_the_one_before_did(url: str) -> None:
    """D1: tables are made when it is first started, and kept."""
    for ending in ("done", "replayed"):
        async with open_service(slips().build(), url, clock=FixedClock()) as service:
            assert await calls(service, adding(KEY), 1) == {ending: 1}

    async with open_existing(url) as store:
        found = [(record.run.tool, record.run.replayed) for record in await store.runs.list(RunFilter(), limit=10)]
    assert sorted(found) == [("slip_add", False), ("slip_add", True)]


def test_without_keys_that_replicas_share_it_does_not_start(url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """B10: what one server seals has to open on the others; the message says how to make a key."""
    monkeypatch.delenv(KEYS_VARIABLE)
    with pytest.raises(
        ConfigError, match=r'give all of them the same FOURFOLD_KEYS="k1:\$\(openssl rand -base64 32\)"'
    ):
        open_store(url, clock=FixedClock())

    assert not store_exists(url)


def test_without_its_driver_it_says_what_to_install() -> None:
    """A9: the driver is an extra, and nothing else needs it."""
    code = (
        "import sys; sys.modules['psycopg'] = None\n"
        "from fourfold.bootstrap.maintenance import pending_migrations\n"
        "from fourfold.errors import ConfigError\n"
        "try: pending_migrations('postgresql://svc:hunter2@db/billing')\n"
        "except ConfigError as error: print(error)"
    )
    said = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True).stdout

    assert said.endswith("pip install fourfold[postgres]\n")
    assert "hunter2" not in said


def test_a_store_on_sqlite_does_not_load_the_driver() -> None:
    """A9: a server that needs none starts without."""
    code = (
        "import sys; from fourfold.bootstrap.service import open_store; from fourfold.testing import FixedClock\n"
        "open_store('memory:', clock=FixedClock()); print('psycopg' in sys.modules)"
    )

    assert subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True).stdout == "False\n"


def test_a_new_store_lacks_every_migration_once(url: str) -> None:
    """D1: asking changes nothing; applying is done in order, and is done once."""
    before = pending_migrations(url)

    assert (before[:2], store_exists(url)) == (["0001_first", "0002_operations"], False)
    assert list(apply_migrations(url)) == list(before)
    assert (list(pending_migrations(url)), store_exists(url)) == ([], True)


async def test_reading_runs_makes_no_store(url: str) -> None:
    """A9: a mistyped name is told."""
    with pytest.raises(ConfigError, match=r"there is no store at postgresql://app@/postgres; a server makes it"):
        async with open_existing(url):
            raise AssertionError

    assert not store_exists(url)
