"""Recovery as a state machine, through the stages and over each store.

Processes die before any of their writes, the clock jumps, the bank loses answers, persons settle, the store is purged.
One call at a time; calls that meet are for `tests/simulation`, and processes that really die for `tests/interaction`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Literal

import pytest
from hypothesis import strategies as st
from hypothesis.stateful import initialize, rule

from fourfold.adapters.sealing.keys import KeyRing
from fourfold.adapters.sealing.sealer import AesGcmSealer
from fourfold.model.claim import Claim
from fourfold.model.retention import Retention
from fourfold.stages.lease import LEASE_MS
from fourfold.stages.purge import purge
from fourfold.stages.service import Service
from fourfold.testing import Answer
from tests.stages.bank import PAYMENT, Bank, catalog_of, receipts
from tests.stages.serving import Served, dying, over
from tests.stores.clocks import SteppedClock
from tests.stores.domain import Store
from tests.stores.machine import StoreMachine, claims_in, run_machine, wrongs_of

Kind = Literal["keyed", "probe", "blind"]

KEY = "the-only-key-there-is"
MOODS = st.sampled_from(["calm", "calm", "calm", "loses answers", "down", "breaks", "refuses"])
LIVES = st.sampled_from([1, 2, 2, 3, 99, 99])
PASSED_S = st.sampled_from([0, 29, 31, 31])
"""Seconds before a call: a lease that was just taken is 30 s long."""

RETENTION = Retention(outcome_ms=10 * LEASE_MS, tombstone_ms=10 * LEASE_MS)


@dataclass(slots=True)
class Ledger(Bank):
    """A bank that counts what it really paid; it drops a second request only if it takes keys."""

    drops: bool = True
    payments: Counter[str] = field(default_factory=Counter[str])

    async def pay(self, key: str) -> str:
        """Pay in its mood."""
        self.payments[key] += self.mood not in ("refuses", "down") and not (self.drops and key in self.paid)
        return await super(Ledger, self).pay(key)


class RecoveryMachine(StoreMachine):
    """One payment under one key; whatever is called, it is paid at most once for each operation."""

    def __init__(self, store: Store, clock: SteppedClock) -> None:
        super().__init__(store)
        self.clock = clock
        self.seen: Mapping[str, Claim] = {}
        self.paid: Counter[str] = Counter()
        self.results: dict[str, str] = {}
        self.recorded: set[str] = set()

    @initialize(kind=st.sampled_from(["keyed", "probe", "blind"]))
    def serve(self, kind: Kind) -> None:
        """Open a service at a bank that takes keys, can be asked, or neither."""
        self.kind, self.bank = kind, Ledger(drops=kind == "keyed")
        catalog = catalog_of(self.bank, kind=kind)
        for work in catalog.preparations:
            self.wait(self.store.units.prepare(work))
        sealer = AesGcmSealer(KeyRing.of(("k", b"the key ring of the machine test")))
        service = Service.over(catalog.build(), self.store, sealer=sealer, clock=self.clock, retention=RETENTION)
        self.served = Served(service)

    def teardown(self) -> None:
        """Close what was opened."""
        self.served.service.ports.threads.shutdown()
        super().teardown()

    @rule(passed_s=PASSED_S, mood=MOODS, lives=LIVES, tells=st.booleans())
    def call(self, passed_s: int, mood: str, *, lives: int, tells: bool) -> None:
        """A process of that many writes calls; what it is told and what it did agree with all before."""
        self.clock.advance(passed_s)
        self.bank.mood, self.bank.tells = mood, tells
        before, paid = self.seen, self.bank.payments.total()
        answer = self.wait(self._called(lives))
        after = self._looked()
        claim = self._newest(after)
        if claim is None:
            assert self.bank.payments.total() == paid, "paid without a claim"
            return
        self.paid[claim.operation_id] += self.bank.payments.total() - paid
        assert self.paid[claim.operation_id] <= 1, "paid twice"
        self._agrees(answer, claim)
        if claim.state == "unknown" and before.get(claim.operation_id) != claim:
            assert self.kind == "blind" or (self.kind == "probe" and not tells), "unknown, and it could be found out"

    async def _called(self, lives: int) -> Answer:
        process = dying(over(self.served, owner=f"process {len(self.seen)}"), after=lives)
        return await process.call("refund_create", {"payment_id": PAYMENT}, key=KEY)

    def _agrees(self, answer: Answer, claim: Claim) -> None:
        """An operation has one result, and who is told of one finds it in the books."""
        if answer.ok:
            assert claim.state == "done"
            assert self.paid[claim.operation_id] == 1
            assert self.results.setdefault(claim.operation_id, str(answer.structured)) == str(answer.structured)

    @rule()
    def settle(self) -> None:
        """A person looks in the bank's books and says what is true."""
        claim = self._newest(self.seen)
        if claim is None or claim.state != "unknown":
            return
        state = "done" if self.paid[claim.operation_id] else "running"
        now = self.clock.now_ms()
        self.act(
            lambda unit: self.store.claims.resolve(
                unit, claim.operation_id, state=state, outcome=None, settled_ms=now, keep_until_ms=now + LEASE_MS
            )
        )
        self._looked()

    @rule(passed_s=st.sampled_from([0, 301]))
    def purge(self, passed_s: int) -> None:
        """Nothing that may have happened is dropped, and what nobody came back for is unknown."""
        self.clock.advance(passed_s)
        now = self.clock.now_ms()
        left = {
            claim.operation_id
            for claim in self.seen.values()
            if claim.state == "running" and max(claim.purge_after_ms, claim.lease_until_ms) <= now
        }
        self.wait(purge(self.store, clock=self.clock, retention=RETENTION))
        after = self._looked()
        assert {after[operation_id].state for operation_id in left} <= {"unknown"}

    def _looked(self) -> Mapping[str, Claim]:
        """The claims now; nothing happened to them that may not, and the books agree."""
        found = claims_in(self)
        assert wrongs_of(self.seen, found) == []
        self.seen = found
        self.recorded |= {claim.operation_id for claim in found.values() if claim.state == "done" and claim.outcome}
        assert self.wait(receipts(self.served)) == len(self.recorded)
        return found

    @staticmethod
    def _newest(claims: Mapping[str, Claim]) -> Claim | None:
        return max(claims.values(), key=lambda claim: claim.created_ms, default=None)


@pytest.mark.hypothesis
def test_whoever_dies_each_operation_is_paid_once_and_told_alike(
    open_new: Callable[[], Store], clock: SteppedClock
) -> None:
    """D1, C4: keyed is sent again with its key, probed is asked about, blind is left to a person."""
    run_machine(lambda: RecoveryMachine(open_new(), clock), examples=30, steps=20)
