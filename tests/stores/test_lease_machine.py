"""Leases and fences as a state machine: several owners, a clock that jumps, and a store that remembers who is newest.

An owner keeps the fence that it last got, as a process does that was stopped and goes on.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace

import pytest
from hypothesis import strategies as st
from hypothesis.stateful import invariant, rule

from fourfold.errors import ClaimLost
from fourfold.model.claim import Claim, ClaimState, EffectClass
from fourfold.ports.units import Unit
from tests.stores.domain import Store
from tests.stores.machine import StoreMachine, claims_in, run_machine, wrongs_of
from tests.stores.records import NOON_MS, claim_of, scope_of

LEASE_MS = 2
KEPT_MS = 6
BURIED_MS = 10

KEYS = st.sampled_from("aab")
OWNERS = st.sampled_from(["one", "two"])
CLASSES = st.sampled_from(["external_keyed", "external_probe", "external_blind"])


class LeaseMachine(StoreMachine):
    """Every rule acts on the store and on the model, and compares what both answer."""

    def __init__(self, store: Store) -> None:
        super().__init__(store)
        self.now = NOON_MS
        self.model: dict[str, Claim] = {}
        self.standing: dict[str, str] = {}
        self.held: dict[tuple[str, str], int] = {}
        self.settlements: set[tuple[str, int]] = set()
        self.seen: Mapping[str, Claim] = {}
        self.taken = 0

    def _claim(self, key: str) -> Claim | None:
        return self.model.get(self.standing.get(key, ""))

    def _mine(self, owner: str, key: str) -> tuple[Claim | None, int]:
        """The claim of `key` and the fence that `owner` believes to have."""
        claim = self._claim(key)
        return claim, self.held.get((owner, claim.operation_id), 0) if claim else 0

    def _changed(self, claim: Claim, **facts: object) -> None:
        self.model[claim.operation_id] = replace(claim, **facts)

    def _refused_or(self, work: Callable[[Unit], None], *, owns: bool) -> bool:
        """Do it in the store, which refuses exactly those who do not own the claim; whether it was done."""
        if owns:
            self.act(work)
        else:
            with pytest.raises(ClaimLost):
                self.act(work)
        return owns

    @rule(ms=st.sampled_from([1, LEASE_MS, KEPT_MS, BURIED_MS]))
    def wait_for(self, ms: int) -> None:
        """Leases lapse, outcomes and tombstones come to their time."""
        self.now += ms

    @rule(owner=OWNERS, key=KEYS, effect_class=CLASSES)
    def take(self, owner: str, key: str, effect_class: EffectClass) -> None:
        """A key is taken once, whatever became of it, until its tombstone is gone."""
        self.taken += 1
        claim = replace(
            claim_of(scope_of(key), f"op-{self.taken}", created_ms=self.now),
            effect_class=effect_class,
            owner=owner,
            lease_until_ms=self.now + LEASE_MS,
            purge_after_ms=self.now + KEPT_MS,
        )
        there = self._claim(key)
        assert self.act(lambda unit: self.store.claims.take(unit, claim)) == there
        if there is None:
            self.model[claim.operation_id], self.standing[key] = claim, claim.operation_id
            self.held[owner, claim.operation_id] = 1

    @rule(owner=OWNERS, key=KEYS, stale=st.booleans())
    def take_over(self, owner: str, key: str, *, stale: bool) -> None:
        """A running claim is had by the next owner once its lease is over, under the fence that was read."""
        claim = self._claim(key)
        if claim is None:
            return
        shown, until = claim.fence - stale, self.now + LEASE_MS
        had = self.act(
            lambda unit: self.store.claims.take_over(
                unit, claim.operation_id, fence=shown, owner=owner, now_ms=self.now, until_ms=until
            )
        )
        if claim.state != "running" or claim.lease_until_ms > self.now or stale:
            assert had is None
            return
        following = {"fence": claim.fence + 1, "attempt": claim.attempt + 1}
        self._changed(claim, owner=owner, lease_until_ms=until, **following)
        self.held[owner, claim.operation_id] = claim.fence + 1
        assert had == self.model[claim.operation_id]

    @rule(owner=OWNERS, key=KEYS)
    def renew(self, owner: str, key: str) -> None:
        """The newest owner prolongs its lease, even a lapsed one; nobody else does."""
        claim, fence = self._mine(owner, key)
        if claim is None:
            return
        until, owns = self.now + LEASE_MS, self._owns(claim, fence)
        assert (
            self.act(lambda unit: self.store.claims.renew(unit, claim.operation_id, fence=fence, until_ms=until))
            == owns
        )
        if owns:
            self._changed(claim, lease_until_ms=until)

    @rule(owner=OWNERS, key=KEYS, point=st.sampled_from(["started", ""]))
    def reach(self, owner: str, key: str, point: str) -> None:
        """What is noted stays for whoever takes over."""
        claim, fence = self._mine(owner, key)
        if claim is None:
            return
        claims = self.store.claims
        if self._refused_or(
            lambda unit: claims.reach(unit, claim.operation_id, fence=fence, point=point),
            owns=self._owns(claim, fence),
        ):
            self._changed(claim, recovery_point=point)

    @rule(owner=OWNERS, key=KEYS, state=st.sampled_from(["done", "failed", "unknown"]))
    def settle(self, owner: str, key: str, state: ClaimState) -> None:
        """One owner settles, and it is the newest."""
        claim, fence = self._mine(owner, key)
        if claim is None:
            return
        claims, now, outcome = self.store.claims, self.now, None if state == "unknown" else f"by {owner}"
        if self._refused_or(
            lambda unit: claims.settle(
                unit, claim.operation_id, fence=fence, state=state, outcome=outcome, settled_ms=now
            ),
            owns=self._owns(claim, fence),
        ):
            assert (claim.operation_id, fence) not in self.settlements, "settled twice under one fence"
            self.settlements.add((claim.operation_id, fence))
            self._changed(claim, state=state, outcome=outcome, settled_ms=now)

    @rule(owner=OWNERS, key=KEYS)
    def release(self, owner: str, key: str) -> None:
        """The newest owner lets go, and the claim is there to be had at once."""
        claim, fence = self._mine(owner, key)
        if claim is None:
            return
        claims, now = self.store.claims, self.now
        if self._refused_or(
            lambda unit: claims.release(unit, claim.operation_id, fence=fence, now_ms=now),
            owns=self._owns(claim, fence),
        ):
            self._changed(claim, lease_until_ms=now)

    @rule(key=KEYS, state=st.sampled_from(["done", "running"]))
    def resolve(self, key: str, state: ClaimState) -> None:
        """A person decides what is unknown, and nothing else."""
        claim = self._claim(key)
        if claim is None:
            return
        outcome, keep = "by a person" if state == "done" else None, self.now + KEPT_MS
        decided = self.act(
            lambda unit: self.store.claims.resolve(
                unit, claim.operation_id, state=state, outcome=outcome, settled_ms=self.now, keep_until_ms=keep
            )
        )
        assert decided == (claim.state == "unknown")
        if decided:
            self._changed(
                claim,
                state=state,
                outcome=outcome,
                settled_ms=self.now if state == "done" else None,
                fence=claim.fence + 1,
                lease_until_ms=0,
                recovery_point="",
                purge_after_ms=max(claim.purge_after_ms, keep),
            )

    @rule()
    def purge(self) -> None:
        """What nobody came back for is given up, what is settled loses its outcome, and tombstones go."""
        now, buried, claims = self.now, self.now + BURIED_MS, self.store.claims
        due = [claim for claim in self.model.values() if claim.purge_after_ms <= now]
        left = [claim for claim in due if claim.state == "running" and claim.lease_until_ms <= now]
        for claim in left:
            self._changed(claim, state="unknown", settled_ms=now)
        assert self.act(lambda unit: claims.give_up(unit, now_ms=now, limit=9)) == len(left)

        settled = [claim for claim in due if claim.state in ("done", "failed")]
        gone = [claim for claim in due if claim.state == "tombstone"]
        for claim in settled:
            self._changed(claim, state="tombstone", outcome=None, purge_after_ms=buried)
        for claim in gone:
            del self.model[claim.operation_id]
        assert self.act(lambda unit: claims.purge(unit, now_ms=now, tombstone_until_ms=buried, limit=9)) == len(
            settled
        ) + len(gone)

    @invariant()
    def the_store_is_as_the_model_says(self) -> None:
        """And nothing happened to a claim that may happen to none."""
        found = claims_in(self)
        assert found == self.model
        assert wrongs_of(self.seen, found) == []
        self.seen = found

    @staticmethod
    def _owns(claim: Claim, fence: int) -> bool:
        return claim.state == "running" and claim.fence == fence


@pytest.mark.hypothesis
def test_only_the_newest_owner_settles_and_no_fence_goes_back(open_new: Callable[[], Store]) -> None:
    """D1: on every store, whoever lapses, wakes up, takes over or lets go."""
    run_machine(lambda: LeaseMachine(open_new()), examples=25, steps=40)
