"""Reads on SQLite: in threads of their own, over one snapshot, stopped when their caller goes."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import anyio
import anyio.to_thread
import pytest

from fourfold.adapters.sqlite.readers import CONNECTIONS
from fourfold.adapters.sqlite.store import SqliteStore
from fourfold.errors import DeadlineExceeded
from fourfold.ports.units import Unit
from tests.stores.breaking import Gate, outside
from tests.stores.clocks import SteppedClock
from tests.stores.domain import quote, quote_names, read, write

pytestmark = pytest.mark.anyio


def bomb(unit: Unit) -> object:
    """A query that never ends by itself."""
    return unit.row("WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT count(*) FROM n")


async def test_a_reader_sees_one_snapshot(sqlite_store: SqliteStore, tmp_path: Path) -> None:
    """B4: two queries of one read agree, whatever is committed in between."""

    def count_twice(unit: Unit) -> list[object]:
        first = unit.rows("SELECT name FROM quote")
        outside(tmp_path / "s.db", "INSERT INTO quote (name) VALUES ('Q-2')")
        return [first, unit.rows("SELECT name FROM quote")]

    await write(sqlite_store.units, quote("Q-1"))
    assert await read(sqlite_store.units, count_twice) == [[{"name": "Q-1"}], [{"name": "Q-1"}]]
    assert await quote_names(sqlite_store.units) == ["Q-1", "Q-2"]


async def test_a_cancelled_read_leaves_at_once_and_frees_its_connection(sqlite_store: SqliteStore) -> None:
    """B19: a read dies with its client; as many as there are connections, and the next one still runs."""
    with anyio.fail_after(20):
        async with anyio.create_task_group() as tasks:
            for _ in range(CONNECTIONS):
                tasks.start_soon(read, sqlite_store.units, bomb)
            await anyio.wait_all_tasks_blocked()
            tasks.cancel_scope.cancel()
        assert await read(sqlite_store.units, lambda unit: unit.row("SELECT 1 AS one")) == {"one": 1}


async def test_a_read_that_finds_no_connection_ends_at_its_deadline(
    sqlite_store: SqliteStore, clock: SteppedClock
) -> None:
    """B19: a cancelled handler that does not look at its unit keeps the connection until it ends."""
    gates = [Gate() for _ in range(CONNECTIONS)]

    def stubborn(gate: Gate) -> Callable[[Unit], None]:
        return lambda _: gate.wait()

    async with anyio.create_task_group() as tasks:
        for gate in gates:
            tasks.start_soon(read, sqlite_store.units, stubborn(gate))
            await gate.reached()
        tasks.cancel_scope.cancel()
    with pytest.raises(DeadlineExceeded, match="before the read could begin"):
        await read(sqlite_store.units, lambda unit: unit.row("SELECT 1"), deadline=clock.ticks() - 1)
    for gate in gates:
        gate.open()
    assert await read(sqlite_store.units, lambda unit: unit.row("SELECT 1 AS one")) == {"one": 1}


async def test_reads_do_not_wait_for_other_threads_of_the_process(sqlite_store: SqliteStore) -> None:
    """B19: a catalog that fills the common thread pool does not stop the store."""
    common, gate = anyio.to_thread.current_default_thread_limiter(), Gate()
    common.total_tokens = 1
    async with anyio.create_task_group() as tasks:
        tasks.start_soon(anyio.to_thread.run_sync, gate.wait)
        with anyio.fail_after(20):
            await anyio.wait_all_tasks_blocked()
            assert common.available_tokens == 0
            assert await read(sqlite_store.units, lambda unit: unit.row("SELECT 1 AS one")) == {"one": 1}
        gate.open()


async def test_closing_waits_for_no_reader(sqlite_store: SqliteStore) -> None:
    """B4: a read that runs while the store closes ends by itself."""
    gate = Gate()

    def work(unit: Unit) -> object:
        gate.wait()
        return unit.row("SELECT 1 AS one")

    results: list[object] = []

    async def one() -> None:
        results.append(await read(sqlite_store.units, work))

    async with anyio.create_task_group() as tasks:
        tasks.start_soon(one)
        await gate.reached()
        await sqlite_store.aclose()
        gate.open()

    assert results == [{"one": 1}]
