"""What PostgreSQL's unit refuses beside what every store's does."""

from __future__ import annotations

import anyio.from_thread
import pytest

from fourfold.adapters.postgres.store import PostgresStore
from fourfold.errors import StoreError
from fourfold.ports.units import Transaction, Unit
from tests.stores.domain import FAR, ignore, quote_names, read, write

pytestmark = pytest.mark.anyio

SETTINGS = [
    "SET LOCAL fourfold.tenant = 'globex'",
    "SET ROLE none",
    "RESET ALL",
    "SELECT set_config('fourfold.tenant', 'globex', true)",
    "SELECT pg_catalog.\"set_config\"('fourfold.operator', 'on', true)",
    "WITH x AS (SELECT SET_CONFIG('role', 'none', true)) SELECT * FROM x",
]
LASTING = [
    "SELECT pg_advisory_lock(1)",
    "SELECT pg_try_advisory_lock_shared(1)",
    "SELECT pg_advisory_unlock_all()",
    "LISTEN quotes",
    "PREPARE q AS SELECT 1",
    "DECLARE c CURSOR WITH HOLD FOR SELECT 1",
    "CREATE TEMP TABLE t (a INT)",
]
OTHERWISE = [
    "SELECT query_to_xml('SELECT 1', true, true, '')",
    "SELECT table_to_xml('fourfold_claim', true, true, '')",
    "SELECT * FROM dblink('', 'SELECT 1') AS t (a INT)",
    "SELECT pg_terminate_backend(1)",
    "DO $$ BEGIN PERFORM 1; END $$",
    "COPY quote TO STDOUT",
    "CALL something()",
    "LOCK quote",
    "VACUUM quote",
    "EXPLAIN ANALYZE DELETE FROM quote",
    "SELECT * INTO copied FROM quote",
    "WITH q AS (SELECT * FROM quote) SELECT * INTO copied FROM q",
    "TRUNCATE quote",
    'SELECT * FROM "fourfold_claim"',
    "SELECT * FROM public.Fourfold_Claim",
    'SELECT * FROM U&"fourfold\\005Fclaim"',
    "",
]


REFUSAL = r"a unit has no|belong to the framework|cannot change the schema|names without"


@pytest.mark.parametrize("sql", [*SETTINGS, *LASTING, *OTHERWISE])
async def test_a_handler_is_refused_what_would_reach_beyond_its_transaction_or_tenant(
    postgres_store: PostgresStore, sql: str
) -> None:
    """B4, B18: settings, session state, text run as SQL, and names in disguise."""
    with pytest.raises(StoreError, match=REFUSAL):
        await write(postgres_store.units, lambda unit: unit.execute(sql))


@pytest.mark.parametrize("sql", [*SETTINGS, *LASTING, "CREATE VIEW peek AS SELECT * FROM fourfold_claim"])
async def test_preparing_is_refused_it_as_well(postgres_store: PostgresStore, sql: str) -> None:
    """B4, B18: what prepares a catalog makes tables, and no session."""
    with pytest.raises(StoreError, match=r"a unit has no|belong to the framework"):
        await postgres_store.units.prepare(lambda unit: unit.execute(sql))


async def test_words_in_literals_and_comments_are_harmless(postgres_store: PostgresStore) -> None:
    """B4: only SQL that is executed counts."""
    sql = "SELECT 'set_config; DROP' AS said, $$fourfold_claim$$ AS too /* SET ROLE */ -- COMMIT; BEGIN"

    assert await read(postgres_store.units, lambda unit: unit.row(sql)) == {
        "said": "set_config; DROP",
        "too": "fourfold_claim",
    }


async def test_what_a_handler_needs_is_allowed(postgres_store: PostgresStore) -> None:
    """B4: upserts, MERGE, locking reads, and locks that end with the transaction."""

    def work(unit: Unit) -> list[int]:
        unit.row("SELECT pg_advisory_xact_lock(1)")
        upsert = "INSERT INTO quote (name) VALUES (?) ON CONFLICT (name) DO UPDATE SET name = 'b'"
        merge = (
            "MERGE INTO quote AS q USING (VALUES ('b'), ('c')) AS v(name) ON q.name = v.name"
            " WHEN MATCHED THEN UPDATE SET name = 'd' WHEN NOT MATCHED THEN INSERT (name) VALUES (v.name)"
        )
        changed = [unit.execute(upsert, ("a",)), unit.execute(upsert, ("a",)), unit.execute(merge)]
        unit.rows("SELECT name FROM quote FOR UPDATE")
        return changed

    assert await write(postgres_store.units, work) == [1, 1, 2]
    assert await quote_names(postgres_store.units) == ["c", "d"]


async def test_a_read_only_transaction_cannot_be_made_to_write(postgres_store: PostgresStore) -> None:
    """B4, A13: PostgreSQL itself refuses, in whatever a statement hides it."""
    hidden = "WITH added AS (INSERT INTO quote (name) VALUES ('a') RETURNING name) SELECT name FROM added"
    with pytest.raises(StoreError, match="read-only unit cannot write"):
        await read(postgres_store.units, lambda unit: unit.rows(hidden))

    assert await quote_names(postgres_store.units) == []


async def test_a_read_sees_one_state_of_the_data(postgres_store: PostgresStore) -> None:
    """B4: as on SQLite, whatever is committed between its statements."""

    def count(unit: Unit) -> object:
        return unit.row("SELECT count(*) AS n FROM quote")

    def add(unit: Unit) -> None:
        unit.execute("INSERT INTO quote (name) VALUES ('between')")

    def twice(unit: Unit) -> tuple[object, object]:
        before = count(unit)
        anyio.from_thread.run(write, postgres_store.units, add)
        return before, count(unit)

    assert await read(postgres_store.units, twice) == ({"n": 0}, {"n": 0})
    assert await read(postgres_store.units, count) == {"n": 1}


async def test_an_attempt_leaves_the_framework_with_its_own_settings(postgres_store: PostgresStore) -> None:
    """B4: it waits for rows as briefly after a handler as before, whether that returned or raised."""
    asked = "SELECT current_setting('lock_timeout') AS wait, current_setting('fourfold.operator') AS operator"

    def work(transaction: Transaction) -> list[object]:
        def fail(unit: Unit) -> None:
            unit.execute("INSERT INTO quote (name) VALUES ('a')")
            raise LookupError

        seen = [transaction.unit.row(asked)]
        seen.append(transaction.attempt(lambda unit: unit.row(asked), subject=ignore))
        seen.append(transaction.unit.row(asked))
        with pytest.raises(LookupError):
            transaction.attempt(fail, subject=ignore)
        return [*seen, transaction.unit.row(asked)]

    own, handlers = {"wait": "1s", "operator": "on"}, {"wait": "0", "operator": ""}
    assert await postgres_store.units.write(work, deadline=FAR) == [own, handlers, own, own]
