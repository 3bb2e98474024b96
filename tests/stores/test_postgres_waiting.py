"""Transactions that meet on PostgreSQL: who waits, who gives way, who runs again, and what is stopped."""

from __future__ import annotations

import threading
from collections.abc import AsyncGenerator, Callable, Coroutine
from typing import Any

import anyio
import pytest

from fourfold.adapters.clock import SystemClock
from fourfold.adapters.postgres.store import PostgresStore, open_postgres
from fourfold.errors import DeadlineExceeded, StoreContended, StoreError
from fourfold.model.claim import Claim
from fourfold.ports.units import Transaction, Unit
from tests.postgres.cluster import Cluster
from tests.stores.breaking import PATIENCE_S, Gate
from tests.stores.domain import FAR, ignore, postgres_schema, quote, quote_names, read, write
from tests.stores.records import claim_of, scope_of

pytestmark = pytest.mark.anyio


def accounts(unit: Unit) -> None:
    """A table whose rows are read, decided about, and changed."""
    unit.execute("CREATE TABLE account (name TEXT PRIMARY KEY, owed BIGINT NOT NULL)")
    unit.execute("INSERT INTO account VALUES ('a', 0), ('b', 0)")


@pytest.fixture(params=["repeatable-read", "serializable"])
async def store(request: pytest.FixtureRequest, postgres: Cluster) -> AsyncGenerator[PostgresStore]:
    """An open store of each isolation, whose clock is real: here threads wait for each other."""
    opened = open_postgres(postgres.store(isolation=request.param), clock=SystemClock())
    await opened.units.prepare(postgres_schema)
    await opened.units.prepare(accounts)
    yield opened
    await opened.aclose()


class Meeting:
    """Lets two pieces of work reach a point together, the first time that each comes there."""

    def __init__(self) -> None:
        self._barrier = threading.Barrier(2)
        self._been: set[str] = set()
        self.runs = 0
        """How often work came to the point."""

    def point(self, name: str) -> None:
        """Wait for the other one, unless `name` was here before."""
        self.runs += 1
        if name not in self._been:
            self._been.add(name)
            self._barrier.wait(PATIENCE_S)


async def both(
    first: Callable[[], Coroutine[Any, Any, object]], second: Callable[[], Coroutine[Any, Any, object]]
) -> None:
    """Run two async functions at once."""
    async with anyio.create_task_group() as tasks:
        tasks.start_soon(first)
        tasks.start_soon(second)


def taking(store: PostgresStore, operation_id: str, gate: Gate) -> Callable[[Transaction], Claim | None]:
    """A write that takes the one key and then waits at the gate."""

    def work(transaction: Transaction) -> Claim | None:
        found = store.claims.take(transaction.unit, claim_of(scope_of("k-1"), operation_id))
        gate.wait()
        return found

    return work


async def test_a_second_taker_of_a_running_key_is_told_so_and_not_held(store: PostgresStore) -> None:
    """D1: it hears of the lock within a moment; once the first has committed, it sees the claim."""
    gate, nobody = Gate(), Gate()
    nobody.open()
    async with anyio.create_task_group() as tasks:
        tasks.start_soon(lambda: store.units.write(taking(store, "op-1", gate), deadline=FAR))
        await gate.reached()
        with pytest.raises(StoreContended, match="another transaction holds"):
            await store.units.write(taking(store, "op-2", nobody), deadline=FAR)
        gate.open()

    found = await store.units.write(taking(store, "op-3", nobody), deadline=FAR)
    assert found is not None
    assert found.operation_id == "op-1"


async def test_a_taker_whose_rival_rolls_back_gets_the_key(store: PostgresStore) -> None:
    """D1: a claim that is undone leaves nothing behind."""
    gate, nobody = Gate(), Gate()
    nobody.open()

    async def first() -> None:
        def work(transaction: Transaction) -> None:
            taking(store, "op-1", gate)(transaction)
            raise LookupError

        with pytest.raises(LookupError):
            await store.units.write(work, deadline=FAR)

    async with anyio.create_task_group() as tasks:
        tasks.start_soon(first)
        await gate.reached()
        gate.open()
        assert await store.units.write(taking(store, "op-2", nobody), deadline=FAR) is None


async def test_handlers_wait_for_each_others_rows_as_long_as_they_may(store: PostgresStore) -> None:
    """B4: a counter that many calls count up is no reason to refuse one."""
    gate = Gate()

    def count_up(unit: Unit) -> None:
        unit.execute("UPDATE account SET owed = owed + 1 WHERE name = 'a'")

    def hold(unit: Unit) -> None:
        count_up(unit)
        gate.wait()

    async with anyio.create_task_group() as tasks:
        tasks.start_soon(lambda: write(store.units, hold))
        await gate.reached()
        tasks.start_soon(lambda: write(store.units, count_up))
        # Longer than the framework itself would wait for a row.
        await waits_for_a_lock(store)
        gate.open()

    assert await read(store.units, lambda unit: unit.row("SELECT owed FROM account WHERE name = 'a'")) == {"owed": 2}


async def waits_for_a_lock(store: PostgresStore) -> None:
    """Return when a statement has waited for a lock for longer than the framework would."""
    waiting = (
        "SELECT 1 FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND datname = current_database()"
        " AND clock_timestamp() - query_start > interval '300 ms'"
    )
    with anyio.fail_after(PATIENCE_S):
        while await read(store.units, lambda unit: unit.row(waiting)) is None:
            await anyio.lowlevel.checkpoint()


async def test_two_that_lock_the_same_rows_crosswise_both_succeed(store: PostgresStore) -> None:
    """B4: the one that PostgreSQL gives up runs again."""
    meeting = Meeting()

    def crossing(one: str, other: str) -> Callable[[Unit], None]:
        def work(unit: Unit) -> None:
            change = "UPDATE account SET owed = owed + 1 WHERE name = ?"
            unit.execute(change, (one,))
            meeting.point(one)
            unit.execute(change, (other,))

        return work

    await both(lambda: write(store.units, crossing("a", "b")), lambda: write(store.units, crossing("b", "a")))

    assert await read(store.units, lambda unit: unit.rows("SELECT owed FROM account")) == [{"owed": 2}, {"owed": 2}]
    assert meeting.runs > 2


async def test_two_that_read_one_row_and_change_it_never_undo_each_other(store: PostgresStore) -> None:
    """C3: a version that a handler has looked at is still the version when it writes, or it runs again."""
    meeting = Meeting()

    def next_version(name: str) -> Callable[[Unit], int]:
        def work(unit: Unit) -> int:
            row = unit.row("SELECT owed FROM account WHERE name = 'a'")
            meeting.point(name)
            version = row["owed"] + 1 if row else -1
            unit.execute("UPDATE account SET owed = ? WHERE name = 'a'", (version,))
            return version

        return work

    versions: list[int] = []

    async def one(name: str) -> None:
        versions.append(await write(store.units, next_version(name)))

    await both(lambda: one("first"), lambda: one("second"))
    assert sorted(versions) == [1, 2]
    assert meeting.runs == 3


async def test_a_row_that_everybody_counts_up_refuses_nobody(store: PostgresStore) -> None:
    """B4: those that run again take turns, so that each comes through."""

    def count_up(unit: Unit) -> None:
        row = unit.row("SELECT owed FROM account WHERE name = 'a'")
        unit.execute("UPDATE account SET owed = ? WHERE name = 'a'", (row["owed"] + 1 if row else -1,))

    async with anyio.create_task_group() as tasks:
        for _ in range(60):
            tasks.start_soon(write, store.units, count_up)

    assert await read(store.units, lambda unit: unit.row("SELECT owed FROM account WHERE name = 'a'")) == {"owed": 60}


async def test_a_decision_on_what_another_one_changes_holds_under_serializable(postgres: Cluster) -> None:
    """B4: each sees room for one more, and only one of them may be right."""
    store = open_postgres(postgres.store(isolation="serializable"), clock=SystemClock())
    await store.units.prepare(accounts)
    meeting = Meeting()

    def within_limit(name: str) -> Callable[[Unit], bool]:
        def work(unit: Unit) -> bool:
            row = unit.row("SELECT sum(owed) AS owed FROM account")
            meeting.point(name)
            room = row is not None and row["owed"] < 1
            if room:
                unit.execute("UPDATE account SET owed = 1 WHERE name = ?", (name,))
            return room

        return work

    granted: list[bool] = []

    async def one(name: str) -> None:
        granted.append(await write(store.units, within_limit(name)))

    await both(lambda: one("a"), lambda: one("b"))
    assert sorted(granted) == [False, True]
    assert meeting.runs == 3
    await store.aclose()


async def test_work_that_hides_that_it_was_given_up_runs_again_all_the_same(postgres: Cluster) -> None:
    """B4: a handler that makes a refusal of every error must not settle one that is none."""
    store = open_postgres(postgres.store(), clock=SystemClock())
    await store.units.prepare(accounts)
    meeting = Meeting()

    def crossing(one: str, other: str) -> Callable[[Transaction], str]:
        def attempt(unit: Unit) -> None:
            unit.execute("UPDATE account SET owed = 1 WHERE name = ?", (one,))
            meeting.point(one)
            unit.execute("UPDATE account SET owed = 1 WHERE name = ?", (other,))

        def work(transaction: Transaction) -> str:
            try:
                transaction.attempt(attempt, subject=ignore)
            except StoreError:
                return "refused"
            return "done"

        return work

    answers: list[str] = []

    async def one(name: str, other: str) -> None:
        answers.append(await store.units.write(crossing(name, other), deadline=FAR))

    await both(lambda: one("a", "b"), lambda: one("b", "a"))
    assert answers == ["done", "done"]
    await store.aclose()


async def test_work_that_fails_without_saying_so_is_not_committed(postgres_store: PostgresStore) -> None:
    """B4: PostgreSQL answers COMMIT of a failed transaction with ROLLBACK, and no error."""

    def work(transaction: Transaction) -> str:
        with pytest.raises(StoreError, match="no_such_table"):
            transaction.unit.row("SELECT * FROM no_such_table")
        with pytest.raises(StoreError, match="nothing more can be done"):
            transaction.unit.row("SELECT 1")
        return "done"

    with pytest.raises(StoreError, match="nothing of it was saved"):
        await postgres_store.units.write(work, deadline=FAR)


async def test_an_attempt_that_hides_an_error_is_undone_and_the_rest_is_kept(postgres_store: PostgresStore) -> None:
    """B4: nothing that follows an error inside an attempt can be saved."""

    def careless(unit: Unit) -> None:
        quote("Q-undone")(unit)
        with pytest.raises(StoreError):
            unit.execute("INSERT INTO no_such_table VALUES (1)")

    def work(transaction: Transaction) -> None:
        with pytest.raises(StoreError, match="nothing more can be done"):
            transaction.attempt(careless, subject=ignore)
        transaction.attempt(quote("Q-kept"), subject=ignore)

    await postgres_store.units.write(work, deadline=FAR)
    assert await quote_names(postgres_store.units) == ["Q-kept"]


async def test_a_reader_that_has_gone_leaves_no_statement_running(store: PostgresStore) -> None:
    """B19: the server stops as well."""
    running = "SELECT count(*) AS n FROM pg_stat_activity WHERE query LIKE 'SELECT pg_sleep%' AND state = 'active'"

    async def how_many() -> object:
        return await read(store.units, lambda unit: unit.row(running))

    async with anyio.create_task_group() as tasks:
        tasks.start_soon(lambda: read(store.units, lambda unit: unit.row("SELECT pg_sleep(600)")))
        with anyio.fail_after(PATIENCE_S):
            while await how_many() != {"n": 1}:
                await anyio.lowlevel.checkpoint()
        tasks.cancel_scope.cancel()
    with anyio.fail_after(PATIENCE_S):
        while await how_many() != {"n": 0}:
            await anyio.lowlevel.checkpoint()


async def test_a_write_that_waits_for_a_lock_is_stopped_at_its_deadline(store: PostgresStore) -> None:
    """B19: whatever another one holds."""
    gate, clock = Gate(), SystemClock()

    def hold(unit: Unit) -> None:
        unit.execute("UPDATE account SET owed = 1 WHERE name = 'a'")
        gate.wait()

    async with anyio.create_task_group() as tasks:
        tasks.start_soon(lambda: write(store.units, hold))
        await gate.reached()
        with pytest.raises(DeadlineExceeded, match="while a statement ran"):
            await write(
                store.units,
                lambda unit: unit.execute("UPDATE account SET owed = 2 WHERE name = 'a'"),
                deadline=clock.ticks() + 0.3,
            )
        gate.open()
    assert await read(store.units, lambda unit: unit.row("SELECT owed FROM account WHERE name = 'a'")) == {"owed": 1}


async def test_whole_sums_are_whole_numbers(postgres_store: PostgresStore) -> None:
    """A3: as on SQLite; PostgreSQL makes a numeric of the sum of a bigint."""
    sums = "SELECT sum(n) AS whole, sum(n) / 4 AS part FROM (VALUES (3::bigint), (3)) AS v(n)"
    row = await read(postgres_store.units, lambda unit: unit.row(sums))

    assert row is not None
    assert (row["whole"], type(row["whole"]), str(row["part"])) == (6, int, "1.5000000000000000")
