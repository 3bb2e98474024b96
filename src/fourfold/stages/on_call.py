"""What people on call decide: what became of an unknown operation, whether a plan goes ahead, what is sent again.

Each decision is audited in its own transaction. Who decides is an `Operator`; how they proved it is not known here.
"""

from __future__ import annotations

import hmac
import json
from dataclasses import dataclass, replace
from typing import Literal, TypeVar

from fourfold.contracts.planning import PLAN_PURPOSE, plan_digest
from fourfold.errors import DecisionError, SealError
from fourfold.model.audit import AuditEntry
from fourfold.model.claim import Claim, ClaimState
from fourfold.model.message import Message
from fourfold.model.operator import Operator, Permission
from fourfold.model.plan import Decision, Plan, Verdict
from fourfold.model.retention import Retention
from fourfold.ports.clock import Clock
from fourfold.ports.sealer import Sealer
from fourfold.ports.store import Store
from fourfold.ports.units import Transaction, Unit
from fourfold.stages.reservation import Reservation

__all__ = ["MAX_REASON", "OnCall", "SeenPlan", "Settlement", "see_plan"]

T = TypeVar("T")

MAX_REASON = 2_000
"""Characters of evidence or of a comment."""

_ENDED = {
    "approved": "it is approved already",
    "denied": "it was denied",
    "revoked": "it was revoked",
    "used": "it was executed already",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class SeenPlan:
    """A plan whose text was opened and is what its digest says. Made by `see_plan`."""

    plan: Plan
    impact: str


def see_plan(plan: Plan, sealer: Sealer, *, now_ms: int) -> SeenPlan:
    """Open what a person is shown of a plan, and hold all of it against its digest.

    Raises:
        DecisionError: its key is not in the ring, or it is not what the server wrote.
    """
    bind = (plan.plan_id,)
    try:
        arguments = sealer.open(PLAN_PURPOSE, plan.arguments, bind=bind, now_ms=now_ms)
        impact = sealer.open(PLAN_PURPOSE, plan.impact, bind=(*bind, "impact"), now_ms=now_ms).decode()
    except SealError:
        raise DecisionError(f"plan {plan.plan_id} does not open with the keys that are here") from None
    if not hmac.compare_digest(_digest(plan, arguments, impact), plan.digest):
        raise DecisionError(f"plan {plan.plan_id} is not what its digest says: it was changed in the store")
    return SeenPlan(plan=plan, impact=impact)


def _digest(plan: Plan, arguments: bytes, impact: str) -> str:
    """The digest of what is stored; of what is not even JSON, none that a plan could have."""
    try:
        return plan_digest(plan, arguments=arguments, impact=impact)
    except json.JSONDecodeError:
        return ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Settlement:
    """What a person found out about an unknown operation.

    Attributes:
        evidence: how they know; kept in the audit.
        outcome: what a repeat is answered with, sealed (`replay.sealed_result`): what it returned, if it happened and
            that is known, or that it did not happen, where that is for good.
    """

    operation_id: str
    happened: bool
    evidence: str
    outcome: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class OnCall:
    """One person with what they may decide about. Every function runs in a write transaction.

    `channel` is how they proved who they are: `cli` or `console`.
    """

    store: Store
    clock: Clock
    operator: Operator
    retention: Retention
    channel: Literal["cli", "console"] = "cli"

    def settle(self, unit: Unit, settlement: Settlement) -> Claim:
        """Settle an unknown operation: it is done, or the next call with its key does it. The claim as it is then.

        Raises:
            DecisionError: there is none that they may settle, it is not unknown, or there is no evidence.
        """
        said = "happened" if settlement.happened else "did not happen"
        return self._settled(unit, settlement, state="done" if settlement.happened else "running", said=said)

    def abandon(self, transaction: Transaction, settlement: Settlement, *, reservation: Reservation) -> Claim:
        """Settle an unknown operation that did not happen and never will; what it had set aside is there again.

        Raises:
            DecisionError: as `settle`, or nothing can be given back without its call. Nothing is settled then.
        """
        said = "did not happen, for good"
        claim = self._settled(transaction.unit, settlement, state="failed", said=said)
        reservation.give_back(transaction, claim, clock=self.clock)
        return claim

    def _settled(self, unit: Unit, settlement: Settlement, *, state: ClaimState, said: str) -> Claim:
        claims, operation_id = self.store.claims, settlement.operation_id
        claim = claims.operation(unit, operation_id)
        if claim is None or not self.operator.may("claims.settle", tenant=claim.scope.tenant):
            raise self._nothing("operation", operation_id, permission="claims.settle")
        if claim.state != "unknown":
            raise DecisionError(f"operation {operation_id} is {claim.state}; only an unknown one is settled by hand")
        if not settlement.evidence.strip():
            raise DecisionError("say how you know: without evidence, nobody can tell later why it was settled")
        reason = f"{said}: {settlement.evidence}"
        self._note(unit, claim.scope.tenant, action="claim_settled", about=operation_id, reason=reason)
        now = self.clock.now_ms()
        claims.resolve(
            unit,
            operation_id,
            state=state,
            outcome=None if state == "running" else settlement.outcome,
            settled_ms=now,
            keep_until_ms=now + self.retention.outcome_ms,
        )
        return _there(claims.operation(unit, operation_id))

    def approve(self, unit: Unit, seen: SeenPlan, *, comment: str) -> Plan:
        """Approve a plan that they have seen.

        Raises:
            DecisionError: there is none that they may approve, it is their own, or it stands no more.
        """
        plan = self._plan(unit, seen.plan.plan_id)
        if replace(plan, state=seen.plan.state, used_by=seen.plan.used_by) != seen.plan:
            raise DecisionError(f"plan {plan.plan_id} is not the one that was shown")
        self._refuse_own(plan)
        return self._decided(unit, plan, verdict="approved", comment=comment)

    def deny(self, unit: Unit, plan_id: str, *, comment: str) -> Plan:
        """Say no to an open plan; it cannot be approved after that.

        Raises:
            DecisionError: there is none that they may deny, or it is not open any more.
        """
        return self._decided(unit, self._plan(unit, plan_id), verdict="denied", comment=comment)

    def revoke(self, unit: Unit, plan_id: str, *, comment: str) -> Plan:
        """Take a plan back that was not executed yet, approved or not.

        Raises:
            DecisionError: there is none that they may revoke, or it is too late.
        """
        return self._decided(unit, self._plan(unit, plan_id), verdict="revoked", comment=comment)

    def retry(self, unit: Unit, message_id: str, *, comment: str) -> Message:
        """Have a dead message tried again from its first attempt.

        Raises:
            DecisionError: there is none that they may have tried again, or it isn't dead.
        """
        messages = self.store.messages
        message = messages.find(unit, message_id)
        if message is None or not self.operator.may("outbox.retry", tenant=message.tenant):
            raise self._nothing("message", message_id, permission="outbox.retry")
        if not messages.retry(unit, message_id, now_ms=self.clock.now_ms()):
            raise DecisionError(f"message {message_id} is {message.state}; only a dead one is tried again by hand")
        self._note(unit, message.tenant, action="message_retried", about=message_id, reason=comment)
        return _there(messages.find(unit, message_id))

    def _plan(self, unit: Unit, plan_id: str) -> Plan:
        plan = self.store.plans.find(unit, plan_id)
        if plan is None or not self.operator.may("plans.approve", tenant=plan.tenant):
            raise self._nothing("plan", plan_id, permission="plans.approve")
        return plan

    def _refuse_own(self, plan: Plan) -> None:
        """Nobody approves what they asked for themselves, nor as the second person what their agent asked for."""
        if plan.approval == "none":
            raise DecisionError(f"nobody has to agree to plan {plan.plan_id}")
        by_agent = plan.approval == "second_person" and plan.principal in self.operator.agents
        if by_agent or hmac.compare_digest(plan.principal.encode(), self.operator.principal.encode()):
            asked = "their agent asked" if by_agent else "they asked"
            raise DecisionError(f"{self.operator.name} cannot approve plan {plan.plan_id}: {asked} for it")

    def _decided(self, unit: Unit, plan: Plan, *, verdict: Verdict, comment: str) -> Plan:
        now = self.clock.now_ms()
        decision = Decision(
            plan_id=plan.plan_id,
            approver=self.operator.principal,
            verdict=verdict,
            digest=plan.digest,
            channel=self.channel,
            comment=comment,
            at_ms=now,
        )
        if not self.store.plans.decide(unit, decision, tenant=plan.tenant):
            why = _ENDED.get(plan.state, "its time is over")
            raise DecisionError(f"plan {plan.plan_id} cannot be {verdict}: {why}")
        self._note(unit, plan.tenant, action=f"plan_{verdict}", about=plan.plan_id, reason=comment)
        return _there(self.store.plans.find(unit, plan.plan_id))

    def _note(self, unit: Unit, tenant: str, *, action: str, about: str, reason: str) -> None:
        """Append to the audit, in the transaction of what it tells about.

        Raises:
            DecisionError: the reason is too long to be kept.
        """
        if len(reason) > MAX_REASON:
            raise DecisionError(f"a reason has at most {MAX_REASON} characters")
        entry = AuditEntry(
            at_ms=self.clock.now_ms(),
            tenant=tenant,
            actor=self.operator.principal,
            action=action,
            about=about,
            reason=reason,
        )
        self.store.audit.append(unit, entry)

    def _nothing(self, kind: str, about: str, *, permission: Permission) -> DecisionError:
        """The same for what is absent and for what is another tenant's."""
        return DecisionError(f"{self.operator.name} has {permission} for no {kind} {about}")


def _there(found: T | None) -> T:
    if found is None:
        raise AssertionError("a row that was just changed is gone")
    return found
