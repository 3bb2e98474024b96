"""What a person's word on an unknown operation becomes: the answer to its repeats, and what is given back."""

from __future__ import annotations

from fourfold.catalog.tool import BuiltTool
from fourfold.model.claim import Claim
from fourfold.model.outcome import Rejected
from fourfold.model.plan import Plan
from fourfold.model.run import UNKNOWN_SUBJECT
from fourfold.ports.sealer import Sealer
from fourfold.ports.store import Store
from fourfold.ports.units import Unit
from fourfold.stages.on_call import Settlement
from fourfold.stages.replay import not_happened, sealed_result
from fourfold.stages.reservation import Reservation, planned_input
from fourfold.stages.validate_output import result_by_hand

__all__ = ["happened_with", "never_happens", "plan_behind"]


def happened_with(claim: Claim, tool: BuiltTool, *, written: bytes, evidence: str, sealer: Sealer) -> Settlement:
    """It happened, and repeats get the result that is `written` as JSON.

    Raises:
        OutputViolation: that is no result of the tool.
    """
    done, subject = result_by_hand(tool, written, run_id=claim.run_id)
    outcome = sealed_result(sealer, done, operation_id=claim.operation_id, subject=subject)
    return Settlement(operation_id=claim.operation_id, happened=True, evidence=evidence, outcome=outcome)


def never_happens(
    claim: Claim, tool: BuiltTool, *, plan: Plan | None, evidence: str, sealer: Sealer, now_ms: int
) -> tuple[Settlement, Reservation]:
    """It did not happen and never will: its repeats are told so, and what its call had set aside is given back.

    Raises:
        DecisionError: the plan that it executed does not open.
    """
    request = planned_input(tool, plan, sealer=sealer, now_ms=now_ms)
    answer = Rejected(fault=not_happened(claim.operation_id), run_id=claim.run_id)
    outcome = sealed_result(sealer, answer, operation_id=claim.operation_id, subject=UNKNOWN_SUBJECT)
    settlement = Settlement(operation_id=claim.operation_id, happened=False, evidence=evidence, outcome=outcome)
    return settlement, Reservation(tool=tool, request=request)


def plan_behind(claim: Claim, store: Store, *, unit: Unit) -> Plan | None:
    """The plan that the operation executed, if it did one."""
    plan = store.plans.find(unit, claim.scope.key)
    # Whoever calls chooses the key: one that only looks like a plan's must not bring that plan's arguments here.
    return plan if plan is not None and plan.used_by == claim.operation_id else None
