"""Members and records that wait for the writer thread: deadlines, cancellation, the backlog, closing."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import anyio
import anyio.lowlevel
import pytest

from fourfold.adapters.sql.backlog import CAPACITY
from fourfold.adapters.sqlite.store import SqliteStore, open_sqlite
from fourfold.errors import DeadlineExceeded, StoreError
from fourfold.model.run import RunFilter
from fourfold.ports.units import Unit
from tests.stores.breaking import Gate, group_no, outside
from tests.stores.clocks import SteppedClock
from tests.stores.domain import FAR, quote, quote_names, write
from tests.stores.records import run_at

pytestmark = pytest.mark.anyio


FULL_DISK = "CREATE TRIGGER full BEFORE INSERT ON fourfold_run BEGIN SELECT RAISE(ROLLBACK, 'disk is full'); END"
"""Makes every run that is inserted undo its transaction, as a full disk does."""


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """Where `sqlite_store` is."""
    return tmp_path / "s.db"


async def test_a_member_whose_deadline_passes_while_it_waits_does_not_run(
    sqlite_store: SqliteStore, clock: SteppedClock
) -> None:
    """B19: nobody waits for it any more."""
    gate = Gate()

    async def late() -> None:
        with pytest.raises(DeadlineExceeded, match="before the work could begin"):
            await write(sqlite_store.units, quote("Q-late"), deadline=clock.ticks() + 5)

    async with anyio.create_task_group() as tasks:
        tasks.start_soon(lambda: sqlite_store.units.write(gate.work, deadline=FAR))
        await gate.reached()
        tasks.start_soon(late)
        await anyio.wait_all_tasks_blocked()
        clock.advance(6)
        gate.open()

    assert await quote_names(sqlite_store.units) == []


async def test_a_caller_that_goes_while_its_member_waits_takes_it_back(sqlite_store: SqliteStore) -> None:
    """B4: what has not begun need not happen."""
    gate = Gate()
    async with anyio.create_task_group() as tasks:
        tasks.start_soon(lambda: sqlite_store.units.write(gate.work, deadline=FAR))
        await gate.reached()
        async with anyio.create_task_group() as waiting:
            waiting.start_soon(write, sqlite_store.units, quote("Q-1"))
            await anyio.wait_all_tasks_blocked()
            waiting.cancel_scope.cancel()
        gate.open()

    await write(sqlite_store.units, quote("Q-2"))
    assert await quote_names(sqlite_store.units) == ["Q-2"]


async def test_a_caller_that_goes_while_its_member_runs_leaves_it_to_finish(sqlite_store: SqliteStore) -> None:
    """B4: what has begun is committed, whoever hears of it."""
    gate = Gate()

    def work(unit: Unit) -> None:
        gate.wait()
        quote("Q-1")(unit)

    async with anyio.create_task_group() as tasks:
        tasks.start_soon(write, sqlite_store.units, work)
        await gate.reached()
        tasks.cancel_scope.cancel()
    gate.open()

    await write(sqlite_store.units, quote("Q-2"))
    assert await quote_names(sqlite_store.units) == ["Q-1", "Q-2"]


async def test_closing_lets_waiting_members_and_records_finish(sqlite_store: SqliteStore, path: Path) -> None:
    """A9, B4: a server that stops loses nothing that it took."""
    gate = Gate()
    async with anyio.create_task_group() as tasks:
        tasks.start_soon(lambda: sqlite_store.units.write(gate.work, deadline=FAR))
        await gate.reached()
        tasks.start_soon(write, sqlite_store.units, quote("Q-1"))
        sqlite_store.runs.append(run_at(1))
        await anyio.wait_all_tasks_blocked()
        tasks.start_soon(sqlite_store.aclose)
        await anyio.wait_all_tasks_blocked()
        gate.open()

    assert outside(path, "SELECT name FROM quote") == [("Q-1",)]
    assert outside(path, "SELECT run_id FROM fourfold_run") == [("run-1",)]


async def test_records_are_stored_without_anybody_asking(sqlite_store: SqliteStore, path: Path) -> None:
    """A9: reads leave runs though nothing else is written."""
    sqlite_store.runs.append(run_at(1))
    with anyio.fail_after(20):
        while not outside(path, "SELECT run_id FROM fourfold_run"):
            await anyio.lowlevel.checkpoint()


async def test_records_go_with_a_group_that_is_written_anyway(sqlite_store: SqliteStore, path: Path) -> None:
    """A9: no sync of their own while there is work."""
    gate, before = Gate(), group_no(path)
    async with anyio.create_task_group() as tasks:
        tasks.start_soon(lambda: sqlite_store.units.write(gate.work, deadline=FAR))
        await gate.reached()
        tasks.start_soon(write, sqlite_store.units, quote("Q-1"))
        for number in range(3):
            sqlite_store.runs.append(run_at(number))
        await anyio.wait_all_tasks_blocked()
        gate.open()

    assert group_no(path) - before == 2
    assert len(await sqlite_store.runs.list(RunFilter(), limit=10)) == 3


async def test_a_full_backlog_drops_the_oldest_and_counts_them(
    sqlite_store: SqliteStore, caplog: pytest.LogCaptureFixture
) -> None:
    """A9, B19: a store that cannot keep up costs records, not memory, and says so once."""
    gate = Gate()
    async with anyio.create_task_group() as tasks:
        tasks.start_soon(lambda: sqlite_store.units.write(gate.work, deadline=FAR))
        await gate.reached()
        for number in range(CAPACITY + 3):
            sqlite_store.runs.append(run_at(number))
        gate.open()
    await sqlite_store.runs.flush()

    oldest = await sqlite_store.runs.list(RunFilter(until_ms=run_at(5).at_ms), limit=10)
    assert [record.run.run_id for record in oldest] == ["run-4", "run-3"]
    assert sqlite_store.units.trail.backlog.dropped == 3
    assert [record.message for record in caplog.records if "lost" in record.message] == [
        "run records are lost: the queue is full; from now on they are only counted"
    ]


async def test_records_that_cannot_be_stored_now_wait_for_better_times(
    sqlite_store: SqliteStore, path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    """A9: a full disk is logged, never raised, and costs no record that fits the queue."""
    outside(path, FULL_DISK)
    sqlite_store.runs.append(run_at(1))
    sqlite_store.runs.append(run_at(2))
    for _ in range(2):
        with pytest.raises(StoreError, match="disk is full"):
            await sqlite_store.runs.flush()
    assert await write(sqlite_store.units, quote("Q-1")) == 1
    outside(path, "DROP TRIGGER full")
    await sqlite_store.runs.flush()

    assert len(await sqlite_store.runs.list(RunFilter(), limit=10)) == 2
    assert caplog.text.count("cannot be stored now") == 1


async def test_closing_stores_records_that_wait_alone(sqlite_store: SqliteStore, path: Path) -> None:
    """A9: without a group to go with and before their time has come."""
    sqlite_store.runs.append(run_at(1))
    await sqlite_store.aclose()

    assert outside(path, "SELECT run_id FROM fourfold_run") == [("run-1",)]
    assert sqlite_store.units.trail.backlog.dropped == 0


async def test_closing_does_not_wait_for_records_that_cannot_be_stored(
    sqlite_store: SqliteStore, path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    """A9: one try, and the loss is counted and logged."""
    outside(path, FULL_DISK)
    sqlite_store.runs.append(run_at(1))
    await sqlite_store.aclose()

    assert sqlite_store.units.trail.backlog.dropped == 1
    assert "the store was closed and could not take them" in caplog.text


async def test_a_trigger_on_one_record_does_not_cost_the_batch(sqlite_store: SqliteStore, path: Path) -> None:
    """A9: also when the record that is refused takes the transaction with it; all wait then, and none is doubled."""
    outside(path, FULL_DISK.replace("BEGIN", "WHEN new.run_id = 'run-2' BEGIN", 1))
    for run in (replace(run_at(0), client="\ud800"), run_at(1), run_at(2), run_at(3)):
        sqlite_store.runs.append(run)
    with pytest.raises(StoreError, match="disk is full"):
        await sqlite_store.runs.flush()
    outside(path, "DROP TRIGGER full")
    await sqlite_store.runs.flush()

    assert outside(path, "SELECT run_id FROM fourfold_run ORDER BY run_id") == [("run-1",), ("run-2",), ("run-3",)]
    assert sqlite_store.units.trail.backlog.dropped == 1, "the one that cannot be stored at all"


async def test_what_a_closed_store_is_given_is_counted_as_lost(sqlite_store: SqliteStore) -> None:
    """A9: `append` never raises, not even then."""
    await sqlite_store.aclose()
    sqlite_store.runs.append(run_at(1))

    assert sqlite_store.units.trail.backlog.dropped == 1
    with pytest.raises(StoreError, match="closed"):
        await sqlite_store.runs.flush()


def test_a_store_outlives_the_loop_of_a_caller(tmp_path: Path) -> None:
    """B4: a member may finish when the loop that asked for it is gone."""
    store = open_sqlite(tmp_path / "s.db", clock=SteppedClock())
    gate = Gate()

    async def leave() -> None:
        async with anyio.create_task_group() as tasks:
            tasks.start_soon(lambda: store.units.write(gate.work, deadline=FAR))
            await gate.reached()
            tasks.cancel_scope.cancel()

    async def close() -> None:
        await store.runs.flush()
        await store.aclose()

    anyio.run(leave)
    gate.open()
    anyio.run(close)
