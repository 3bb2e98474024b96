"""What SQLite's unit refuses beside what every store's does: words that undo the transaction of a whole group."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fourfold.adapters.memory.store import MemoryStore
from fourfold.adapters.sqlite.guard import check_text
from fourfold.adapters.sqlite.store import SqliteStore
from fourfold.errors import DeadlineExceeded, StoreError
from fourfold.ports.units import Transaction, Unit
from tests.stores.clocks import SteppedClock
from tests.stores.domain import ignore, quote, quote_names, read, write

pytestmark = pytest.mark.anyio

Embedded = MemoryStore | SqliteStore


async def test_a_view_does_not_open_the_framework_tables(embedded_store: Embedded) -> None:
    """B4: the rules hold for what a statement reaches, not for how it is written."""
    await embedded_store.units.prepare(lambda unit: unit.execute("CREATE VIEW peek AS SELECT * FROM fourfold_claim"))

    with pytest.raises(StoreError, match="belong to the framework"):
        await read(embedded_store.units, lambda unit: unit.rows("SELECT * FROM peek"))


async def test_full_text_search_works_in_handlers(embedded_store: Embedded) -> None:
    """B4: FTS5 reads a pragma inside its own queries, which is let through."""
    await embedded_store.units.prepare(lambda unit: unit.execute("CREATE VIRTUAL TABLE note USING fts5(body)"))
    for body in ("net thirty days", "paid in cash"):
        await write(embedded_store.units, lambda unit, body=body: unit.execute("INSERT INTO note VALUES (?)", (body,)))

    found = await read(embedded_store.units, lambda unit: unit.rows("SELECT body FROM note WHERE note MATCH 'cash'"))
    assert found == [{"body": "paid in cash"}]


@pytest.mark.parametrize(
    "sql",
    [
        "INSERT OR ROLLBACK INTO quote (name) VALUES ('a')",
        "update or/**/rollback quote set name = 'a'",
        "REPLACE INTO quote SELECT 'x', 'y' -- harmless '\n ; INSERT OR\nROLLBACK INTO quote VALUES (1)",
        "CREATE TRIGGER t BEFORE INSERT ON quote BEGIN SELECT RAISE ( ROLLBACK , 'no'); END",
        "CREATE TABLE t (a UNIQUE ON CONFLICT ROLLBACK)",
        """SELECT 'it''s', "a""b", [x'], `y'` FROM t WHERE a = 1 OR ROLLBACK""",
    ],
)
async def test_rolling_back_the_whole_transaction_is_refused(embedded_store: Embedded, sql: str) -> None:
    """B4: one member of a group must not undo the others."""
    with pytest.raises(StoreError, match="would undo other calls too"):
        await write(embedded_store.units, lambda unit: unit.execute(sql))
    with pytest.raises(StoreError, match="would undo other calls too"):
        await embedded_store.units.prepare(lambda unit: unit.execute(sql))


@pytest.mark.parametrize(
    "text", ["INSERT OR ROLLBACK", "RAISE(ROLLBACK, 'x')", 'it\'s OR "ROLLBACK"', "OR/*", "-- OR ROLLBACK"]
)
async def test_the_same_words_in_a_literal_a_name_or_a_comment_are_harmless(
    embedded_store: Embedded, text: str
) -> None:
    """B4: only SQL that is executed counts."""
    literal = text.replace("'", "''")
    sql = f"SELECT '{literal}' AS said, 1 AS \"OR ROLLBACK\" /* OR ROLLBACK */ -- RAISE(ROLLBACK)"

    assert await read(embedded_store.units, lambda unit: unit.row(sql)) == {"said": text, "OR ROLLBACK": 1}


@given(before=st.text(alphabet="a'\"`[]-/* \n"), after=st.text())
def test_a_quoted_text_never_hides_what_follows_it(before: str, after: str) -> None:
    """B4: whatever stands inside a closed literal, the keywords behind it are seen."""
    quoted = before.replace("'", "''")
    with pytest.raises(StoreError):
        check_text(f"SELECT '{quoted}' OR ROLLBACK {after}")


async def test_or_replace_and_upsert_are_allowed(embedded_store: Embedded) -> None:
    """B4: the other conflict clauses stay inside their statement."""

    def work(unit: Unit) -> int:
        unit.execute("INSERT OR REPLACE INTO quote (id, name) VALUES (1, 'a')")
        unit.execute("INSERT OR IGNORE INTO quote (id, name) VALUES (1, 'b')")
        return unit.execute("INSERT INTO quote (id, name) VALUES (1, 'c') ON CONFLICT (id) DO UPDATE SET name = 'd'")

    assert await write(embedded_store.units, work) == 1
    assert await quote_names(embedded_store.units) == ["d"]


ENDLESS_INSERT = """
WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) INSERT INTO quote (name) SELECT i FROM n
"""


async def test_a_transaction_that_was_lost_takes_nothing_more(embedded_store: Embedded, clock: SteppedClock) -> None:
    """B4: what follows a lost transaction must not be committed statement by statement."""

    def stubborn(transaction: Transaction) -> str:
        with pytest.raises(DeadlineExceeded):
            transaction.attempt(lambda unit: unit.execute(ENDLESS_INSERT), subject=ignore)
        with pytest.raises(StoreError, match="the transaction is over"):
            transaction.attempt(quote("Q-2"), subject=ignore)
        with pytest.raises(StoreError, match="the transaction is over"):
            transaction.unit.execute("INSERT INTO quote (name) VALUES ('Q-3')")
        return "done"

    clock.step = 1.0
    with pytest.raises(StoreError):
        await embedded_store.units.write(stubborn, deadline=clock.ticks() + 20)
    assert await quote_names(embedded_store.units) == []
    assert embedded_store.units.writes == 0
