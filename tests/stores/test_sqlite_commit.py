"""A COMMIT that fails: what the caller is told is what became of the group."""

from __future__ import annotations

import sqlite3
from collections.abc import AsyncGenerator, Callable
from pathlib import Path

import anyio
import pytest

from fourfold.adapters.sqlite.connect import connect
from fourfold.adapters.sqlite.store import SqliteStore, open_sqlite
from fourfold.errors import CommitUnknown, StoreBusy, StoreError
from fourfold.ports.units import Unit
from tests.stores.breaking import Wire, outside
from tests.stores.clocks import SteppedClock
from tests.stores.domain import quote, quote_names, schema, write

pytestmark = pytest.mark.anyio


@pytest.fixture
def wire() -> Wire:
    """What breaks the connections of `store`."""
    return Wire()


@pytest.fixture
async def store(tmp_path: Path, clock: SteppedClock, wire: Wire) -> AsyncGenerator[SqliteStore]:
    """A SQLite store whose connections the wire can break."""
    opened = open_sqlite(tmp_path / "s.db", clock=clock, connect=wire.connect)
    await opened.units.prepare(schema)
    yield opened
    wire.before = wire.after = lambda _: None
    await opened.aclose()


def fail_on(*texts: str) -> Callable[[str], None]:
    """A break at the statements that begin with one of `texts`."""

    def check(sql: str) -> None:
        if sql.startswith(texts):
            raise sqlite3.OperationalError("disk I/O error")

    return check


async def test_a_commit_that_failed_saved_nothing(store: SqliteStore, wire: Wire, tmp_path: Path) -> None:
    """D1: the group is looked for on a new connection, and is not there."""
    wire.before = fail_on("COMMIT")
    with pytest.raises(StoreError, match="nothing was saved") as caught:
        await write(store.units, quote("Q-1"))
    wire.before = lambda _: None

    assert type(caught.value) is StoreError
    assert (outside(tmp_path / "s.db", "SELECT * FROM quote"), store.units.writes) == ([], 0)
    assert await write(store.units, quote("Q-1")) == 1


async def test_a_commit_that_took_place_is_answered_though_its_answer_was_lost(store: SqliteStore, wire: Wire) -> None:
    """D1: the group is looked for on a new connection, and is there."""
    wire.after = fail_on("COMMIT")
    assert await write(store.units, quote("Q-1")) == 1
    wire.after = lambda _: None

    assert (await quote_names(store.units), store.units.writes) == (["Q-1"], 1)


@pytest.mark.parametrize("took_place", [True, False])
async def test_a_commit_that_cannot_be_read_back_is_unknown(store: SqliteStore, wire: Wire, took_place: bool) -> None:
    """D1: then neither "saved" nor "not saved" would be true."""

    def disk_gone(sql: str) -> None:
        if sql == "COMMIT":
            fail_everything(wire)

    if took_place:
        wire.after = disk_gone
    else:
        wire.before = disk_gone
    with pytest.raises(CommitUnknown, match="disk I/O error"):
        await write(store.units, quote("Q-1"))
    wire.before = wire.after = lambda _: None

    assert await quote_names(store.units) == (["Q-1"] if took_place else [])
    assert await write(store.units, quote("Q-2")) == 1


async def test_a_member_that_was_undone_is_never_unknown(store: SqliteStore, wire: Wire) -> None:
    """D1: whatever became of the group, nothing of this one was saved."""

    def work(_: object) -> None:
        raise LookupError

    wire.before = lambda sql: fail_everything(wire) if sql == "COMMIT" else None
    with pytest.raises(StoreError, match="nothing was saved") as caught:
        await write(store.units, work)
    wire.before = lambda _: None

    assert type(caught.value) is StoreError


def fail_everything(wire: Wire) -> None:
    """From now on nothing works, COMMIT included."""
    wire.before = fail_on("")
    raise sqlite3.OperationalError("disk I/O error")


async def test_a_transaction_that_cannot_begin_refuses_its_members(store: SqliteStore, wire: Wire) -> None:
    """B4: each caller gets an error of its own."""
    wire.before = fail_on("UPDATE fourfold_writer")
    errors: list[StoreError] = []

    async def one(name: str) -> None:
        with pytest.raises(StoreError, match="disk I/O error") as caught:
            await write(store.units, quote(name))
        errors.append(caught.value)

    async with anyio.create_task_group() as tasks:
        tasks.start_soon(one, "a")
        tasks.start_soon(one, "b")
    wire.before = lambda _: None

    assert errors[0] is not errors[1]
    assert await write(store.units, quote("Q-1")) == 1


async def test_a_savepoint_that_cannot_be_undone_takes_the_connection_with_it(store: SqliteStore, wire: Wire) -> None:
    """B4: half-undone work is never committed with the others."""

    def half(unit: Unit) -> None:
        quote("half")(unit)
        wire.before = fail_on("ROLLBACK TO")
        raise LookupError

    with pytest.raises(StoreError) as caught:
        await write(store.units, half)
    wire.before = lambda _: None

    assert isinstance(caught.value.__cause__, LookupError)
    assert await write(store.units, quote("Q-1")) == 1
    assert await quote_names(store.units) == ["Q-1"]


async def test_a_fault_of_the_writer_itself_leaves_no_caller_waiting(
    store: SqliteStore, wire: Wire, caplog: pytest.LogCaptureFixture
) -> None:
    """B4: what nobody thought of is unknown to the caller, in the log, and over with the next write."""

    def unheard_of(sql: str) -> None:
        if sql == "COMMIT":
            raise RuntimeError("no such thing")

    wire.before = unheard_of
    with pytest.raises(CommitUnknown, match="the writer failed"):
        await write(store.units, quote("Q-1"))
    wire.before = lambda _: None

    assert "no such thing" in caplog.text
    assert await write(store.units, quote("Q-1")) == 1


async def test_a_full_disk_refuses_the_member_that_fills_it_and_keeps_the_others(tmp_path: Path) -> None:
    """B4: SQLite undoes the whole transaction for it, and the group runs again."""
    store = open_sqlite(tmp_path / "s.db", clock=SteppedClock(), connect=on_a_small_disk)
    await store.units.prepare(schema)
    errors: list[StoreError] = []

    async def fill() -> None:
        with pytest.raises(StoreError, match="disk is full") as caught:
            await write(store.units, lambda unit: unit.execute("INSERT INTO quote (name) VALUES (zeroblob(9000000))"))
        errors.append(caught.value)

    async with anyio.create_task_group() as tasks:
        tasks.start_soon(write, store.units, quote("Q-1"))
        tasks.start_soon(fill)
        tasks.start_soon(write, store.units, quote("Q-2"))

    assert (await quote_names(store.units), len(errors)) == (["Q-1", "Q-2"], 1)
    await store.aclose()


def on_a_small_disk(path: Path, *, read_only: bool) -> sqlite3.Connection:
    """Open as always, but let the database have 200 pages at most."""
    connection = connect(path, read_only=read_only)
    connection.execute("PRAGMA max_page_count = 200")
    return connection


async def test_a_program_that_knows_no_lock_file_makes_the_store_busy(store: SqliteStore, tmp_path: Path) -> None:
    """B4: SQLite's own lock counts as well."""
    other = sqlite3.connect(tmp_path / "s.db", isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    impatient = open_sqlite(tmp_path / "s.db", clock=SteppedClock(), connect=without_patience)

    with pytest.raises(StoreBusy):
        await write(impatient.units, quote("Q-1"))
    other.close()
    assert await write(impatient.units, quote("Q-1")) == 1
    await impatient.aclose()


def without_patience(path: Path, *, read_only: bool) -> sqlite3.Connection:
    """Open as always, but do not wait for locks."""
    connection = connect(path, read_only=read_only)
    connection.execute("PRAGMA busy_timeout = 0")
    return connection
