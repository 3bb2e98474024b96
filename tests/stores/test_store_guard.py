"""What a handler may not ask of its unit, for every adapter."""

from __future__ import annotations

import pytest

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
    "UPDATE fourfold_claim SET fence = 0",
    "DELETE FROM fourfold_claim",
]
REFUSAL = r"a unit has no|belong to the framework|cannot change the schema|one statement at a time"


@pytest.mark.parametrize("sql", [*CONTROL, *OUTSIDE, *SCHEMA, *FRAMEWORK])
async def test_a_writing_handler_is_refused_what_is_not_its_own(store: Store, sql: str) -> None:
    """B4: a handler cannot end, leave or widen its transaction, nor forge a claim or a run."""
    with pytest.raises(StoreError, match=REFUSAL):
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


async def test_a_statement_that_the_framework_has_prepared_is_still_refused(store: Store) -> None:
    """B4: the driver caches prepared statements, and a cached one is not authorized again."""
    sql = "SELECT count(*) AS claims FROM fourfold_claim"
    assert await store.units.write(lambda transaction: transaction.unit.row(sql), deadline=FAR)

    with pytest.raises(StoreError, match="belong to the framework"):
        await write(store.units, lambda unit: unit.row(sql))


async def test_two_statements_in_one_text_are_refused(store: Store) -> None:
    """B4: one call, one statement."""

    def work(unit: Unit) -> None:
        unit.execute("INSERT INTO quote (name) VALUES ('a'); DELETE FROM quote")

    with pytest.raises(StoreError, match="one statement at a time"):
        await write(store.units, work)
    assert await quote_names(store.units) == []
