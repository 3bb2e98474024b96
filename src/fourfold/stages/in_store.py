"""A write in the store: claim, effect, settlement and run in one transaction, or none of them.

What settles a claim: success, and faults whose retry is `never`.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from fourfold.errors import CommitUnknown
from fourfold.model.claim import Claim, ClaimState
from fourfold.model.fault import Fault, FaultDetail
from fourfold.model.outcome import Done, Outcome, Rejected
from fourfold.ports.units import Transaction, Unit
from fourfold.stages.flow import Flow
from fourfold.stages.inside import inside
from fourfold.stages.keeping import kept_of
from fourfold.stages.preconditions import Answered
from fourfold.stages.record import run_of
from fourfold.stages.replay import sealed_outcome, unknown_outcome
from fourfold.stages.taking import Taken, Undone, is_kept, not_done, take
from fourfold.stages.validate_output import ResultTooLarge

__all__ = ["write_in_store"]


async def write_in_store(flow: Flow) -> Outcome:
    """The outcome of a write, after its COMMIT or its rollback."""
    flow.operation = flow.operation_id()
    write = _Write(flow, operation_id=flow.operation)
    try:
        outcome = await flow.ports.units.write(write.work, deadline=flow.deadline, tenant=flow.tenant)
    except Undone as undone:
        return undone.outcome
    except CommitUnknown:
        flow.draft.notes.append("the answer to COMMIT was lost, and nobody could read it back")
        return unknown_outcome(flow, write.operation_id)
    flow.draft.stored = write.recorded
    if flow.tool.sends:
        flow.ports.bell.ring()
    return outcome


@dataclass(slots=True)
class _Write:
    """One write. `work` may run more than once before anyone is answered, so it starts afresh each time."""

    flow: Flow
    operation_id: str
    recorded: bool = False

    def work(self, transaction: Transaction) -> Outcome:
        """Everything that happens inside the transaction."""
        self.recorded = False
        taken = take(self.flow, transaction, operation_id=self.operation_id)
        if not isinstance(taken, Taken):
            return taken
        try:
            done = transaction.attempt(lambda unit: inside(self.flow, unit), subject=self.flow.name_subject)
        except Fault as fault:
            return self._refused(transaction.unit, taken.claim, fault.detail())
        except Answered as answered:
            raise Undone(not_done(self.flow, answered)) from None
        except ResultTooLarge as too_large:
            raise Undone(Rejected(fault=too_large.detail, run_id=self.flow.draft.run_id)) from None
        done = replace(done, operation_id=self.operation_id, twin_of=taken.twin_of)
        return self._settled(transaction.unit, taken.claim, done, state="done")

    def _refused(self, unit: Unit, claim: Claim | None, detail: FaultDetail) -> Outcome:
        """A fault: kept under an explicit key if it is final, else undone with its claim, so that the key is free."""
        run_id = self.flow.draft.run_id
        if claim is None or not is_kept(self.flow, detail):
            raise Undone(Rejected(fault=detail, run_id=run_id))
        settled = Rejected(fault=replace(detail, operation_id=self.operation_id), run_id=run_id)
        return self._settled(unit, claim, settled, state="failed")

    def _settled(self, unit: Unit, claim: Claim | None, outcome: Done | Rejected, *, state: ClaimState) -> Outcome:
        """Settle the claim and record the run, in the same transaction as the effect."""
        ports = self.flow.ports
        if claim is not None:
            ports.claims.settle(
                unit,
                claim.operation_id,
                fence=claim.fence,
                state=state,
                outcome=sealed_outcome(self.flow, outcome, operation_id=claim.operation_id),
                settled_ms=ports.clock.now_ms(),
            )
        ports.runs.insert(unit, run_of(self.flow, outcome), kept=kept_of(self.flow, outcome))
        self.recorded = True
        return outcome
