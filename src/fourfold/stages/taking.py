"""How a write gets its claim: an earlier answer instead, a twin that is pointed out, or a fresh claim.

A key is claimed once. Without one, a `Create` and whatever reaches outside are claimed by their arguments for a
while, so that a repeat by accident is told apart from one that is meant.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from fourfold.contracts.planning import Agreement
from fourfold.errors import StoreContended
from fourfold.model.claim import Claim, ClaimScope
from fourfold.model.effect import Create
from fourfold.model.fault import FaultDetail
from fourfold.model.outcome import Denied, Outcome, Rejected
from fourfold.ports.units import Transaction, Unit
from fourfold.stages.agreement import said_by_caller
from fourfold.stages.authorize import missing_fault
from fourfold.stages.flow import Flow, framework_fault
from fourfold.stages.preconditions import Answered
from fourfold.stages.replay import RETRY_AFTER_MS, earlier_answer, scope_of

__all__ = [
    "Lease",
    "Taken",
    "Undone",
    "has_claim",
    "is_kept",
    "keyless_twin",
    "not_done",
    "take",
]

_FALLEN = {"used": "plan_used", "denied": "approval_denied", "revoked": "approval_revoked"}

_WINDOW_S = 600
"""Seconds in which a keyless call that reaches outside is the same as one before, where its effect says nothing."""


class Undone(Exception):
    """Carries an answer out of a transaction that is rolled back as a whole, its claim included."""

    def __init__(self, outcome: Outcome) -> None:
        self.outcome = outcome
        super().__init__("rolled back with an answer")


@dataclass(frozen=True, slots=True, kw_only=True)
class Lease:
    """Who owns a claim that is not settled in the transaction that takes it, and until when (milliseconds)."""

    owner: str
    until_ms: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Taken:
    """A claim that is ours, if the call has one, and an earlier operation with the same arguments."""

    claim: Claim | None
    twin: Claim | None = None

    @property
    def twin_of(self) -> str | None:
        """The operation to point out in the answer."""
        return self.twin.operation_id if self.twin else None


def take(flow: Flow, transaction: Transaction, *, operation_id: str, lease: Lease | None = None) -> Outcome | Taken:
    """Take the claim of a write, or say what it is answered with instead.

    Raises:
        Undone: another transaction is about to take the key, or the same arguments were sent just now.
    """
    try:
        return _take(flow, transaction, operation_id=operation_id, lease=lease)
    except StoreContended:
        # Whoever holds the key has not committed yet; what comes of it, the same key will be told.
        fault = framework_fault("in_progress", retry_after_ms=RETRY_AFTER_MS)
        raise Undone(Rejected(fault=fault, run_id=flow.draft.run_id)) from None


def _take(flow: Flow, transaction: Transaction, *, operation_id: str, lease: Lease | None) -> Outcome | Taken:
    if not has_claim(flow):
        return Taken(claim=None)
    # The key is taken before anything is looked for: nearly always it is free, and then one statement has told so.
    claim = _fresh(flow, operation_id=operation_id, lease=lease)
    existing = flow.ports.claims.take(transaction.unit, claim)
    if existing is not None:
        return earlier_answer(flow, transaction, claim=existing)
    effect = flow.tool.contract.effect
    twin = _twin(flow, transaction.unit, claim.scope) if isinstance(effect, Create) else None
    if isinstance(effect, Create) and twin is not None and (flow.idempotency_key is None or effect.refuses_twins):
        raise Undone(_possible_duplicate(flow, twin, effect))
    _use_plan(flow, transaction.unit, operation_id=operation_id)
    return Taken(claim=claim, twin=twin)


def _use_plan(flow: Flow, unit: Unit, *, operation_id: str) -> None:
    """Use up the plan of an execute, in the transaction of its claim.

    Raises:
        Undone: it doesn't stand any more: somebody was faster, revoked it, or its time is up.
    """
    plan, plans = flow.plan, flow.ports.plans
    if plan is not None and Agreement in flow.answers:
        plans.decide(unit, said_by_caller(flow, plan, verdict="approved"), tenant=plan.tenant)
    if plan is None or plans.use(unit, plan, operation_id=operation_id, now_ms=flow.ports.clock.now_ms()):
        return
    now = plans.find(unit, plan.plan_id)
    code = _FALLEN.get(now.state, "plan_expired") if now is not None else "plan_mismatch"
    raise Undone(Rejected(fault=framework_fault(code), run_id=flow.draft.run_id))


def has_claim(flow: Flow) -> bool:
    """Whether the call is claimed: it has a key, or it is recognised by its arguments."""
    effect = flow.tool.contract.effect
    return flow.idempotency_key is not None or isinstance(effect, Create) or effect.reach == "outside"


def keyless_twin(flow: Flow, unit: Unit) -> Claim | None:
    """The claim that a keyless call that reaches outside is a repeat of, whatever became of it."""
    return _twin(flow, unit, scope_of(flow, "")) if flow.idempotency_key is None else None


def is_kept(flow: Flow, detail: FaultDetail) -> bool:
    """Whether a fault is kept under the call's key: it is final, and there is a key to ask for it with.

    An absent object settles nothing: a later replay would tell it from a denied one, which has no claim.
    """
    missing = flow.tool.contract.missing
    is_missing = missing is not None and missing.code == detail.code
    return detail.retry.settles and flow.idempotency_key is not None and not is_missing


def not_done(flow: Flow, answered: Answered) -> Outcome:
    """The answer for an object that is absent, denied or stale: nothing happened and nothing is kept."""
    run_id = flow.draft.run_id
    if answered.fault is not None:
        return Rejected(fault=answered.fault.detail(), run_id=run_id)
    kind = Denied if answered.denied else Rejected
    return kind(fault=missing_fault(flow), run_id=run_id)


def _twin(flow: Flow, unit: Unit, scope: ClaimScope) -> Claim | None:
    """The newest claim with the same arguments under another key than that of `scope`."""
    effect = flow.tool.contract.effect
    window_s = effect.window_s if isinstance(effect, Create) else _WINDOW_S
    # The window is half open: after exactly that many seconds the same call is meant again.
    since = flow.ports.clock.now_ms() - window_s * 1000 + 1
    return flow.ports.claims.twin(unit, scope, fingerprint=flow.fingerprint, since_ms=since)


def _possible_duplicate(flow: Flow, twin: Claim, effect: Create) -> Rejected:
    message = f"The same call was made just now as operation {twin.operation_id}"
    fault = framework_fault("possible_duplicate", message=message, operation_id=twin.operation_id)
    if flow.idempotency_key is not None:
        step = f"If a second one is meant, ask the user, and send it {effect.window_s} seconds after the first"
        fault = replace(fault, next_step=step)
    return Rejected(fault=fault, run_id=flow.draft.run_id)


def _fresh(flow: Flow, *, operation_id: str, lease: Lease | None) -> Claim:
    now, contract = flow.ports.clock.now_ms(), flow.tool.contract
    key = flow.idempotency_key or f"auto:{flow.fingerprint.hex()}:{operation_id}"
    return Claim(
        operation_id=operation_id,
        scope=scope_of(flow, key),
        fingerprint=flow.fingerprint,
        state="running",
        run_id=flow.draft.run_id,
        created_ms=now,
        purge_after_ms=now + flow.ports.retention.outcome_ms,
        effect_class=contract.recovery,
        owner=lease.owner if lease else "",
        lease_until_ms=lease.until_ms if lease else 0,
        contract_version=contract.version,
    )
