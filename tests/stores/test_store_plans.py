"""The contract of `ports.Plans`, for every adapter."""

from __future__ import annotations

from dataclasses import replace

import pytest

from fourfold.model.claim import ClaimState
from fourfold.model.plan import Decision, Plan, PlanState, Verdict
from tests.stores.domain import Store, ignore, own_write, read
from tests.stores.records import NOON_MS, claim_of, plan_of, scope_of

pytestmark = pytest.mark.anyio


def said(plan: Plan, verdict: Verdict, **changes: object) -> Decision:
    """What a person said to `plan`, a second after it was made."""
    decision = Decision(
        plan_id=plan.plan_id,
        approver="boss@acme",
        verdict=verdict,
        digest=plan.digest,
        channel="cli",
        comment="as agreed",
        at_ms=NOON_MS + 1_000,
    )
    return replace(decision, **changes)


async def added(store: Store, *plans: Plan) -> None:
    """Store `plans`."""
    for plan in plans:
        await own_write(store, lambda unit, plan=plan: store.plans.add(unit, plan))


async def decided(store: Store, decision: Decision, *, tenant: str = "acme") -> bool:
    """Whether `decision` could still be said."""
    return await own_write(store, lambda unit: store.plans.decide(unit, decision, tenant=tenant))


async def used(store: Store, plan: Plan, *, operation_id: str = "op-1", now_ms: int = NOON_MS + 2_000) -> bool:
    """Whether the plan stood, and is used now."""
    return await own_write(store, lambda unit: store.plans.use(unit, plan, operation_id=operation_id, now_ms=now_ms))


async def found(store: Store, plan_id: str) -> Plan | None:
    """The plan as it is stored."""
    return await read(store.units, lambda unit: store.plans.find(unit, plan_id))


async def test_a_plan_comes_back_as_it_was_stored(store: Store) -> None:
    """B6: to the byte, so that its digest can be made again."""
    plan = plan_of("plan-1", versions='{"invoice/INV-ü": "3"}')
    await added(store, plan)

    assert await found(store, "plan-1") == plan
    assert await found(store, "plan-2") is None


async def test_a_plan_that_needs_nobody_is_used_once(store: Store) -> None:
    """B6: by the first operation that comes."""
    plan = plan_of("plan-1", approval="none")
    await added(store, plan)

    assert await used(store, plan, operation_id="op-1")
    assert not await used(store, plan, operation_id="op-2")
    assert await found(store, "plan-1") == replace(plan, state="used", used_by="op-1")


@pytest.mark.parametrize("approval", ["caller", "second_person"])
async def test_a_plan_that_needs_a_person_waits_for_one(store: Store, approval: str) -> None:
    """B6, C5: and the decision is kept with who, how and why."""
    plan = plan_of("plan-1", approval=approval)
    await added(store, plan)

    assert not await used(store, plan)
    assert await decided(store, said(plan, "approved"))
    assert await used(store, plan)
    assert await read(store.units, lambda unit: store.plans.decisions(unit, "plan-1")) == [said(plan, "approved")]


@pytest.mark.parametrize(
    "changes",
    [{"digest": "e" * 64}, {"tenant": "globex"}, {"principal": "boss@acme"}, {"plan_id": "plan-2"}],
)
async def test_a_plan_stands_for_exactly_what_was_planned(store: Store, changes: dict[str, str]) -> None:
    """B6, B18: another digest, tenant, principal or id uses nothing."""
    plan = plan_of("plan-1", approval="none")
    await added(store, plan)

    assert not await used(store, replace(plan, **changes))
    assert await found(store, "plan-1") == plan


async def test_a_plan_past_its_time_is_neither_used_nor_decided(store: Store) -> None:
    """B6: the millisecond that it expires at is past it."""
    plan = plan_of("plan-1", approval="none")
    await added(store, plan)

    assert not await decided(store, said(plan, "approved", at_ms=plan.expires_ms))
    assert not await used(store, plan, now_ms=plan.expires_ms)
    assert await used(store, plan, now_ms=plan.expires_ms - 1)


@pytest.mark.parametrize("verdict", ["denied", "revoked"])
async def test_a_plan_that_a_person_refused_is_never_used(store: Store, verdict: Verdict) -> None:
    """B6: nor approved after that."""
    plan = plan_of("plan-1")
    await added(store, plan)

    assert await decided(store, said(plan, verdict))
    assert not await decided(store, said(plan, "approved"))
    assert not await used(store, plan)


async def test_an_approval_is_revoked_until_it_is_used(store: Store) -> None:
    """B6: also past its time; a used one is history."""
    first, second = plan_of("plan-1"), plan_of("plan-2", digest="e" * 64)
    await added(store, first, second)
    for plan in (first, second):
        assert await decided(store, said(plan, "approved"))

    assert await decided(store, said(first, "revoked", at_ms=first.expires_ms + 1))
    assert await used(store, second)
    assert not await decided(store, said(second, "revoked"))
    assert [(await found(store, plan_id) or first).state for plan_id in ("plan-1", "plan-2")] == ["revoked", "used"]


@pytest.mark.parametrize(("changes", "tenant"), [({"digest": "e" * 64}, "acme"), ({}, "globex")])
async def test_a_decision_about_something_else_decides_nothing(
    store: Store, changes: dict[str, str], tenant: str
) -> None:
    """B6, B18: what was shown and what is approved are one digest, in one tenant."""
    plan = plan_of("plan-1")
    await added(store, plan)

    assert not await decided(store, said(plan, "approved", **changes), tenant=tenant)
    assert await read(store.units, lambda unit: store.plans.decisions(unit, "plan-1")) == []


async def test_plans_are_listed_newest_first_by_state_and_tenant(store: Store) -> None:
    """B6: what approvers choose from."""
    await added(
        store,
        plan_of("plan-1", created_ms=NOON_MS + 1),
        plan_of("plan-2", created_ms=NOON_MS + 3),
        plan_of("plan-3", created_ms=NOON_MS + 2, tenant="globex"),
        plan_of("plan-4", created_ms=NOON_MS + 2, approval="none"),
    )
    await used(store, plan_of("plan-4", approval="none"))

    async def listed(state: PlanState | None, tenant: str | None, limit: int = 10) -> list[str]:
        plans = await store.units.read(
            lambda unit: store.plans.list(unit, state=state, tenant=tenant, limit=limit),
            deadline=float("inf"),
            subject=ignore,
        )
        return [plan.plan_id for plan in plans]

    assert await listed(None, None) == ["plan-2", "plan-4", "plan-3", "plan-1"]
    assert await listed("open", "acme") == ["plan-2", "plan-1"]
    assert await listed("used", None) == ["plan-4"]
    assert await listed(None, None, limit=1) == ["plan-2"]


async def test_old_plans_are_dropped_with_their_decisions_and_no_others(store: Store) -> None:
    """B6: the oldest first, so many at a time."""
    plans = [plan_of(f"plan-{number}", expires_ms=NOON_MS + number * 10_000) for number in (1, 2, 3)]
    await added(store, *plans)
    for plan in plans:
        assert await decided(store, said(plan, "approved"))

    async def purged(before_ms: int, limit: int) -> int:
        return await own_write(store, lambda unit: store.plans.purge(unit, before_ms=before_ms, limit=limit))

    assert await purged(NOON_MS + 30_000, 1) == 1
    assert await purged(NOON_MS + 30_000, 9) == 1
    assert [await found(store, plan.plan_id) is None for plan in plans] == [True, True, False]
    decisions = [
        len(await read(store.units, lambda unit, plan=plan: store.plans.decisions(unit, plan.plan_id)))
        for plan in plans
    ]
    assert decisions == [0, 0, 1]


@pytest.mark.parametrize(("state", "stays"), [("running", True), ("unknown", True), ("done", False)])
async def test_a_plan_whose_operation_is_not_settled_is_not_dropped(
    store: Store, state: ClaimState, stays: bool
) -> None:
    """B6, D1: the next execute, or a person, finds the operation by it."""
    plan = plan_of("plan-1", approval="none")
    await added(store, plan)
    await used(store, plan, operation_id="op-of-plan-1")
    await own_write(store, lambda unit: store.claims.take(unit, claim_of(scope_of("plan-1"), "op-of-plan-1")))
    if state != "running":
        await own_write(
            store,
            lambda unit: store.claims.settle(
                unit, "op-of-plan-1", fence=1, state=state, outcome=None, settled_ms=NOON_MS
            ),
        )

    dropped = await own_write(store, lambda unit: store.plans.purge(unit, before_ms=NOON_MS * 2, limit=9))
    assert (dropped, await found(store, "plan-1") is not None) == (0 if stays else 1, stays)


async def test_plans_that_wait_for_somebody_are_listed_the_most_urgent_first(store: Store) -> None:
    """B6, D5: neither those that nobody has to agree to, nor those past their time."""
    await added(
        store,
        plan_of("plan-1", expires_ms=NOON_MS + 30_000),
        plan_of("plan-2", expires_ms=NOON_MS + 20_000),
        plan_of("plan-3", expires_ms=NOON_MS + 10_000, tenant="globex"),
        plan_of("plan-4", expires_ms=NOON_MS + 30_000, approval="none"),
        plan_of("plan-5", expires_ms=NOON_MS),
        plan_of("plan-6", expires_ms=NOON_MS + 30_000),
    )
    assert await decided(store, said(plan_of("plan-6", expires_ms=NOON_MS + 30_000), "denied"))

    async def waiting(tenant: str | None, limit: int = 10) -> list[str]:
        plans = await read(
            store.units, lambda unit: store.plans.waiting(unit, tenant=tenant, now_ms=NOON_MS, limit=limit)
        )
        return [plan.plan_id for plan in plans]

    assert await waiting(None) == ["plan-3", "plan-2", "plan-1"]
    assert await waiting("acme") == ["plan-2", "plan-1"]
    assert await waiting(None, limit=1) == ["plan-3"]


async def test_plans_that_wait_for_a_person_are_counted_over_all_tenants(store: Store) -> None:
    """B16: those that somebody has to agree to, has not, and still can."""
    open_ones = [
        plan_of("plan-1", approval="second_person"),
        plan_of("plan-2", approval="caller", tenant="globex"),
        plan_of("plan-3", approval="none"),
        plan_of("plan-4", approval="caller"),
    ]
    await added(store, *open_ones)
    await decided(store, said(open_ones[3], "approved"))

    async def waiting(now_ms: int) -> int:
        return await read(store.units, lambda unit: store.plans.count_waiting(unit, now_ms=now_ms))

    assert await waiting(NOON_MS + 2_000) == 2
    assert await waiting(open_ones[0].expires_ms) == 0
