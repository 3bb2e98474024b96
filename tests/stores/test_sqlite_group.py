"""Group commit on SQLite: many members, one COMMIT, each undone alone."""

from __future__ import annotations

import contextvars
from pathlib import Path

import anyio
import pytest

from fourfold.adapters.sqlite.store import SqliteStore, open_sqlite
from fourfold.errors import StoreError
from fourfold.ports.units import Transaction, Unit
from tests.stores.breaking import Gate, Wire, group_no, outside
from tests.stores.clocks import SteppedClock
from tests.stores.domain import FAR, ignore, quote, quote_names, schema, write

pytestmark = pytest.mark.anyio

NO_BAD_QUOTES = """
CREATE TRIGGER no_bad_quotes BEFORE INSERT ON quote WHEN new.name = 'bad'
BEGIN SELECT RAISE(ROLLBACK, 'bad quote'); END
"""


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """Where `sqlite_store` is."""
    return tmp_path / "s.db"


async def write_together(store: SqliteStore, *names: str) -> dict[str, Exception | int]:
    """Write one quote for each name, all waiting when the writer comes; how each of them ended."""
    gate, answers = Gate(), dict[str, Exception | int]()

    async def one(name: str) -> None:
        try:
            answers[name] = await write(store.units, quote(name))
        except StoreError as error:
            answers[name] = error

    async with anyio.create_task_group() as tasks:
        tasks.start_soon(lambda: store.units.write(gate.work, deadline=FAR))
        await gate.reached()
        for name in names:
            tasks.start_soon(one, name)
        await anyio.wait_all_tasks_blocked()
        gate.open()
    return answers


async def test_writes_that_wait_together_are_committed_together(sqlite_store: SqliteStore, path: Path) -> None:
    """D1: one sync for all of them."""
    before = group_no(path)
    answers = await write_together(sqlite_store, *(f"Q-{number}" for number in range(20)))

    assert set(answers.values()) == {1}
    assert len(await quote_names(sqlite_store.units)) == 20
    assert group_no(path) - before == 2, "the one that held the writer, and the twenty"


async def test_a_group_has_sixty_four_members_at_most(sqlite_store: SqliteStore, path: Path) -> None:
    """B19: the first of many does not wait for all."""
    before = group_no(path)
    await write_together(sqlite_store, *(f"Q-{number}" for number in range(65)))

    assert group_no(path) - before == 3


async def test_nobody_is_answered_before_commit_returned(tmp_path: Path, clock: SteppedClock) -> None:
    """D1: an answer that a crash could take back is a lie."""
    wire, gate, answered = Wire(), Gate(), list[int]()
    store = open_sqlite(tmp_path / "s.db", clock=clock, connect=wire.connect)
    await store.units.prepare(schema)

    async def one(name: str) -> None:
        answered.append(await write(store.units, quote(name)))

    wire.before = lambda sql: gate.wait() if sql == "COMMIT" else None
    async with anyio.create_task_group() as tasks:
        tasks.start_soon(one, "Q-1")
        await gate.reached()
        await anyio.wait_all_tasks_blocked()
        assert (answered, store.units.writes) == ([], 0)
        gate.open()
    assert (answered, store.units.writes) == ([1], 1)
    await store.aclose()


async def test_a_member_that_raises_is_undone_alone(sqlite_store: SqliteStore) -> None:
    """D1: one caller's fault is not another's."""
    await write(sqlite_store.units, quote("taken"))
    answers = await write_together(sqlite_store, "a", "taken", "b")

    assert await quote_names(sqlite_store.units) == ["a", "b", "taken"]
    assert (answers["a"], answers["b"]) == (1, 1)
    assert "UNIQUE constraint failed" in str(answers["taken"])
    assert sqlite_store.units.writes == 3


async def test_a_group_runs_again_without_the_member_that_lost_its_transaction(
    sqlite_store: SqliteStore, path: Path
) -> None:
    """D1: a trigger can undo everybody; then everybody else runs again."""
    outside(path, NO_BAD_QUOTES)
    before = group_no(path)
    answers = await write_together(sqlite_store, "a", "bad", "b", "c")

    assert await quote_names(sqlite_store.units) == ["a", "b", "c"]
    assert (answers["a"], answers["b"], answers["c"]) == (1, 1, 1)
    assert "bad quote" in str(answers["bad"])
    assert (sqlite_store.units.writes, group_no(path) - before) == (3, 2)


async def test_a_member_that_hides_that_it_lost_the_transaction_is_refused_all_the_same(
    sqlite_store: SqliteStore, path: Path
) -> None:
    """D1: what a handler catches does not decide what was saved."""
    outside(path, NO_BAD_QUOTES)

    def hide(transaction: Transaction) -> None:
        with pytest.raises(StoreError):
            transaction.attempt(quote("bad"), subject=ignore)

    def hide_and_fail(transaction: Transaction) -> None:
        hide(transaction)
        raise LookupError

    with pytest.raises(StoreError, match="transaction is over"):
        await sqlite_store.units.write(hide, deadline=FAR)
    with pytest.raises(StoreError, match="undid the transaction"):
        await sqlite_store.units.write(hide_and_fail, deadline=FAR)


async def test_a_foreign_key_that_is_checked_at_commit_fails_its_own_member_only(sqlite_store: SqliteStore) -> None:
    """D1: COMMIT fails for all when one is wrong, so each is committed alone."""

    def tables(unit: Unit) -> None:
        unit.execute("CREATE TABLE account (name TEXT PRIMARY KEY)")
        unit.execute("CREATE TABLE link (name TEXT REFERENCES quote (name) DEFERRABLE INITIALLY DEFERRED)")
        unit.execute("CREATE TRIGGER bad AFTER INSERT ON quote WHEN new.name = 'bad' BEGIN "
                     "INSERT INTO link VALUES ('nobody'); END")  # fmt: skip

    await sqlite_store.units.prepare(tables)
    answers = await write_together(sqlite_store, "a", "bad", "b")

    assert await quote_names(sqlite_store.units) == ["a", "b"]
    assert "FOREIGN KEY constraint failed" in str(answers["bad"])


@pytest.mark.parametrize("error", [StopIteration("done"), SystemExit(3), KeyboardInterrupt()])
async def test_whatever_a_handler_raises_comes_back_and_the_writer_lives_on(
    sqlite_store: SqliteStore, error: BaseException
) -> None:
    """B4: some exceptions end threads and confuse futures; these do not."""

    def work(_: Unit) -> None:
        raise error

    with pytest.raises((type(error), RuntimeError)) as caught:
        await write(sqlite_store.units, work)
    assert error in (caught.value, caught.value.__cause__)
    assert await write(sqlite_store.units, quote("Q-1")) == 1


async def test_a_handler_sees_the_context_variables_of_its_caller(sqlite_store: SqliteStore) -> None:
    """B16: what traces hang on crosses the thread."""
    trace = contextvars.ContextVar("trace", default="none")
    trace.set("t-1")

    assert await write(sqlite_store.units, lambda _: trace.get()) == "t-1"
    trace.set("t-2")
    assert await sqlite_store.units.read(lambda _: trace.get(), deadline=FAR, subject=ignore) == "t-2"
