"""Claims as a state machine: whatever is taken, settled and asked, the store answers as a dictionary would."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest
from hypothesis import strategies as st
from hypothesis.stateful import rule

from fourfold.errors import StoreError
from fourfold.model.claim import Claim, ClaimScope, ClaimState
from tests.stores.domain import Store
from tests.stores.machine import StoreMachine, run_machine
from tests.stores.records import claim_of, scope_of

SCOPES = st.builds(scope_of, st.sampled_from("abc"), tenant=st.sampled_from(["acme", "globex"]))
FINGERPRINTS = st.sampled_from([b"f" * 32, b"g" * 32])
TIMES = st.integers(0, 9)


class ClaimMachine(StoreMachine):
    """Every rule acts on the store and on `model`, and compares."""

    def __init__(self, store: Store) -> None:
        super().__init__(store)
        self.model: dict[ClaimScope, Claim] = {}

    @rule(scope=SCOPES, fingerprint=FINGERPRINTS, at=TIMES)
    def take(self, scope: ClaimScope, fingerprint: bytes, at: int) -> None:
        """The first one gets it, and later ones see it."""
        claim = claim_of(scope, f"op {scope}", fingerprint=fingerprint, created_ms=at)
        expected = self.model.get(scope)
        self.model.setdefault(scope, claim)
        assert self.act(lambda unit: self.store.claims.take(unit, claim)) == expected

    @rule(scope=SCOPES, state=st.sampled_from(["done", "failed", "unknown"]), at=TIMES)
    def settle(self, scope: ClaimScope, state: ClaimState, at: int) -> None:
        """Only a running claim is settled."""
        try:
            self.act(
                lambda unit: self.store.claims.settle(
                    unit, f"op {scope}", fence=1, state=state, outcome="v1", settled_ms=at
                )
            )
        except StoreError:
            assert scope not in self.model or self.model[scope].state != "running"
        else:
            assert self.model[scope].state == "running"
            self.model[scope] = replace(self.model[scope], state=state, outcome="v1", settled_ms=at)

    @rule(scope=SCOPES)
    def find(self, scope: ClaimScope) -> None:
        """What is found is what was stored."""
        assert self.act(lambda unit: self.store.claims.find(unit, scope)) == self.model.get(scope)

    @rule(scope=SCOPES, fingerprint=FINGERPRINTS, since=TIMES)
    def twin(self, scope: ClaimScope, fingerprint: bytes, since: int) -> None:
        """The newest of the same caller and fingerprint under another key, unless nothing came of it."""
        found = self.act(lambda unit: self.store.claims.twin(unit, scope, fingerprint=fingerprint, since_ms=since))
        twins = [
            claim
            for claim in self.model.values()
            if claim.scope != scope
            and replace(claim.scope, key=scope.key) == scope
            and claim.fingerprint == fingerprint
            and claim.created_ms >= since
            and claim.state != "failed"
        ]
        newest = max((claim.created_ms for claim in twins), default=None)
        assert (found.created_ms if found else None) == newest
        assert found is None or found in twins


@pytest.mark.hypothesis
def test_claims_are_what_a_dictionary_would_make_of_them(open_new: Callable[[], Store]) -> None:
    """D1: on every store, whatever order things come in."""
    run_machine(lambda: ClaimMachine(open_new()))
