"""The files of a SQLite store: where they are, who may read them, and who writes at a time."""

from __future__ import annotations

import stat
from pathlib import Path

import pytest

from fourfold.adapters.sql.limit import NO_LIMIT
from fourfold.adapters.sqlite.connect import connect
from fourfold.adapters.sqlite.group import GroupCommit
from fourfold.adapters.sqlite.lock import WriterLock
from fourfold.adapters.sqlite.store import open_sqlite, sqlite_path
from fourfold.adapters.sqlite.writer import Writer
from fourfold.errors import ConfigError, StoreBusy, StoreError
from tests.stores.breaking import outside
from tests.stores.clocks import SteppedClock
from tests.stores.domain import quote, schema, write

pytestmark = pytest.mark.anyio


@pytest.mark.parametrize(
    ("url", "path"),
    [
        ("billing.db", "billing.db"),
        ("./.fourfold/billing.db", ".fourfold/billing.db"),
        ("sqlite:///billing.db", "billing.db"),
        ("sqlite:////var/lib/billing.db", "/var/lib/billing.db"),
        ("sqlite:///with%20space%3F.db", "with space?.db"),
    ],
)
def test_a_store_url_names_a_file(url: str, path: str) -> None:
    """B4: three slashes are relative, four absolute, as in other tools."""
    assert sqlite_path(url) == Path(path)


@pytest.mark.parametrize(
    "url",
    ["", ":memory:", "sqlite:///", "sqlite:///:memory:", "sqlite://host/x.db", "sqlite:x.db", "sqlite:///x.db?mode=ro",
     "postgresql://localhost/x"],
)  # fmt: skip
def test_a_url_that_names_no_file_is_refused(url: str) -> None:
    """B4: nobody ends with a store that forgets."""
    with pytest.raises(ConfigError):
        sqlite_path(url)


async def test_new_files_and_directories_are_for_their_owner_alone(tmp_path: Path) -> None:
    """B10: a database with other people's quotes is nobody else's to read."""
    folder = tmp_path / "var" / "fourfold"
    store = open_sqlite(f"sqlite:///{folder}/b.db", clock=SteppedClock())
    await store.units.prepare(schema)

    modes = {file.name: stat.S_IMODE(file.stat().st_mode) for file in (folder.parent, folder, *folder.iterdir())}
    assert {name: mode for name, mode in modes.items() if mode not in (0o600, 0o700)} == {}
    assert {"var", "fourfold", "b.db", "b.db-wal", "b.db-shm", "b.db.lock", "b.db.turn"} == set(modes)
    await store.aclose()


def test_a_place_that_cannot_be_written_is_a_store_error(tmp_path: Path) -> None:
    """B4: the message names the file."""
    (tmp_path / "file").touch()
    (tmp_path / "text.db").write_text("this is not a database, whatever its name says" * 20)
    for path in (tmp_path, tmp_path / "text.db"):
        with pytest.raises(StoreError):
            open_sqlite(path, clock=SteppedClock())
    (tmp_path / "s.db.lock").mkdir()
    with pytest.raises(StoreError, match=r"cannot open the lock file"):
        open_sqlite(tmp_path / "s.db", clock=SteppedClock())
    with pytest.raises(StoreError, match=r"cannot make the database .*file/x\.db"):
        open_sqlite(tmp_path / "file" / "x.db", clock=SteppedClock())


async def test_the_connections_are_durable_and_strict(tmp_path: Path) -> None:
    """D1: what was answered survives power loss, and foreign keys hold."""
    store = open_sqlite(tmp_path / "s.db", clock=SteppedClock())
    await store.units.prepare(schema)
    connection = connect(tmp_path / "s.db", read_only=False)
    settings = [
        connection.execute(f"PRAGMA {name}").fetchone()[0] for name in ("journal_mode", "synchronous", "foreign_keys")
    ]
    connection.close()

    assert settings == ["wal", 2, 1]
    await store.aclose()


def test_a_lock_that_is_held_is_waited_for_and_then_busy(tmp_path: Path) -> None:
    """B4: the wait is bounded."""
    ours, theirs = WriterLock(tmp_path / "s.db"), WriterLock(tmp_path / "s.db", wait_s=0.002)
    with ours.held(), pytest.raises(StoreBusy, match="another process is writing"), theirs.held():
        pass
    with theirs.held():
        pass
    ours.close()
    theirs.close()


async def test_members_are_refused_while_another_process_writes(tmp_path: Path) -> None:
    """B4: a caller is told to come back, and its work has not run."""
    path = tmp_path / "s.db"
    store = open_sqlite(path, clock=SteppedClock())
    await store.units.prepare(schema)
    writer, foreign = Writer(GroupCommit(connect, path), WriterLock(path, wait_s=0.0)), WriterLock(path)
    with foreign.held(), pytest.raises(StoreBusy):
        await writer.submit(lambda transaction: quote("Q-1")(transaction.unit), NO_LIMIT)
    await writer.submit(lambda transaction: quote("Q-2")(transaction.unit), NO_LIMIT)

    assert outside(path, "SELECT name FROM quote") == [("Q-2",)]
    await writer.aclose()
    await store.aclose()
    foreign.close()


async def test_two_stores_on_one_file_take_turns(tmp_path: Path) -> None:
    """B4: also inside one process."""
    stores = [open_sqlite(tmp_path / "s.db", clock=SteppedClock()) for _ in range(2)]
    await stores[0].units.prepare(schema)
    for number, store in enumerate(stores * 3):
        await write(store.units, quote(f"Q-{number}"))

    assert outside(tmp_path / "s.db", "SELECT count(*) FROM quote") == [(6,)]
    assert [store.units.writes for store in stores] == [3, 3]
    for store in stores:
        await store.aclose()
