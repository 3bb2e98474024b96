"""A write that reaches another system: claimed in one transaction, done, settled in a second one under its fence.

| what is found under the key | what happens |
|---|---|
| nothing | claim with a lease, effect, settlement |
| running, its owner alive | `in_progress` |
| running, its lease over | taken over, and recovered as its effect class allows |
| unknown, and the tool has `reconcile=` | the other system is asked again |
| anything else | answered with what it is |

Two owners may meet: the one that was thought dead goes on. The fence lets only the newest settle, and the other
system tells the two apart by their one key.
"""

from __future__ import annotations

from dataclasses import dataclass

from fourfold.errors import ClaimLost, CommitUnknown
from fourfold.model.claim import Claim
from fourfold.model.fault import Fault
from fourfold.model.outcome import Outcome, Rejected
from fourfold.ports.units import Transaction, Unit
from fourfold.stages.flow import Flow, framework_fault
from fourfold.stages.invoke import reserve
from fourfold.stages.lease import LEASE_MS
from fourfold.stages.operation import Operation
from fourfold.stages.planning import require_impact
from fourfold.stages.preconditions import Answered, preconditions
from fourfold.stages.replay import answer_from, find_claim, is_same
from fourfold.stages.taking import Lease, Taken, Undone, keyless_twin, not_done, take
from fourfold.stages.upstreams import KeyedUpstream

__all__ = ["write_outside"]


async def write_outside(flow: Flow) -> Outcome:
    """The outcome of a write that reaches outside."""
    begin = _Begin(flow, operation_id=flow.operation_id())
    try:
        claim = await flow.ports.units.write(begin.work, deadline=flow.deadline, tenant=flow.tenant)
    except Undone as undone:
        return undone.outcome
    except CommitUnknown:
        flow.draft.notes.append("the answer to COMMIT of the claim was lost; nothing was begun")
        return _in_progress(flow, begin.operation_id)
    if not isinstance(claim, Claim):
        return claim
    try:
        return await Operation(flow, claim).run()
    except ClaimLost:
        flow.draft.notes.append(f"another owner took over {claim.operation_id}")
        return _in_progress(flow, claim.operation_id)


def _in_progress(flow: Flow, operation_id: str) -> Rejected:
    fault = framework_fault("in_progress", operation_id=operation_id, retry_after_ms=LEASE_MS)
    return Rejected(fault=fault, run_id=flow.draft.run_id)


@dataclass(frozen=True, slots=True)
class _Begin:
    """The first transaction: a claim that is ours and durable, or an answer."""

    flow: Flow
    operation_id: str

    def work(self, transaction: Transaction) -> Outcome | Claim:
        """Everything that happens inside it."""
        # The lease starts with the claim: a process that dies right after COMMIT is taken over like any other.
        lease = self._lease()
        standing = find_claim(self.flow, transaction.unit) or keyless_twin(self.flow, transaction.unit)
        recovered = self._recovered(transaction.unit, standing, lease) if standing else None
        if recovered is not None:
            return recovered
        if standing is not None and standing.state in ("running", "unknown"):
            return answer_from(self.flow, standing)
        # From here on nothing is known of this intent, or it may be meant again; `take` tells the two apart.
        taken = take(self.flow, transaction, operation_id=self.operation_id, lease=lease)
        if not isinstance(taken, Taken):
            return taken
        if taken.claim is None:
            raise AssertionError("a write that reaches outside is always claimed")
        if taken.claim.effect_class != "external_blind":
            self.flow.upstream = KeyedUpstream(taken.claim)
        try:
            transaction.attempt(self._require, subject=self.flow.name_subject)
        except Answered as answered:
            raise Undone(not_done(self.flow, answered)) from None
        except Fault as fault:
            raise Undone(Rejected(fault=fault.detail(), run_id=self.flow.draft.run_id)) from None
        return taken.claim

    def _require(self, unit: Unit) -> None:
        """What must be true before the effect, and stay so until it is settled: it cannot be undone after it."""
        preconditions(self.flow, unit)
        require_impact(self.flow, unit)
        reserve(self.flow, unit)

    def _lease(self) -> Lease:
        ports = self.flow.ports
        return Lease(owner=ports.owner, until_ms=ports.clock.now_ms() + LEASE_MS)

    def _recovered(self, unit: Unit, standing: Claim, lease: Lease) -> Claim | None:
        """`standing` as our own, if its owner is gone or there is somebody to ask about it."""
        if not is_same(self.flow, standing):
            return None
        claims, now, fence = self.flow.ports.claims, self.flow.ports.clock.now_ms(), standing.fence
        if standing.state == "unknown" and self.flow.tool.reconcile is not None:
            kept = now + self.flow.ports.retention.outcome_ms
            claims.resolve(
                unit, standing.operation_id, state="running", outcome=None, settled_ms=now, keep_until_ms=kept
            )
            fence += 1  # by what was decided
        elif standing.state != "running":
            return None
        return claims.take_over(
            unit,
            standing.operation_id,
            fence=fence,
            owner=lease.owner,
            now_ms=now,
            until_ms=lease.until_ms,
        )
