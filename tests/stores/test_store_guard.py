"""What a handler may not ask of its unit, for every adapter."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fourfold.adapters.sqlite.guard import check_text
from fourfold.errors import StoreError
from fourfold.ports.units import Unit
from tests.stores.domain import FAR, Store, quote_names, read, write

pytestmark = pytest.mark.anyio

CONTROL = ["BEGIN", "COMMIT", "END", "ROLLBACK", "SAVEPOINT x", "RELEASE attempt", "ROLLBACK TO attempt"]
OUTSIDE = ["PRAGMA foreign_keys = OFF", "PRAGMA query_only = OFF", "ATTACH ':memory:' AS other", "DETACH main"]
SCHEMA = [
    "CREATE TABLE t (a)",
    "CREATE TEMP TABLE t (a)",
    "CREATE VIEW v AS SELECT 1",
    "CREATE TRIGGER t AFTER INSERT ON quote BEGIN SELECT 1; END",
    "CREATE INDEX i ON quote (name)",
    "CREATE VIRTUAL TABLE f USING fts5(x)",
    "DROP TABLE quote",
    "ALTER TABLE quote ADD COLUMN b",
    "REINDEX",
    "ANALYZE",
]
FRAMEWORK = [
    "SELECT * FROM fourfold_claim",
    "SELECT name FROM quote WHERE EXISTS (SELECT 1 FROM FOURFOLD_RUN)",
    "INSERT INTO fourfold_run (run_id) VALUES ('forged')",
    "UPDATE fourfold_writer SET group_no = 0",
    "DELETE FROM fourfold_claim",
]


@pytest.mark.parametrize("sql", [*CONTROL, *OUTSIDE, *SCHEMA, *FRAMEWORK])
async def test_a_writing_handler_is_refused_what_is_not_its_own(store: Store, sql: str) -> None:
    """B4: a handler cannot end, leave or widen its transaction, nor forge a claim or a run."""
    with pytest.raises(StoreError, match=r"a unit has no|belong to the framework|cannot change the schema"):
        await write(store.units, lambda unit: unit.execute(sql))


@pytest.mark.parametrize("sql", [*CONTROL, *OUTSIDE, *FRAMEWORK, "INSERT INTO quote (name) VALUES ('Q-1')"])
async def test_a_reading_handler_is_refused_writes_as_well(store: Store, sql: str) -> None:
    """B4, A13: a read is read-only by what it is given, not by what it promises."""
    with pytest.raises(StoreError, match=r"a unit has no|belong to the framework|read-only unit cannot write"):
        await read(store.units, lambda unit: unit.execute(sql))


@pytest.mark.parametrize(
    "sql", ["DROP TABLE fourfold_run", "CREATE INDEX i ON fourfold_run (at_ms)", "PRAGMA user_version = 3"]
)
async def test_preparing_may_not_touch_the_framework_either(store: Store, sql: str) -> None:
    """B4: a catalog makes its own tables and no others."""
    with pytest.raises(StoreError):
        await store.units.prepare(lambda unit: unit.execute(sql))


async def test_a_view_does_not_open_the_framework_tables(store: Store) -> None:
    """B4: the rules hold for what a statement reaches, not for how it is written."""
    await store.units.prepare(lambda unit: unit.execute("CREATE VIEW peek AS SELECT * FROM fourfold_claim"))

    with pytest.raises(StoreError, match="belong to the framework"):
        await read(store.units, lambda unit: unit.rows("SELECT * FROM peek"))


async def test_a_statement_that_the_framework_has_prepared_is_still_refused(store: Store) -> None:
    """B4: the driver caches prepared statements, and a cached one is not authorized again."""
    sql = "SELECT group_no FROM fourfold_writer"
    assert await store.units.write(lambda transaction: transaction.unit.row(sql), deadline=FAR)

    with pytest.raises(StoreError, match="belong to the framework"):
        await write(store.units, lambda unit: unit.row(sql))


async def test_full_text_search_works_in_handlers(store: Store) -> None:
    """B4: FTS5 reads a pragma inside its own queries, which is let through."""
    await store.units.prepare(lambda unit: unit.execute("CREATE VIRTUAL TABLE note USING fts5(body)"))
    for body in ("net thirty days", "paid in cash"):
        await write(store.units, lambda unit, body=body: unit.execute("INSERT INTO note VALUES (?)", (body,)))

    found = await read(store.units, lambda unit: unit.rows("SELECT body FROM note WHERE note MATCH 'cash'"))
    assert found == [{"body": "paid in cash"}]


async def test_two_statements_in_one_text_are_refused(store: Store) -> None:
    """B4: one call, one statement."""

    def work(unit: Unit) -> None:
        unit.execute("INSERT INTO quote (name) VALUES ('a'); DELETE FROM quote")

    with pytest.raises(StoreError, match="one statement at a time"):
        await write(store.units, work)
    assert await quote_names(store.units) == []


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
async def test_rolling_back_the_whole_transaction_is_refused(store: Store, sql: str) -> None:
    """B4: one member of a group must not undo the others."""
    with pytest.raises(StoreError, match="would undo other calls too"):
        await write(store.units, lambda unit: unit.execute(sql))
    with pytest.raises(StoreError, match="would undo other calls too"):
        await store.units.prepare(lambda unit: unit.execute(sql))


@pytest.mark.parametrize(
    "text", ["INSERT OR ROLLBACK", "RAISE(ROLLBACK, 'x')", 'it\'s OR "ROLLBACK"', "OR/*", "-- OR ROLLBACK"]
)
async def test_the_same_words_in_a_literal_a_name_or_a_comment_are_harmless(store: Store, text: str) -> None:
    """B4: only SQL that is executed counts."""
    literal = text.replace("'", "''")
    sql = f"SELECT '{literal}' AS said, 1 AS \"OR ROLLBACK\" /* OR ROLLBACK */ -- RAISE(ROLLBACK)"

    assert await read(store.units, lambda unit: unit.row(sql)) == {"said": text, "OR ROLLBACK": 1}


@given(before=st.text(alphabet="a'\"`[]-/* \n"), after=st.text())
def test_a_quoted_text_never_hides_what_follows_it(before: str, after: str) -> None:
    """B4: whatever stands inside a closed literal, the keywords behind it are seen."""
    quoted = before.replace("'", "''")
    with pytest.raises(StoreError):
        check_text(f"SELECT '{quoted}' OR ROLLBACK {after}")


async def test_or_replace_and_upsert_are_allowed(store: Store) -> None:
    """B4: the other conflict clauses stay inside their statement."""

    def work(unit: Unit) -> int:
        unit.execute("INSERT OR REPLACE INTO quote (id, name) VALUES (1, 'a')")
        unit.execute("INSERT OR IGNORE INTO quote (id, name) VALUES (1, 'b')")
        return unit.execute("INSERT INTO quote (id, name) VALUES (1, 'c') ON CONFLICT (id) DO UPDATE SET name = 'd'")

    assert await write(store.units, work) == 1
    assert await quote_names(store.units) == ["d"]
