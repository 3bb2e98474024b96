"""Looking after a store without a catalog: migrations, and reading runs."""

from __future__ import annotations

from pathlib import Path

import pytest

from fourfold.bootstrap.maintenance import apply_migrations, open_existing, pending_migrations, store_exists
from fourfold.bootstrap.service import open_service
from fourfold.errors import ConfigError
from fourfold.model.run import RunFilter
from fourfold.testing import FixedClock
from tests.stages.desk import desk
from tests.stages.serving import Served

pytestmark = pytest.mark.anyio


@pytest.fixture
def url(tmp_path: Path) -> str:
    """Where a store may be."""
    return f"sqlite:///{tmp_path}/notes.db"


async def test_the_runs_of_a_server_are_read_after_it_has_ended(url: str) -> None:
    """A9: by whoever looks after it, with no catalog at hand."""
    async with open_service(desk().build(), url, clock=FixedClock()) as service:
        await Served(service).call("word_say", {"word": "x"})

    async with open_existing(url) as store:
        assert [record.run.tool for record in await store.runs.list(RunFilter(), limit=10)] == ["word_say"]


async def test_reading_runs_makes_no_store(url: str, tmp_path: Path) -> None:
    """A9: a mistyped path is told, and nothing is left there."""
    with pytest.raises(ConfigError, match="there is no store at sqlite:///"):
        async with open_existing(url):
            raise AssertionError

    assert not store_exists(url)


def test_a_new_store_lacks_every_migration_once(url: str) -> None:
    """D1: asking changes nothing; applying is done in order, and is done once."""
    before = pending_migrations(url)

    assert before
    assert not store_exists(url)
    assert apply_migrations(url) == before
    assert store_exists(url)
    assert list(pending_migrations(url)) == list(apply_migrations(url)) == []


def test_another_kind_of_store_is_no_store() -> None:
    """D1: only files can be looked after here."""
    with pytest.raises(ConfigError):
        store_exists("sqlite://host/notes.db")
