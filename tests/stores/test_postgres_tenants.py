"""Row-level security: the second wall between tenants, and who sees over it."""

from __future__ import annotations

from collections.abc import AsyncGenerator
from typing import Any

import psycopg
import pytest

from fourfold.adapters.postgres.connect import Connection
from fourfold.adapters.postgres.store import PostgresStore, open_postgres
from fourfold.errors import StoreError
from fourfold.model.claim import Claim
from fourfold.ports.units import Transaction, Unit
from tests.postgres.cluster import HANDLERS, Cluster
from tests.stores.clocks import SteppedClock
from tests.stores.domain import FAR, ignore
from tests.stores.records import claim_of, message_of, plan_of, run_at, scope_of

pytestmark = pytest.mark.anyio

POLICY = """
ALTER TABLE invoice ENABLE ROW LEVEL SECURITY;
ALTER TABLE invoice FORCE ROW LEVEL SECURITY;
CREATE POLICY own_tenant ON invoice USING (
    tenant = (SELECT current_setting('fourfold.tenant', true))
    OR (SELECT current_setting('fourfold.operator', true)) = 'on'
)
"""
"""As the adapter's documentation has it."""


def tables(unit: Unit) -> None:
    """A catalog's own table."""
    unit.execute("CREATE TABLE invoice (tenant TEXT NOT NULL, name TEXT NOT NULL)")


def rows(unit: Unit) -> None:
    """Rows of two tenants."""
    for tenant in ("acme", "globex"):
        unit.execute("INSERT INTO invoice VALUES (?, ?)", (tenant, f"INV of {tenant}"))


@pytest.fixture(params=["one role", "a role for handlers"])
async def store(
    request: pytest.FixtureRequest, postgres: Cluster, clock: SteppedClock
) -> AsyncGenerator[PostgresStore]:
    """An open store whose catalog has a table under the policy, with rows of two tenants."""
    url = postgres.store(**({} if request.param == "one role" else {"handlers": HANDLERS}))
    opened = open_postgres(url, clock=clock)
    await opened.units.prepare(tables)
    postgres.execute(POLICY, url=url)
    await opened.units.prepare(rows)
    yield opened
    await opened.aclose()


async def invoices(store: PostgresStore, tenant: str | None) -> list[str]:
    """What a handler that forgets to ask for its tenant reads."""
    found = await store.units.read(
        lambda unit: unit.rows("SELECT name FROM invoice ORDER BY name"), deadline=FAR, subject=ignore, tenant=tenant
    )
    return [row["name"] for row in found]


async def test_a_query_without_a_tenant_finds_only_the_callers_rows(store: PostgresStore) -> None:
    """B18: also if the author forgot the predicate; without a caller it finds none."""
    assert await invoices(store, "acme") == ["INV of acme"]
    assert await invoices(store, "globex") == ["INV of globex"]
    assert await invoices(store, "o'brien \\ co") == []
    assert await invoices(store, "") == []
    assert await invoices(store, None) == []


async def test_a_handler_cannot_write_a_row_of_another_tenant(store: PostgresStore) -> None:
    """B18: PostgreSQL refuses it."""
    insert = "INSERT INTO invoice VALUES ('globex', 'forged')"

    def forge(transaction: Transaction) -> None:
        transaction.attempt(lambda unit: unit.execute(insert), subject=ignore)

    with pytest.raises(StoreError, match="row-level security"):
        await store.units.write(forge, deadline=FAR, tenant="acme")


async def test_a_handler_changes_only_the_callers_rows(store: PostgresStore) -> None:
    """B18: an UPDATE without a predicate stays in its tenant."""

    def rename(transaction: Transaction) -> int:
        return transaction.attempt(lambda unit: unit.execute("UPDATE invoice SET name = 'renamed'"), subject=ignore)

    assert await store.units.write(rename, deadline=FAR, tenant="acme") == 1
    assert await invoices(store, "globex") == ["INV of globex"]


async def test_a_handler_is_not_let_over_the_wall_by_a_transaction_of_the_framework(store: PostgresStore) -> None:
    """B18: what the framework may see for itself, an attempt inside it may not."""

    def work(transaction: Transaction) -> tuple[int, int, int]:
        before = len(store.claims.list(transaction.unit, state=None, tenant=None, limit=9))
        inside = transaction.attempt(lambda unit: len(unit.rows("SELECT * FROM invoice")), subject=ignore)
        after = len(store.claims.list(transaction.unit, state=None, tenant=None, limit=9))
        return before, inside, after

    for tenant in ("acme", "globex"):
        await taken(store, claim_of(scope_of("k", tenant=tenant), f"op of {tenant}"))
    assert await store.units.write(work, deadline=FAR) == (2, 0, 2)


async def taken(store: PostgresStore, claim: Claim) -> None:
    """Take `claim` for its tenant."""
    await store.units.write(
        lambda transaction: store.claims.take(transaction.unit, claim), deadline=FAR, tenant=claim.scope.tenant
    )


async def test_the_frameworks_own_rows_are_walled_in_by_tenant_as_well(store: PostgresStore) -> None:
    """B18: a claim, a plan and a message of another tenant are not there, even for the framework's own queries."""

    def fill(transaction: Transaction) -> None:
        unit = transaction.unit
        store.claims.take(unit, claim_of(scope_of("k"), "op-1"))
        store.plans.add(unit, plan_of("plan-1"))
        store.messages.add(unit, message_of("msg-1"))

    def seen(unit: Unit) -> list[bool]:
        claim, plan = store.claims.operation(unit, "op-1"), store.plans.find(unit, "plan-1")
        return [claim is not None, plan is not None, bool(store.messages.list(unit, state=None, tenant=None, limit=9))]

    async def seen_by(tenant: str | None) -> list[bool]:
        return await store.units.read(seen, deadline=FAR, subject=ignore, tenant=tenant)

    await store.units.write(fill, deadline=FAR, tenant="acme")
    assert await seen_by("acme") == [True, True, True]
    assert await seen_by("globex") == [False, False, False]
    assert await seen_by("") == [False, False, False]
    assert await seen_by(None) == [True, True, True]


async def test_the_framework_cannot_store_a_row_for_a_tenant_that_it_does_not_serve(store: PostgresStore) -> None:
    """B18: a mix-up of two callers ends in an error and not in the wrong books."""
    mixed_up = run_at(1, tenant="globex")
    with pytest.raises(StoreError, match="row-level security"):
        await store.units.write(
            lambda transaction: store.runs.insert(transaction.unit, mixed_up), deadline=FAR, tenant="acme"
        )


async def test_nothing_stays_on_the_connection(postgres: Cluster, clock: SteppedClock) -> None:
    """B18: who gets it next through a pooler has no tenant, no role and no time limit of ours."""
    opened = set[Connection]()

    class Seen(psycopg.Connection[dict[str, Any]]):
        def execute(self, query: Any, *arguments: Any, **more: Any) -> Any:
            opened.add(self)
            return super().execute(query, *arguments, **more)

    store = open_postgres(postgres.store(handlers=HANDLERS), clock=clock, connection_class=Seen)
    await store.units.prepare(tables)
    await invoices(store, "acme")
    await taken(store, claim_of(scope_of("k"), "op-1"))
    with pytest.raises(StoreError):
        await store.units.write(lambda transaction: transaction.unit.row("SELECT nonsense"), deadline=FAR, tenant="a")

    for connection in [*opened]:
        row = connection.execute(
            "SELECT coalesce(current_setting('fourfold.tenant', true), '') AS tenant,"
            " coalesce(current_setting('fourfold.operator', true), '') AS operator,"
            " current_setting('lock_timeout') AS lock, current_setting('statement_timeout') AS statement,"
            " current_user = session_user AS own"
        ).fetchone()
        assert row == {"tenant": "", "operator": "", "lock": "0", "statement": "0", "own": True}
        assert connection.execute("SELECT count(*) AS n FROM pg_prepared_statements").fetchone() == {"n": 0}
    assert opened
    await store.aclose()
