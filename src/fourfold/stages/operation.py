"""One operation that reaches outside, from a claim that is ours to its settlement.

How a handler ends is a value (`Ending`), and what follows from each is decided in one place.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace

import anyio

from fourfold.contracts.check import OutputViolation
from fourfold.errors import CommitUnknown
from fourfold.model.claim import Claim, ClaimState
from fourfold.model.fault import Fault, FaultDetail, Retry
from fourfold.model.outcome import Done, Failed, Outcome, Rejected, Unknown
from fourfold.model.upstream import CannotTell, DidNotHappen, Happened
from fourfold.ports.units import Transaction, Unit
from fourfold.stages.flow import Flow, Undeclared, framework_fault, new_id, with_reference
from fourfold.stages.invoke import invoke_async
from fourfold.stages.keeping import kept_of
from fourfold.stages.lease import LEASE_MS, while_owned
from fourfold.stages.record import run_of
from fourfold.stages.replay import sealed_outcome, unknown_outcome
from fourfold.stages.upstreams import BlindUpstream, KeyedUpstream
from fourfold.stages.validate_output import ResultTooLarge, validate_output

__all__ = ["Operation"]

_SETTLING_S = 30.0
"""Seconds for the second transaction. It has its own time: what happened outside has to be written down."""


@dataclass(frozen=True, slots=True)
class _Returned:
    """The effect happened, and this is what came of it."""

    receipt: object


@dataclass(frozen=True, slots=True)
class _Faulted:
    """It did not happen, or may safely be tried again."""

    detail: FaultDetail


@dataclass(frozen=True, slots=True)
class _Undecided:
    """It may or may not have happened."""


@dataclass(frozen=True, slots=True)
class _Broken:
    """The author's code broke where trying again is safe."""

    error: Exception


_Ending = _Returned | _Faulted | _Undecided | _Broken


@dataclass(slots=True)
class Operation:
    """An operation whose claim this process owns."""

    flow: Flow
    claim: Claim
    _blind: BlindUpstream = field(init=False)

    async def run(self) -> Outcome:
        """Recover, or do it, and settle.

        Raises:
            ClaimLost: another owner took it over; nothing was settled here.
        """
        self.flow.operation, self.flow.attempt = self.claim.operation_id, self.claim.attempt
        self._blind = BlindUpstream(self._begin)
        self.flow.upstream = self._blind if self.claim.effect_class == "external_blind" else KeyedUpstream(self.claim)
        ending = await while_owned(self.flow, self.claim, work=self._ending)
        try:
            return await self._concluded(ending)
        except CommitUnknown:
            # Settled or not, the claim knows: whoever asks with the same key is told.
            self.flow.draft.notes.append("the answer to COMMIT of the settlement was lost")
            return self._rejected(
                framework_fault("in_progress", operation_id=self.claim.operation_id, retry_after_ms=LEASE_MS)
            )

    async def _ending(self) -> _Ending:
        try:
            # Recovery comes before the effect: what happened already must not happen because it was asked again.
            recovered = await self._recovered()
            if recovered is not None:
                return recovered
            with anyio.fail_after(max(self.flow.deadline - self.flow.ports.clock.ticks(), 0)):
                return _Returned(await invoke_async(self.flow))
        except Fault as fault:
            # In the block of once(), a final fault is the other system's no; after it, nothing undoes what was sent.
            return _Undecided() if self._may_have_happened(settles=fault.retry.settles) else _Faulted(fault.detail())
        except TimeoutError:
            return _Undecided() if self._may_have_happened() else _Faulted(_unavailable(self.claim.operation_id))
        except Exception as error:  # whatever the author's code raised, the claim must not be left to its lease
            self.flow.draft.notes.append(f"the handler raised {type(error).__name__}: {error}")
            return _Undecided() if self._may_have_happened() else _Broken(error)

    def _may_have_happened(self, *, settles: bool = False) -> bool:
        """Whether a request was made that nobody can ask about and nothing may repeat."""
        return self._blind.state == "open" or (self._blind.state == "sent" and not settles)

    async def _recovered(self) -> _Ending | None:
        """What became of earlier attempts, as far as it decides this one."""
        if self.claim.attempt == 1:
            return None
        reconcile = self.flow.tool.reconcile
        if reconcile is None:
            return _Undecided() if self.claim.recovery_point else None
        answer: object = await reconcile.call(self.flow.supplies(None))
        if isinstance(answer, Happened):
            return _Returned(answer.receipt)
        if isinstance(answer, CannotTell):
            return _Undecided()
        if not isinstance(answer, DidNotHappen):
            raise Undeclared(f"reconcile= returned {type(answer).__name__}")
        return None

    async def _begin(self) -> None:
        """Store that the request begins, before it does."""
        await self._stored(lambda unit: self._reach(unit, "started"))

    def _reach(self, unit: Unit, point: str) -> None:
        self.flow.ports.claims.reach(unit, self.claim.operation_id, fence=self.claim.fence, point=point)

    async def _concluded(self, ending: _Ending) -> Outcome:
        """What follows from how the handler ended."""
        match ending:
            case _Returned(receipt):
                return await self._recorded(receipt)
            case _Faulted(detail) if detail.retry.settles:
                return await self._settled(lambda transaction: self._refused(transaction, detail), state="failed")
            case _Faulted(detail):
                await self._stored(self._release)
                return self._rejected(replace(detail, operation_id=self.claim.operation_id))
            case _Undecided():
                outcome = unknown_outcome(self.flow, self.claim.operation_id)
                return await self._settled(lambda _: outcome, state="unknown")
            case _Broken(error):
                await self._stored(self._release)
                raise error

    def _release(self, unit: Unit) -> None:
        """Leave the claim to the next attempt, which starts from where nothing had happened."""
        self._reach(unit, "")
        claims, clock = self.flow.ports.claims, self.flow.ports.clock
        claims.release(unit, self.claim.operation_id, fence=self.claim.fence, now_ms=clock.now_ms())

    async def _recorded(self, receipt: object) -> Outcome:
        """Store what came of the effect; if the author's code cannot, the claim says that it is not known."""
        try:
            return await self._settled(lambda transaction: self._result(transaction, receipt), state="done")
        except (Fault, OutputViolation, Undeclared) as error:
            self.flow.draft.notes.append(f"record= raised {type(error).__name__}: {error}")
            raise

    def _refused(self, transaction: Transaction, detail: FaultDetail) -> Rejected:
        """The answer to a final refusal; what was set aside for the effect is there again."""
        give_back = self.flow.tool.give_back
        if give_back is not None:
            transaction.attempt(lambda unit: give_back.call(self.flow.supplies(unit)), subject=self.flow.name_subject)
        return self._rejected(replace(detail, operation_id=self.claim.operation_id))

    def _result(self, transaction: Transaction, receipt: object) -> Done | Failed:
        """The output that goes with the receipt. One that breaks its contract changes nothing about what happened."""
        record = self.flow.tool.record
        result = receipt
        if record is not None:
            result = transaction.attempt(
                lambda unit: record.call(self.flow.supplies(unit, receipt=receipt)), subject=self.flow.name_subject
            )
        try:
            return replace(validate_output(self.flow, result), operation_id=self.claim.operation_id)
        except (OutputViolation, ResultTooLarge) as error:
            self.flow.draft.notes.append(f"it happened, and its result breaks the contract: {error}")
            reference = new_id("ref", self.flow.ports.clock)
            fault = with_reference(framework_fault("internal", operation_id=self.claim.operation_id), reference)
            return Failed(fault=fault, run_id=self.flow.draft.run_id)

    async def _settled(
        self, outcome_in: Callable[[Transaction], Done | Failed | Rejected | Unknown], *, state: ClaimState
    ) -> Outcome:
        """Settle the claim and record the run in one transaction."""
        flow, claim = self.flow, self.claim

        def work(transaction: Transaction) -> Outcome:
            outcome = outcome_in(transaction)
            sealed = (
                None if isinstance(outcome, Unknown) else sealed_outcome(flow, outcome, operation_id=claim.operation_id)
            )
            flow.ports.claims.settle(
                transaction.unit,
                claim.operation_id,
                fence=claim.fence,
                state=state,
                outcome=sealed,
                settled_ms=flow.ports.clock.now_ms(),
            )
            flow.ports.runs.insert(transaction.unit, run_of(flow, outcome), kept=kept_of(flow, outcome))
            return outcome

        # The run goes in with the settlement: whoever finds one finds the other.
        outcome = await flow.ports.units.write(work, deadline=self._settling_deadline, tenant=flow.tenant)
        flow.draft.stored = True
        if flow.tool.sends:
            flow.ports.bell.ring()
        return outcome

    async def _stored(self, work: Callable[[Unit], None]) -> None:
        await self.flow.ports.units.write(
            lambda transaction: work(transaction.unit), deadline=self._settling_deadline, tenant=self.flow.tenant
        )

    @property
    def _settling_deadline(self) -> float:
        return self.flow.ports.clock.ticks() + _SETTLING_S

    def _rejected(self, fault: FaultDetail) -> Rejected:
        return Rejected(fault=fault, run_id=self.flow.draft.run_id)


def _unavailable(operation_id: str) -> FaultDetail:
    """The other system did not answer in time, and the same key may be tried again."""
    return framework_fault(
        "upstream_unavailable",
        retry=Retry.SAME_KEY,
        next_step="Repeat the call with the same idempotency_key: it cannot happen twice",
        operation_id=operation_id,
    )
