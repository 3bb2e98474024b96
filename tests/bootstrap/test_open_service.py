"""Stores, keys and services: from a URL to something that answers calls."""

from __future__ import annotations

import base64
import stat
import threading
from pathlib import Path

import pytest

from fourfold import Unit
from fourfold.adapters.sqlite.store import SqliteStore
from fourfold.bootstrap.service import KEYS_VARIABLE, default_store, open_service, open_store
from fourfold.errors import ConfigError, StoreError
from fourfold.model.call import Call
from fourfold.model.outcome import Done
from fourfold.testing import Answer, FixedClock, caller
from tests.stages.desk import ACCOUNT, desk
from tests.stages.serving import Served

pytestmark = pytest.mark.anyio

KEY = "a-key-of-16-signs"
HI = {"account_id": ACCOUNT, "text": "hi"}
RING = ",".join(f"{kid}:{base64.b64encode(kid.encode() * 16).decode()}" for kid in ("k2", "k1"))


def names_in(folder: Path) -> list[str]:
    """What is in a folder."""
    return [path.name for path in folder.iterdir()]


async def answered(url: str) -> Answer:
    """The answer to one keyed call on a service that is opened for it."""
    async with open_service(desk().build(), url, clock=FixedClock()) as service:
        return await Served(service).call("note_add", HI, key=KEY)


@pytest.mark.parametrize("name", ["notes.db", "my notes.db", "ünïcode.db", "100%.db", "a?b#c.db"])
async def test_an_absolute_url_is_a_file_that_keeps(tmp_path: Path, name: str) -> None:
    """D1: percent-encoded where it has to be; the next process replays what this one did."""
    encoded = name.replace("%", "%25").replace(" ", "%20").replace("?", "%3F").replace("#", "%23")
    url = f"sqlite:///{tmp_path}/{encoded}"

    assert not (await answered(url)).replayed
    assert (tmp_path / name).is_file()
    assert (await answered(url)).replayed


async def test_a_relative_url_is_below_the_current_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """D1: folders are made, for their owner alone."""
    monkeypatch.chdir(tmp_path)
    await answered("sqlite:///data/notes.db")

    assert (tmp_path / "data" / "notes.db").is_file()
    assert stat.S_IMODE((tmp_path / "data").stat().st_mode) == 0o700


@pytest.mark.parametrize(
    ("catalog", "path"),
    [("billing", ".fourfold/billing.db"), ("my desk", ".fourfold/my desk.db"), ("50%?", ".fourfold/50%?.db")],
)
async def test_the_default_store_is_named_after_the_catalog(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, catalog: str, path: str
) -> None:
    """D1: whatever letters its name has."""
    monkeypatch.chdir(tmp_path)
    await answered(default_store(catalog))

    assert (tmp_path / path).is_file()


async def test_a_store_in_memory_leaves_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """D1: no file, and no replay in the next one."""
    monkeypatch.chdir(tmp_path)

    assert not (await answered("memory:")).replayed
    assert not (await answered("memory:")).replayed
    assert names_in(tmp_path) == []


@pytest.mark.parametrize(
    ("url", "told"),
    [
        ("mysql://svc:hunter2@db/prod", r"^'mysql' is no store that is known here; use sqlite:///path/to/file"),
        ("notes.db", r"^'this' is no store that is known here"),
        ("", r"^'this' is no store that is known here"),
        ("memory", r"^'this' is no store that is known here"),
        ("sqlite://host/notes.db", "is not a store URL; write sqlite:///path"),
        ("sqlite:notes.db", "is not a store URL; write sqlite:///path"),
        ("sqlite:///", "needs a file"),
        ("sqlite:///:memory:", "needs a file"),
        ("sqlite:///notes.db?mode=ro", "with no host and no options"),
    ],
)
def test_another_url_is_refused(url: str, told: str) -> None:
    """D1: with the form that is meant, and without what may be a password."""
    with pytest.raises(ConfigError, match=told) as caught:
        open_store(url, clock=FixedClock())

    assert "hunter2" not in str(caught.value)


async def test_a_store_that_cannot_be_made_is_told(tmp_path: Path) -> None:
    """D1: its folder is a file."""
    (tmp_path / "file").write_text("")
    with pytest.raises((StoreError, ConfigError)):
        await answered(f"sqlite:///{tmp_path}/file/notes.db")


async def test_the_key_file_is_made_beside_the_store(tmp_path: Path) -> None:
    """B10: for its owner alone; without it, stored outcomes do not open."""
    url = f"sqlite:///{tmp_path}/notes.db"
    await answered(url)
    keys = tmp_path / "notes.keys"

    assert stat.S_IMODE(keys.stat().st_mode) == 0o600
    keys.unlink()
    assert (await answered(url)).code == "idempotency_expired"


async def test_keys_of_the_environment_come_first(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """B10: several replicas share them, and no file is made."""
    url = f"sqlite:///{tmp_path}/notes.db"
    monkeypatch.setenv(KEYS_VARIABLE, RING)

    assert not (await answered(url)).replayed
    assert not (tmp_path / "notes.keys").exists()
    assert (await answered(url)).replayed


async def test_a_rotated_ring_still_opens_what_it_sealed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """B10: a new key in front, the old ones behind it."""
    url, (_, old) = f"sqlite:///{tmp_path}/notes.db", RING.split(",")
    monkeypatch.setenv(KEYS_VARIABLE, old)
    await answered(url)
    monkeypatch.setenv(KEYS_VARIABLE, RING)

    assert (await answered(url)).replayed


@pytest.mark.parametrize("ring", ["hunter2-no-colon", "k1:hunter2!", f"k1:{base64.b64encode(b'hunter2').decode()}"])
def test_wrong_keys_open_nothing_and_are_not_repeated(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, ring: str
) -> None:
    """B10: no store is left open behind the error, and no thread."""
    monkeypatch.setenv(KEYS_VARIABLE, ring)
    with pytest.raises(ConfigError) as caught:
        open_store(f"sqlite:///{tmp_path}/notes.db", clock=FixedClock())

    assert "hunter2" not in str(caught.value)
    assert not [thread for thread in threading.enumerate() if thread.name == "fourfold-writer"]
    assert names_in(tmp_path) == []


async def test_a_service_that_cannot_start_closes_its_store(tmp_path: Path) -> None:
    """B11: an unknown toolset is told after the store was opened, and leaves no thread behind."""
    with pytest.raises(ConfigError, match="no toolset is named notes"):
        async with open_service(desk().build(), f"sqlite:///{tmp_path}/notes.db", toolsets=["notes"]):
            raise AssertionError

    assert not [thread for thread in threading.enumerate() if thread.name == "fourfold-writer"]


async def test_a_preparation_that_fails_closes_the_store(tmp_path: Path) -> None:
    """D1: its author sees the database's own words."""
    catalog = desk()

    @catalog.prepare
    def note_again(unit: Unit) -> None:
        unit.execute("CREATE TABLE note (again INTEGER)")

    with pytest.raises(StoreError, match="already exists"):
        async with open_service(catalog.build(), f"sqlite:///{tmp_path}/notes.db"):
            raise AssertionError

    assert not [thread for thread in threading.enumerate() if thread.name == "fourfold-writer"]


async def test_without_a_clock_the_systems_own_is_used() -> None:
    """A9: runs have the time of day."""
    async with open_service(desk().build(), "memory:") as service:
        outcome = await service.call(Call(tool="note_count", arguments={}, caller=caller()))

        assert isinstance(outcome, Done)
        assert service.ports.clock.now_ms() > 1_700_000_000_000


async def test_the_store_of_a_url_is_the_embedded_one(tmp_path: Path) -> None:
    """D1: with the ring that belongs to it."""
    opened = open_store(f"sqlite:///{tmp_path}/notes.db", clock=FixedClock())
    try:
        assert isinstance(opened.store, SqliteStore)
        assert len(opened.keys.keys) == 1
    finally:
        await opened.store.aclose()
