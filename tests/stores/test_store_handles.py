"""The contracts of `ports.Handles`, `ports.Budgets` and `ports.Audit`, for every adapter."""

from __future__ import annotations

from dataclasses import replace

import pytest

from fourfold.errors import StoreError
from fourfold.model.audit import AuditEntry
from fourfold.model.handle import Handle
from tests.stores.domain import Store, own_write, read
from tests.stores.records import NOON_MS

pytestmark = pytest.mark.anyio

HANDLE = Handle(
    handle_id="hdl-1",
    tenant="acme",
    principal="clerk@acme",
    purpose="refund_receipt",
    resource="payment/PAY-1",
    version="3",
    created_ms=NOON_MS,
    expires_ms=NOON_MS + 60_000,
)

ENTRY = AuditEntry(
    at_ms=NOON_MS, tenant="acme", actor="boss@acme", action="claim_settled", about="op-1", reason="bank says so"
)


async def added(store: Store, *handles: Handle) -> None:
    """Store `handles`."""
    for handle in handles:
        await own_write(store, lambda unit, handle=handle: store.handles.add(unit, handle))


async def found(store: Store, handle_id: str, *, tenant: str = "acme") -> Handle | None:
    """The handle as it is stored."""
    return await read(store.units, lambda unit: store.handles.find(unit, handle_id, tenant=tenant))


async def revoked(store: Store, handle_id: str, *, tenant: str = "acme") -> bool:
    """Whether there was something to revoke."""
    return await own_write(store, lambda unit: store.handles.revoke(unit, handle_id, tenant=tenant, now_ms=NOON_MS + 5))


async def test_a_handle_is_found_in_its_tenant_alone(store: Store) -> None:
    """B10, B18: with every field."""
    await added(store, HANDLE)

    assert await found(store, "hdl-1") == HANDLE
    assert await found(store, "hdl-1", tenant="globex") is None
    assert await found(store, "hdl-2") is None


async def test_a_handle_is_revoked_once_and_in_its_tenant_alone(store: Store) -> None:
    """B10: the record says when."""
    await added(store, HANDLE)

    assert not await revoked(store, "hdl-1", tenant="globex")
    assert await revoked(store, "hdl-1")
    assert not await revoked(store, "hdl-1")
    assert await found(store, "hdl-1") == replace(HANDLE, revoked_ms=NOON_MS + 5)


async def test_handles_past_their_time_are_dropped_oldest_first(store: Store) -> None:
    """B10: so many at a time."""
    await added(store, *(replace(HANDLE, handle_id=f"hdl-{end}", expires_ms=NOON_MS + end) for end in (3, 1, 2)))

    async def purged(before_ms: int, limit: int) -> int:
        return await own_write(store, lambda unit: store.handles.purge(unit, before_ms=before_ms, limit=limit))

    assert await purged(NOON_MS + 3, 1) == 1
    assert [await found(store, f"hdl-{end}") is None for end in (1, 2, 3)] == [True, False, False]
    assert await purged(NOON_MS + 3, 9) == 1
    assert await found(store, "hdl-3") is not None


async def leased(store: Store, want: int, at_ms: int, *, name: str = "gateway") -> int:
    """What was granted of a budget of ten a minute."""
    return await own_write(
        store,
        lambda unit: store.budgets.lease(unit, name, want=want, most=10, window_ms=60_000, now_ms=at_ms),
    )


async def test_a_budget_grants_what_is_left_and_then_nothing(store: Store) -> None:
    """C4: part of what is wanted is better than none."""
    start = 60_000 * 1_000

    assert [await leased(store, 4, start + each) for each in range(4)] == [4, 4, 2, 0]
    assert await leased(store, 4, start, name="mail") == 4


async def test_a_budget_is_full_again_in_the_next_window_and_stays_in_it(store: Store) -> None:
    """C4: a clock that is behind does not open an old window anew."""
    start = 60_000 * 1_000
    await leased(store, 10, start)

    assert await leased(store, 1, start + 59_999) == 0
    assert await leased(store, 7, start + 60_000) == 7
    assert await leased(store, 7, start + 59_999) == 3
    assert await leased(store, 7, start + 60_001) == 0


async def test_the_audit_is_listed_newest_first_by_tenant_and_subject(store: Store) -> None:
    """D1: who settled what, and why."""
    entries = [ENTRY, replace(ENTRY, tenant="globex"), replace(ENTRY, about="plan-1", action="plan_approved")]
    for entry in entries:
        await own_write(store, lambda unit, entry=entry: store.audit.append(unit, entry))

    async def listed(tenant: str | None, about: str | None, limit: int = 10) -> list[AuditEntry]:
        return [*await read(store.units, lambda unit: store.audit.list(unit, tenant=tenant, about=about, limit=limit))]

    assert await listed(None, None) == entries[::-1]
    assert await listed("acme", "op-1") == [ENTRY]
    assert await listed(None, None, limit=1) == [entries[2]]


@pytest.mark.parametrize("sql", ["DELETE FROM fourfold_audit", "UPDATE fourfold_audit SET actor = 'nobody'"])
async def test_the_audit_is_only_ever_appended_to(store: Store, sql: str) -> None:
    """D1: not even by the framework."""
    await own_write(store, lambda unit: store.audit.append(unit, ENTRY))

    with pytest.raises(StoreError, match="audit is append-only"):
        await own_write(store, lambda unit: unit.execute(sql))
