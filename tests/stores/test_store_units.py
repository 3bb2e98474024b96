"""The contract of `ports.Units`, for every adapter."""

from __future__ import annotations

import pytest

from fourfold.errors import DeadlineExceeded, StoreError
from fourfold.ports.units import Transaction, Unit
from tests.stores.clocks import SteppedClock
from tests.stores.domain import FAR, Store, ignore, quote, quote_names, read, write

pytestmark = pytest.mark.anyio

BOMB = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT count(*) FROM n"
"""A query that never ends by itself."""

ENDLESS_INSERT = """
WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) INSERT INTO quote (name) SELECT i FROM n
"""


async def test_a_write_is_there_for_the_next_read(store: Store) -> None:
    """B4: what was answered is committed."""
    changed = await write(store.units, quote("Q-1"))

    assert changed == 1
    assert await quote_names(store.units) == ["Q-1"]
    assert store.units.writes == 1


async def test_a_handler_that_raises_leaves_nothing_and_its_own_error_comes_back(store: Store) -> None:
    """A2, B4: a failed call saw zero writes."""

    def half(unit: Unit) -> None:
        quote("Q-1")(unit)
        raise LookupError("no such account")

    with pytest.raises(LookupError, match="no such account"):
        await write(store.units, half)

    assert await quote_names(store.units) == []
    assert store.units.writes == 0


async def test_an_attempt_that_raises_is_undone_while_the_rest_of_the_write_is_kept(store: Store) -> None:
    """B4: a settled fault commits its claim without the handler's writes."""

    def work(transaction: Transaction) -> str:
        try:
            transaction.attempt(quote_then_fail, subject=ignore)
        except LookupError:
            return transaction.attempt(lambda unit: str(quote("Q-kept")(unit)), subject=ignore)
        return "not reached"

    def quote_then_fail(unit: Unit) -> None:
        quote("Q-undone")(unit)
        raise LookupError

    assert await store.units.write(work, deadline=FAR) == "1"
    assert await quote_names(store.units) == ["Q-kept"]
    assert store.units.writes == 1


async def test_rows_come_by_column_name_and_none_stands_for_no_row(store: Store) -> None:
    """A3: a repository needs no driver to read."""
    await write(store.units, quote("Q-1"))

    def work(unit: Unit) -> tuple[object, object, object]:
        by_name = "SELECT id, name AS label FROM quote WHERE name = :name"
        return unit.row(by_name, {"name": "Q-1"}), unit.row(by_name, {"name": "no"}), unit.rows(by_name, {"name": "no"})

    assert await read(store.units, work) == ({"id": 1, "label": "Q-1"}, None, [])


async def test_returning_and_with_inserts_count_their_rows(store: Store) -> None:
    """A2: no write escapes the count of writes."""

    def work(unit: Unit) -> tuple[object, int, int]:
        returned = unit.row("INSERT INTO quote (name) VALUES ('a'), ('b') RETURNING name")
        many = unit.execute("WITH n(x) AS (VALUES ('c'), ('d'), ('e')) INSERT INTO quote (name) SELECT x FROM n")
        none = unit.execute("SELECT name FROM quote")
        return returned, many, none

    assert await write(store.units, work) == ({"name": "a"}, 3, 0)
    assert await quote_names(store.units) == ["a", "b", "c", "d", "e"]
    assert store.units.writes == 5


async def test_preparing_makes_tables_and_counts_as_no_write(store: Store) -> None:
    """A7: a seeded store starts at zero writes."""

    def seed(unit: Unit) -> None:
        unit.execute("CREATE TABLE sku (code TEXT PRIMARY KEY)")
        unit.execute("CREATE INDEX quote_by_name ON quote (name)")
        unit.execute("INSERT INTO sku VALUES ('ABC-1234')")

    await store.units.prepare(seed)

    assert await read(store.units, lambda unit: unit.row("SELECT code FROM sku")) == {"code": "ABC-1234"}
    assert store.units.writes == 0


async def test_preparing_that_fails_leaves_no_table(store: Store) -> None:
    """B4: schema and seed are one transaction."""

    def seed(unit: Unit) -> None:
        unit.execute("CREATE TABLE sku (code TEXT PRIMARY KEY)")
        unit.execute("INSERT INTO nowhere VALUES (1)")

    with pytest.raises(StoreError):
        await store.units.prepare(seed)
    with pytest.raises(StoreError, match=r"no such table|does not exist"):
        await read(store.units, lambda unit: unit.row("SELECT code FROM sku"))


async def test_the_subject_that_a_handler_names_arrives(store: Store) -> None:
    """A9: only the store knows the account of an invoice."""
    named: list[str] = []
    await store.units.read(lambda unit: unit.subject("acct-r"), deadline=FAR, subject=named.append)
    await store.units.write(
        lambda transaction: transaction.attempt(lambda unit: unit.subject("acct-w"), subject=named.append), deadline=FAR
    )

    assert named == ["acct-r", "acct-w"]


async def test_a_unit_kept_beyond_its_transaction_is_refused(store: Store) -> None:
    """B4: nothing is written outside a transaction that is answered for."""
    kept: list[Unit] = []
    await write(store.units, kept.append)
    await read(store.units, kept.append)
    await store.units.write(lambda transaction: kept.append(transaction.unit), deadline=FAR)

    for unit in kept:
        with pytest.raises(StoreError, match="this unit is over"):
            unit.execute("INSERT INTO quote (name) VALUES ('late')")
    assert await quote_names(store.units) == []


async def test_a_broken_constraint_is_a_store_error_with_its_cause(store: Store) -> None:
    """A5: the driver's text is in the exception, and the exception is ours."""
    await write(store.units, quote("Q-1"))
    with pytest.raises(StoreError, match=r"IntegrityError: UNIQUE|UniqueViolation: duplicate key") as caught:
        await write(store.units, quote("Q-1"))

    assert "IntegrityError" in {kind.__name__ for kind in type(caught.value.__cause__).__mro__}


@pytest.mark.parametrize(("number", "name"), [(2**70, "Q-1"), (1, "\ud800"), (1, object())])
async def test_a_value_that_cannot_be_stored_is_a_store_error(store: Store, number: int, name: object) -> None:
    """A5: the driver raises errors of four families; callers see one."""
    with pytest.raises(StoreError):
        await write(
            store.units, lambda unit: unit.execute("INSERT INTO quote (id, name) VALUES (?, ?)", (number, name))
        )


async def test_a_statement_that_never_ends_is_stopped_at_the_deadline(store: Store, clock: SteppedClock) -> None:
    """B19: wall time is bounded inside a statement, in a read and in a write."""
    clock.step = 1.0
    with pytest.raises(DeadlineExceeded, match="while a statement ran"):
        await read(store.units, lambda unit: unit.row(BOMB), deadline=clock.ticks() + 20)
    with pytest.raises(DeadlineExceeded, match="while a statement ran"):
        await write(store.units, lambda unit: unit.row(BOMB), deadline=clock.ticks() + 20)


async def test_an_insert_that_never_ends_is_stopped_and_undone(store: Store, clock: SteppedClock) -> None:
    """B19: SQLite answers an interrupted INSERT by undoing the whole transaction; the store goes on."""
    clock.step = 1.0
    with pytest.raises(DeadlineExceeded, match="while a statement ran"):
        await write(store.units, lambda unit: unit.execute(ENDLESS_INSERT), deadline=clock.ticks() + 20)
    clock.step = 0.0

    await write(store.units, quote("Q-1"))
    assert await quote_names(store.units) == ["Q-1"]


async def test_the_deadline_counts_between_statements_and_at_the_end(store: Store, clock: SteppedClock) -> None:
    """B19: work that is slow outside SQLite is undone as well."""

    def slow_then_query(unit: Unit) -> None:
        quote("Q-1")(unit)
        clock.advance(2)
        quote("Q-2")(unit)

    def slow_at_the_end(unit: Unit) -> None:
        quote("Q-1")(unit)
        clock.advance(2)

    with pytest.raises(DeadlineExceeded, match="before the next statement"):
        await write(store.units, slow_then_query, deadline=clock.ticks() + 1)
    with pytest.raises(DeadlineExceeded, match="before the end"):
        await write(store.units, slow_at_the_end, deadline=clock.ticks() + 1)
    assert await quote_names(store.units) == []


async def test_what_undoes_a_late_member_has_no_deadline_itself(store: Store, clock: SteppedClock) -> None:
    """B19: SQLite counts the steps of a prepared statement over all its runs, and now and then looks at the limit."""

    def fail(_: Unit) -> None:
        raise LookupError

    def late(transaction: Transaction) -> None:
        clock.advance(2)
        for _ in range(700):
            with pytest.raises(LookupError):
                transaction.attempt(fail, subject=ignore)

    with pytest.raises(DeadlineExceeded, match="before the end"):
        await store.units.write(late, deadline=clock.ticks() + 1)


async def test_a_write_whose_deadline_has_passed_does_not_run(store: Store, clock: SteppedClock) -> None:
    """B19: nobody waits for it any more."""
    ran: list[Unit] = []
    with pytest.raises(DeadlineExceeded, match="before the work could begin"):
        await write(store.units, ran.append, deadline=clock.ticks() - 1)

    assert ran == []


async def test_a_closed_store_refuses_reads_and_writes(store: Store) -> None:
    """B4: a late call is told, not lost."""
    await store.aclose()

    with pytest.raises(StoreError, match="closed"):
        await read(store.units, lambda unit: unit.row("SELECT 1"))
    with pytest.raises(StoreError, match="closed"):
        await write(store.units, quote("Q-1"))
    with pytest.raises(StoreError, match="closed"):
        await store.units.prepare(lambda _: None)
