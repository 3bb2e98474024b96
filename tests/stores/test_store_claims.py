"""The contract of `ports.Claims`, for every adapter."""

from __future__ import annotations

from dataclasses import replace
from typing import cast

import pytest

from fourfold.errors import ClaimLost, StoreError
from fourfold.model.claim import Claim, ClaimState
from fourfold.ports.units import Parameters, Row, Transaction, Unit
from tests.stores.domain import FAR, Store, ignore, own_write, quote, quote_names, read, write
from tests.stores.records import NOON_MS, claim_of, scope_of

pytestmark = pytest.mark.anyio


async def test_a_claim_is_taken_once_and_shown_to_the_next(store: Store) -> None:
    """D1: the unique key arbitrates."""
    first, second = claim_of(scope_of("k-1"), "op-1"), claim_of(scope_of("k-1"), "op-2")

    assert await own_write(store, lambda unit: store.claims.take(unit, first)) is None
    assert await own_write(store, lambda unit: store.claims.take(unit, second)) == first


@pytest.mark.parametrize("other", [{"tenant": "globex"}, {"principal": "boss@acme"}, {"tool": "quote_preview"}])
async def test_the_same_key_elsewhere_is_another_claim(store: Store, other: dict[str, str]) -> None:
    """D1, B18: a key is unique in tenant, principal and tool."""
    here, there = scope_of("k-1"), scope_of("k-1", **other)
    await own_write(store, lambda unit: store.claims.take(unit, claim_of(here, "op-1")))

    assert await read(store.units, lambda unit: store.claims.find(unit, there)) is None
    assert await own_write(store, lambda unit: store.claims.take(unit, claim_of(there, "op-2"))) is None


async def test_a_settled_claim_keeps_its_outcome(store: Store) -> None:
    """D1: an outcome is replayed byte for byte."""
    taken = claim_of(scope_of("k-1"), "op-1")

    def work(unit: Unit) -> None:
        store.claims.take(unit, taken)
        store.claims.settle(unit, "op-1", fence=1, state="done", outcome="v1.sealed", settled_ms=NOON_MS + 7)

    await own_write(store, work)

    settled = replace(taken, state="done", outcome="v1.sealed", settled_ms=NOON_MS + 7)
    assert await read(store.units, lambda unit: store.claims.find(unit, taken.scope)) == settled


async def test_a_claim_is_settled_once(store: Store) -> None:
    """D1: who settles second has lost, and what it wrote is undone with it."""

    def settle(unit: Unit) -> None:
        store.claims.settle(unit, "op-1", fence=1, state="failed", outcome="v1.x", settled_ms=NOON_MS)

    def settle_after_writing(transaction: Transaction) -> None:
        transaction.attempt(quote("Q-twice"), subject=ignore)
        settle(transaction.unit)

    await own_write(store, lambda unit: store.claims.take(unit, claim_of(scope_of("k-1"), "op-1")))
    await own_write(store, settle)

    with pytest.raises(StoreError, match="op-1 is not this owner's"):
        await store.units.write(settle_after_writing, deadline=FAR)
    assert await quote_names(store.units) == []


async def test_a_claim_and_its_effect_are_undone_together(store: Store) -> None:
    """D1: a handler that fails leaves the key free."""

    def work(transaction: Transaction) -> None:
        store.claims.take(transaction.unit, claim_of(scope_of("k-1"), "op-1"))
        transaction.attempt(quote("Q-1"), subject=ignore)
        raise LookupError

    with pytest.raises(LookupError):
        await store.units.write(work, deadline=FAR)
    assert await read(store.units, lambda unit: store.claims.find(unit, scope_of("k-1"))) is None


async def test_a_twin_is_the_newest_claim_with_the_same_fingerprint_and_another_key(store: Store) -> None:
    """D1: a model that mints a new key for a retry is recognised."""
    scope = scope_of("k-new")
    claims = [
        claim_of(scope_of("k-old"), "op-old", created_ms=NOON_MS),
        claim_of(scope_of("k-mid"), "op-mid", created_ms=NOON_MS + 5),
        claim_of(scope, "op-own", created_ms=NOON_MS + 9),
        claim_of(scope_of("k-else"), "op-else", created_ms=NOON_MS + 9, fingerprint=b"g" * 32),
        claim_of(scope_of("k-far", tenant="globex"), "op-far", created_ms=NOON_MS + 9),
    ]
    await own_write(store, lambda unit: [store.claims.take(unit, claim) for claim in claims])

    async def twin(since_ms: int) -> str | None:
        found = await read(
            store.units, lambda unit: store.claims.twin(unit, scope, fingerprint=b"f" * 32, since_ms=since_ms)
        )
        return found.operation_id if found else None

    assert await twin(NOON_MS) == "op-mid"
    assert await twin(NOON_MS + 5) == "op-mid"
    assert await twin(NOON_MS + 6) is None


async def test_a_claim_cannot_be_taken_in_a_read(store: Store) -> None:
    """B4: also the framework writes only where it may."""
    with pytest.raises(StoreError, match="read-only"):
        await read(store.units, lambda unit: store.claims.take(unit, claim_of(scope_of("k-1"), "op-1")))


async def test_claims_work_in_a_handlers_unit_that_has_no_access_to_them(store: Store) -> None:
    """D1: the port hands claims any unit of its store; the guard is for SQL, not for the framework."""
    taken = claim_of(scope_of("k-1"), "op-1")

    assert await write(store.units, lambda unit: store.claims.take(unit, taken)) is None
    assert await read(store.units, lambda unit: store.claims.find(unit, taken.scope)) == taken


async def test_a_unit_of_another_store_is_refused(store: Store) -> None:
    """D1: a claim that commits elsewhere protects nothing."""
    with pytest.raises(StoreError, match="no framework tables"):
        store.claims.find(ForeignUnit(), scope_of("k-1"))


class ForeignUnit:
    """A unit that some other adapter opened."""

    def execute(self, sql: str, parameters: Parameters = ()) -> int:
        """Never reached."""
        raise NotImplementedError

    def row(self, sql: str, parameters: Parameters = ()) -> Row | None:
        """Never reached."""
        raise NotImplementedError

    def rows(self, sql: str, parameters: Parameters = ()) -> list[Row]:
        """Never reached."""
        raise NotImplementedError

    def subject(self, value: str) -> None:
        """Never reached."""
        raise NotImplementedError


async def test_an_impossible_state_or_fingerprint_is_refused_by_the_table(store: Store) -> None:
    """D1: what cannot be compared or continued is not stored."""
    await own_write(store, lambda unit: store.claims.take(unit, claim_of(scope_of("k-1"), "op-1")))
    short = claim_of(scope_of("k-2"), "op-2", fingerprint=b"short")
    perhaps = cast("ClaimState", "perhaps")

    with pytest.raises(StoreError, match=r"(?i)check constraint"):
        await own_write(store, lambda unit: store.claims.take(unit, short))
    with pytest.raises(StoreError, match=r"(?i)check constraint"):
        await own_write(
            store,
            lambda unit: store.claims.settle(unit, "op-1", fence=1, state=perhaps, outcome="", settled_ms=NOON_MS),
        )


OUTSIDE = replace(
    claim_of(scope_of("k-1"), "op-1"), effect_class="external_keyed", owner="one", lease_until_ms=NOON_MS + 30_000
)
"""A running claim that another process may take over once its lease is over."""


async def taken_over(store: Store, *, fence: int, now_ms: int, owner: str = "two") -> Claim | None:
    """The claim, if it could be had."""
    return await own_write(
        store,
        lambda unit: store.claims.take_over(
            unit, "op-1", fence=fence, owner=owner, now_ms=now_ms, until_ms=now_ms + 30_000
        ),
    )


async def test_a_claim_is_taken_over_only_once_its_lease_is_over(store: Store) -> None:
    """D1: with the next fence, by one of those who saw the same one."""
    await own_write(store, lambda unit: store.claims.take(unit, OUTSIDE))

    assert await taken_over(store, fence=1, now_ms=NOON_MS + 29_999) is None
    assert await taken_over(store, fence=1, now_ms=NOON_MS + 30_000) == replace(
        OUTSIDE, fence=2, attempt=2, owner="two", lease_until_ms=NOON_MS + 60_000
    )
    assert await taken_over(store, fence=1, now_ms=NOON_MS + 99_999, owner="three") is None


async def test_an_owner_that_was_thought_dead_can_do_nothing_more(store: Store) -> None:
    """D1: the fence lets only the newest owner on."""
    await own_write(store, lambda unit: store.claims.take(unit, OUTSIDE))
    await taken_over(store, fence=1, now_ms=NOON_MS + 30_000)
    claims = store.claims

    assert not await own_write(store, lambda unit: claims.renew(unit, "op-1", fence=1, until_ms=NOON_MS + 90_000))
    with pytest.raises(ClaimLost):
        await own_write(store, lambda unit: claims.reach(unit, "op-1", fence=1, point="started"))
    with pytest.raises(ClaimLost):
        await own_write(store, lambda unit: claims.release(unit, "op-1", fence=1, now_ms=NOON_MS))
    with pytest.raises(ClaimLost):
        await own_write(
            store,
            lambda unit: claims.settle(unit, "op-1", fence=1, state="done", outcome="v1.x", settled_ms=NOON_MS),
        )
    await own_write(
        store, lambda unit: claims.settle(unit, "op-1", fence=2, state="done", outcome="v1.y", settled_ms=NOON_MS)
    )


async def test_a_lease_is_renewed_and_ended_by_its_owner(store: Store) -> None:
    """D1: a released claim keeps its arguments, and is there to be had at once."""
    await own_write(store, lambda unit: store.claims.take(unit, OUTSIDE))

    assert await own_write(store, lambda unit: store.claims.renew(unit, "op-1", fence=1, until_ms=NOON_MS + 90_000))
    assert await taken_over(store, fence=1, now_ms=NOON_MS + 89_999) is None
    await own_write(store, lambda unit: store.claims.reach(unit, "op-1", fence=1, point="started"))
    await own_write(store, lambda unit: store.claims.release(unit, "op-1", fence=1, now_ms=NOON_MS + 5))
    found = await taken_over(store, fence=1, now_ms=NOON_MS + 5)
    assert found is not None
    assert (found.recovery_point, found.fingerprint, found.attempt) == ("started", b"f" * 32, 2)


@pytest.mark.parametrize(
    ("state", "outcome", "settled_ms"), [("done", "v1.found", NOON_MS + 9), ("running", None, None)]
)
async def test_an_unknown_claim_is_decided_once(
    store: Store, state: ClaimState, outcome: str | None, settled_ms: int | None
) -> None:
    """D1: it happened, or it is to be tried again; any other claim is none to decide."""
    started = replace(OUTSIDE, recovery_point="started")
    await own_write(store, lambda unit: store.claims.take(unit, started))

    async def resolved() -> bool:
        return await own_write(
            store,
            lambda unit: store.claims.resolve(
                unit,
                "op-1",
                state=state,
                outcome=outcome,
                settled_ms=NOON_MS + 9,
                keep_until_ms=NOON_MS + 2_000,
            ),
        )

    assert not await resolved()
    await own_write(
        store,
        lambda unit: store.claims.settle(unit, "op-1", fence=1, state="unknown", outcome=None, settled_ms=NOON_MS),
    )
    assert await resolved()
    assert not await resolved()
    assert await read(store.units, lambda unit: store.claims.operation(unit, "op-1")) == replace(
        OUTSIDE,
        state=state,
        outcome=outcome,
        settled_ms=settled_ms,
        fence=2,
        lease_until_ms=0,
        purge_after_ms=NOON_MS + 2_000,
    )


async def test_claims_are_listed_newest_first_by_state_and_tenant(store: Store) -> None:
    """D1: what an operator looks at."""
    for number, tenant in ((1, "acme"), (2, "globex"), (3, "acme")):
        claim = claim_of(scope_of("k", tenant=tenant, tool=f"t{number}"), f"op-{number}", created_ms=NOON_MS + number)
        await own_write(store, lambda unit, claim=claim: store.claims.take(unit, claim))
    await own_write(
        store, lambda unit: store.claims.settle(unit, "op-1", fence=1, state="done", outcome="v1", settled_ms=NOON_MS)
    )

    async def listed(state: ClaimState | None, tenant: str | None, limit: int = 10) -> list[str]:
        claims = await read(store.units, lambda unit: store.claims.list(unit, state=state, tenant=tenant, limit=limit))
        return [claim.operation_id for claim in claims]

    assert await listed(None, None) == ["op-3", "op-2", "op-1"]
    assert await listed("running", "acme") == ["op-3"]
    assert await listed(None, None, limit=2) == ["op-3", "op-2"]


async def claimed(store: Store, number: int, state: ClaimState) -> None:
    """Take claim `op-<number>`, and settle it with `state` unless that is `running`."""
    claim = claim_of(scope_of(f"k-{number}"), f"op-{number}", created_ms=NOON_MS + number)

    def work(unit: Unit) -> None:
        store.claims.take(unit, claim)
        if state != "running":
            store.claims.settle(unit, claim.operation_id, fence=1, state=state, outcome="v1.x", settled_ms=NOON_MS)

    await own_write(store, work)


async def test_settled_claims_become_tombstones_and_then_go(store: Store) -> None:
    """D1: a tombstone has no outcome; what runs or is unknown stays."""
    claims = store.claims
    ends: tuple[ClaimState, ...] = ("done", "failed", "unknown", "running")
    for number, state in enumerate(ends, 1):
        await claimed(store, number, state)

    async def purged(now_ms: int, limit: int = 10) -> int:
        return await own_write(
            store, lambda unit: claims.purge(unit, now_ms=now_ms, tombstone_until_ms=now_ms + 5_000, limit=limit)
        )

    async def states() -> list[tuple[str, str | None]]:
        found = await read(store.units, lambda unit: claims.list(unit, state=None, tenant=None, limit=10))
        return [(claim.state, claim.outcome) for claim in reversed(found)]

    kept = [("unknown", "v1.x"), ("running", None)]
    assert await purged(NOON_MS + 1_000) == 0
    assert await purged(NOON_MS + 1_002, limit=1) == 1
    assert await states() == [("tombstone", None), ("failed", "v1.x"), *kept]
    assert await purged(NOON_MS + 1_002) == 1
    assert await states() == [("tombstone", None), ("tombstone", None), *kept]
    assert await purged(NOON_MS + 6_002) == 2
    assert await states() == kept


async def test_unknown_claims_are_counted_over_all_tenants(store: Store) -> None:
    """B16: and no other state is."""
    for number, (tenant, state) in enumerate(
        [("acme", "unknown"), ("globex", "unknown"), ("acme", "done"), ("acme", "running")]
    ):
        taken = claim_of(scope_of(f"k-{number}", tenant=tenant), f"op-{number}")
        await own_write(store, lambda unit, taken=taken: store.claims.take(unit, taken))
        if state != "running":
            settled = cast("ClaimState", state)
            await own_write(
                store,
                lambda unit, taken=taken, state=settled: store.claims.settle(
                    unit, taken.operation_id, fence=1, state=state, outcome=None, settled_ms=NOON_MS
                ),
            )

    assert await read(store.units, store.claims.count_unknown) == 2
