"""The contract of `ports.Claims`, for every adapter."""

from __future__ import annotations

from dataclasses import replace
from typing import cast

import pytest

from fourfold.errors import StoreError
from fourfold.model.claim import ClaimState
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
