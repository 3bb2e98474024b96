"""The store behind a pooler that shares server connections by transaction."""

from __future__ import annotations

from collections import Counter

import anyio
import pytest

from fourfold.adapters.clock import SystemClock
from fourfold.adapters.postgres.store import open_postgres
from fourfold.ports.units import Transaction, Unit
from tests.postgres.cluster import HANDLERS, ROLE, Cluster
from tests.postgres.pooler import pooled
from tests.stores.domain import FAR, ignore
from tests.stores.records import NOON_MS, claim_of, scope_of

pytestmark = pytest.mark.anyio

TENANTS = [f"tenant-{number}" for number in range(5)]
EACH = 20


def tables(unit: Unit) -> None:
    """A catalog's own table."""
    unit.execute("CREATE TABLE slip (tenant TEXT NOT NULL, name TEXT NOT NULL)")


async def test_many_tenants_over_few_connections_see_their_own_rows_alone(postgres: Cluster) -> None:
    """B18: a hundred writes and a hundred reads of five tenants, over three server connections, none wrong."""
    schema = "pooled"
    postgres.execute(f"CREATE SCHEMA {schema} AUTHORIZATION {ROLE}; GRANT USAGE ON SCHEMA {schema} TO {HANDLERS}")
    postgres.execute(f"ALTER ROLE {ROLE} SET search_path = {schema}")
    with pooled(postgres, size=3) as url:
        store = open_postgres(f"{url}?handlers={HANDLERS}", clock=SystemClock())
        await store.units.prepare(tables)
        postgres.execute(
            f"ALTER TABLE {schema}.slip ENABLE ROW LEVEL SECURITY; CREATE POLICY own ON {schema}.slip"
            " USING (tenant = (SELECT current_setting('fourfold.tenant', true)))"
        )
        seen: Counter[tuple[str, str]] = Counter()

        async def one(tenant: str, number: int) -> None:
            name = f"{tenant}/{number}"
            claim = claim_of(scope_of(name, tenant=tenant), f"op {name}")

            def work(transaction: Transaction) -> None:
                store.claims.take(transaction.unit, claim)
                insert = "INSERT INTO slip VALUES (?, ?)"
                transaction.attempt(lambda unit: unit.execute(insert, (tenant, name)), subject=ignore)
                store.claims.settle(
                    transaction.unit, claim.operation_id, fence=1, state="done", outcome="v1", settled_ms=NOON_MS
                )

            await store.units.write(work, deadline=FAR, tenant=tenant)
            rows = await store.units.read(
                lambda unit: unit.rows("SELECT tenant FROM slip"), deadline=FAR, subject=ignore, tenant=tenant
            )
            seen.update((tenant, row["tenant"]) for row in rows)

        async with anyio.create_task_group() as tasks:
            for tenant in TENANTS:
                for number in range(EACH):
                    tasks.start_soon(one, tenant, number)
        await store.aclose()
    postgres.execute(f"ALTER ROLE {ROLE} RESET search_path")

    assert {pair for pair in seen if pair[0] != pair[1]} == set()
    assert min(seen[tenant, tenant] for tenant in TENANTS) >= EACH * (EACH + 1) // 2
