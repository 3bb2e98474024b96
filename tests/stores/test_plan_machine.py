"""Plans, decisions and handles as a state machine: every store answers as a dictionary would."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest
from hypothesis import strategies as st
from hypothesis.stateful import rule

from fourfold.model.handle import Handle
from fourfold.model.plan import Approval, Decision, Plan, Verdict
from tests.stores.domain import Store
from tests.stores.machine import StoreMachine, run_machine

IDS = st.sampled_from(["a", "b", "c"])
TENANTS = st.sampled_from(["acme", "globex"])
DIGESTS = st.sampled_from(["d" * 64, "e" * 64])
TIMES = st.integers(0, 9)
LIFE = 5
"""A plan or handle made at 0 stands before 5."""


class PlanMachine(StoreMachine):
    """Every rule acts on the store and on the model, and compares."""

    def __init__(self, store: Store) -> None:
        super().__init__(store)
        self.plans: dict[str, Plan] = {}
        self.said: dict[str, list[Decision]] = {}
        self.handles: dict[str, Handle] = {}
        self.operations = 0

    @rule(name=IDS, tenant=TENANTS, approval=st.sampled_from(["none", "caller", "second_person"]))
    def plan(self, name: str, tenant: str, approval: Approval) -> None:
        """A plan is stored once, open."""
        if name in self.plans:
            return
        made = Plan(
            plan_id=name,
            tenant=tenant,
            principal="clerk",
            tool="thing_delete",
            wire_digest="w",
            arguments="v1.sealed",
            versions="{}",
            impact="v1.sealed",
            digest="d" * 64,
            approval=approval,
            created_ms=0,
            expires_ms=LIFE,
        )
        self.act(lambda unit: self.store.plans.add(unit, made))
        self.plans[name] = made

    @rule(
        name=IDS,
        tenant=TENANTS,
        digest=DIGESTS,
        at=TIMES,
        verdict=st.sampled_from(["approved", "denied", "revoked"]),
    )
    def decide(self, name: str, tenant: str, *, digest: str, at: int, verdict: Verdict) -> None:
        """What can still be said is recorded, under the digest that was shown and in its tenant."""
        decision = Decision(
            plan_id=name, approver="boss", verdict=verdict, digest=digest, channel="cli", comment="", at_ms=at
        )
        plan = self.plans.get(name)
        stands = plan is not None and plan.tenant == tenant and plan.digest == digest
        open_ = stands and plan is not None and plan.state == "open"
        revocable = stands and plan is not None and plan.state in ("open", "approved")
        expected = revocable if verdict == "revoked" else open_ and at < LIFE

        assert self.act(lambda unit: self.store.plans.decide(unit, decision, tenant=tenant)) == expected
        if expected and plan is not None:
            self.plans[name] = replace(plan, state=verdict)
            self.said.setdefault(name, []).append(decision)

    @rule(name=IDS, digest=DIGESTS, at=TIMES)
    def use(self, name: str, digest: str, at: int) -> None:
        """A plan is used once, while it stands and whoever must has agreed."""
        plan = self.plans.get(name)
        if plan is None:
            return
        self.operations += 1
        operation = f"op-{self.operations}"
        ready = plan.state == "approved" or (plan.state == "open" and plan.approval == "none")
        expected = ready and at < LIFE and digest == plan.digest
        shown = replace(plan, digest=digest)

        assert self.act(lambda unit: self.store.plans.use(unit, shown, operation_id=operation, now_ms=at)) == expected
        if expected:
            self.plans[name] = replace(plan, state="used", used_by=operation)

    @rule(name=IDS)
    def look(self, name: str) -> None:
        """What is found is what was stored and said."""
        assert self.act(lambda unit: self.store.plans.find(unit, name)) == self.plans.get(name)
        assert list(self.act(lambda unit: self.store.plans.decisions(unit, name))) == self.said.get(name, [])

    @rule(name=IDS, tenant=TENANTS)
    def issue(self, name: str, tenant: str) -> None:
        """A handle is stored once."""
        if name in self.handles:
            return
        made = Handle(
            handle_id=name,
            tenant=tenant,
            principal="clerk",
            purpose="receipt",
            resource="r",
            version="",
            created_ms=0,
            expires_ms=LIFE,
        )
        self.act(lambda unit: self.store.handles.add(unit, made))
        self.handles[name] = made

    @rule(name=IDS, tenant=TENANTS, at=TIMES)
    def revoke(self, name: str, tenant: str, at: int) -> None:
        """It is revoked once, in its tenant."""
        handle = self.handles.get(name)
        expected = handle is not None and handle.tenant == tenant and handle.revoked_ms is None

        assert self.act(lambda unit: self.store.handles.revoke(unit, name, tenant=tenant, now_ms=at)) == expected
        if expected and handle is not None:
            self.handles[name] = replace(handle, revoked_ms=at)

    @rule(name=IDS, tenant=TENANTS)
    def redeem(self, name: str, tenant: str) -> None:
        """It is found in its tenant, revoked or not."""
        handle = self.handles.get(name)
        expected = handle if handle is not None and handle.tenant == tenant else None
        assert self.act(lambda unit: self.store.handles.find(unit, name, tenant=tenant)) == expected


@pytest.mark.hypothesis
def test_plans_and_handles_are_what_a_dictionary_would_make_of_them(open_new: Callable[[], Store]) -> None:
    """C7, B10: on every store, whatever order things come in."""
    run_machine(lambda: PlanMachine(open_new()))
