"""From a flow and its outcome to what telemetry is told: nothing of what was sent, no name that a caller made up."""

from __future__ import annotations

from fourfold.model.conventions import OTHER
from fourfold.model.outcome import Done, Outcome, Rejected, kind_of
from fourfold.ports.telemetry import EndedCall
from fourfold.stages.flow import Flow
from fourfold.stages.record import code_of, operation_of

__all__ = ["ended_call"]

_REPEATED = frozenset(
    {"in_progress", "idempotency_conflict", "idempotency_expired", "outcome_unknown", "plan_used", "possible_duplicate"}
)
"""Codes for a call whose operation was there before it."""


def ended_call(flow: Flow, outcome: Outcome | None) -> EndedCall:
    """What is told of a call that ended in `outcome`, `None` if its caller went away."""
    contract = flow.tool.contract if flow.known else None
    return EndedCall(
        run_id=flow.draft.run_id,
        tool=contract.name if contract else OTHER,
        contract_version=contract.version if contract else "",
        outcome=kind_of(outcome) if outcome is not None else "cancelled",
        code=code_of(outcome) if outcome is not None else "cancelled",
        decision=flow.decision,
        repeat=_repeat(flow, outcome) if outcome is not None else "",
        operation_id=operation_of(outcome) if outcome is not None else "",
        replayed=_replayed(outcome),
        served=flow.call.transport != "memory",
    )


def _repeat(flow: Flow, outcome: Outcome) -> str:
    """What came of a repeat; "" for a call that repeats nothing that is known."""
    if _replayed(outcome):
        return "replayed"
    if flow.attempt > 1:
        return "run_again"
    code = code_of(outcome)
    # The first call of an operation can end unknown as well; then the operation is its own.
    if code not in _REPEATED or (code == "outcome_unknown" and operation_of(outcome) == flow.operation):
        return ""
    return code


def _replayed(outcome: Outcome | None) -> bool:
    return isinstance(outcome, Done | Rejected) and outcome.replayed
