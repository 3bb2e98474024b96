"""Stage 7, claim: a write takes its claim, happens and is settled in one transaction, or not at all.

A key is claimed once. Without one, a `Create` is claimed by its arguments for a while, so that a repeat by
accident is told apart from one that is meant. What settles a claim: success, and faults whose retry is `never`.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from anyio import CancelScope
from anyio.lowlevel import checkpoint_if_cancelled

from fourfold.errors import CommitUnknown
from fourfold.model.claim import Claim
from fourfold.model.effect import Create
from fourfold.model.fault import Fault, FaultDetail
from fourfold.model.outcome import Denied, Done, Outcome, Rejected
from fourfold.ports.units import Transaction, Unit
from fourfold.stages.authorize import missing_fault
from fourfold.stages.flow import Flow, Proceed, framework_fault, new_id
from fourfold.stages.inside import inside
from fourfold.stages.preconditions import Answered
from fourfold.stages.record import run_of
from fourfold.stages.replay import answer_from, earlier_answer, scope_of, sealed_outcome, unknown_outcome
from fourfold.stages.validate_output import ResultTooLarge

__all__ = ["KEEP_MS", "claim"]

KEEP_MS = 72 * 3_600_000
"""How long a settled claim keeps its outcome."""


async def claim(flow: Flow, proceed: Proceed) -> Outcome:
    """Run a write in its transaction, to the end even if the caller is gone; a read goes on."""
    if not flow.tool.contract.effect.writes:
        return await proceed(flow)
    await checkpoint_if_cancelled()
    write = _Write(flow, operation_id=new_id("op", flow.ports.clock))
    with CancelScope(shield=True):
        return await _committed(flow, write)
    raise AssertionError("nothing cancels this scope")  # pragma: no cover - tells the type checker so


async def _committed(flow: Flow, write: _Write) -> Outcome:
    """The outcome of `write`, after its COMMIT or its rollback."""
    try:
        outcome = await flow.ports.units.write(write.work, deadline=flow.deadline)
    except _Undone as undone:
        return undone.outcome
    except CommitUnknown:
        flow.draft.notes.append("the answer to COMMIT was lost, and nobody could read it back")
        return unknown_outcome(flow, write.operation_id)
    flow.draft.stored = write.recorded
    return outcome


class _Undone(Exception):
    """Carries an answer out of a transaction that is rolled back as a whole, its claim included."""

    def __init__(self, outcome: Outcome) -> None:
        self.outcome = outcome
        super().__init__("rolled back with an answer")


@dataclass(slots=True)
class _Write:
    """One write. `work` may run more than once before anyone is answered, so it starts afresh each time."""

    flow: Flow
    operation_id: str
    recorded: bool = False

    def work(self, transaction: Transaction) -> Outcome:
        """Everything that happens inside the transaction."""
        self.recorded = False
        earlier, twin = self._take(transaction)
        if earlier is not None:
            return earlier
        try:
            done = transaction.attempt(lambda unit: inside(self.flow, unit), subject=self.flow.name_subject)
        except Fault as fault:
            return self._refused(transaction.unit, fault.detail())
        except Answered as answered:
            return self._answered(answered)
        except ResultTooLarge as too_large:
            raise _Undone(Rejected(fault=too_large.detail, run_id=self.flow.draft.run_id)) from None
        done = replace(done, operation_id=self.operation_id, twin_of=twin.operation_id if twin else None)
        return self._settled(transaction.unit, done, state="done")

    def _take(self, transaction: Transaction) -> tuple[Outcome | None, Claim | None]:
        """Take the claim: the answer of an earlier call instead, or a twin that is only pointed out."""
        flow, effect = self.flow, self.flow.tool.contract.effect
        explicit = flow.idempotency_key
        earlier = earlier_answer(flow, transaction)
        if earlier is not None:
            return earlier, None
        twin = self._twin(transaction.unit, effect) if isinstance(effect, Create) else None
        if isinstance(effect, Create) and twin is not None and (explicit is None or effect.duplicates == "refuse"):
            return self._possible_duplicate(twin, effect), None
        if self._has_claim:
            self._insert(transaction.unit)
        return None, twin

    @property
    def _key(self) -> str:
        """The explicit key, or the one that stands for the arguments."""
        return self.flow.idempotency_key or f"auto:{self.flow.fingerprint.hex()}:{self.operation_id}"

    def _twin(self, unit: Unit, effect: Create) -> Claim | None:
        flow = self.flow
        # The window is half open: after exactly that many seconds the same call is meant again.
        since = flow.ports.clock.now_ms() - effect.window_s * 1000 + 1
        scope = scope_of(flow, self._key)
        return flow.ports.claims.twin(unit, scope, fingerprint=flow.fingerprint, since_ms=since)

    def _possible_duplicate(self, twin: Claim, effect: Create) -> Rejected:
        message = f"The same call was made just now as operation {twin.operation_id}"
        fault = framework_fault("possible_duplicate", message=message, operation_id=twin.operation_id)
        if self.flow.idempotency_key is not None:
            step = f"If a second one is meant, ask the user, and send it {effect.window_s} seconds after the first"
            fault = replace(fault, next_step=step)
        return Rejected(fault=fault, run_id=self.flow.draft.run_id)

    def _insert(self, unit: Unit) -> None:
        now = self.flow.ports.clock.now_ms()
        taken = Claim(
            operation_id=self.operation_id,
            scope=scope_of(self.flow, self._key),
            fingerprint=self.flow.fingerprint,
            state="running",
            run_id=self.flow.draft.run_id,
            created_ms=now,
            purge_after_ms=now + KEEP_MS,
        )
        existing = self.flow.ports.claims.take(unit, taken)
        if existing is not None:
            raise _Undone(answer_from(self.flow, existing))

    def _refused(self, unit: Unit, detail: FaultDetail) -> Outcome:
        """A fault: kept under an explicit key if it is final, else undone with its claim, so that the key is free."""
        run_id = self.flow.draft.run_id
        if not detail.retry.settles or self.flow.idempotency_key is None or self._is_missing(detail):
            raise _Undone(Rejected(fault=detail, run_id=run_id))
        settled = Rejected(fault=replace(detail, operation_id=self.operation_id), run_id=run_id)
        return self._settled(unit, settled, state="failed")

    def _is_missing(self, detail: FaultDetail) -> bool:
        """An absent object settles nothing: a later replay would tell it from a denied one, which has no claim."""
        missing = self.flow.tool.contract.missing
        return missing is not None and missing.code == detail.code

    def _answered(self, answered: Answered) -> Outcome:
        """Absent, denied or stale: nothing happened and nothing is kept."""
        run_id = self.flow.draft.run_id
        if answered.fault is not None:
            raise _Undone(Rejected(fault=answered.fault.detail(), run_id=run_id))
        kind = Denied if answered.denied else Rejected
        raise _Undone(kind(fault=missing_fault(self.flow), run_id=run_id))

    @property
    def _has_claim(self) -> bool:
        return self.flow.idempotency_key is not None or isinstance(self.flow.tool.contract.effect, Create)

    def _settled(self, unit: Unit, outcome: Done | Rejected, *, state: str) -> Outcome:
        """Settle the claim and record the run, in the same transaction as the effect."""
        ports = self.flow.ports
        if self._has_claim:
            ports.claims.settle(
                unit,
                self.operation_id,
                state=state,
                outcome=sealed_outcome(self.flow, outcome, operation_id=self.operation_id),
                settled_ms=ports.clock.now_ms(),
            )
        ports.runs.insert(unit, run_of(self.flow, outcome))
        self.recorded = True
        return outcome
