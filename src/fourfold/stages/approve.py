"""Stage 9, approve: has whoever must agree to this plan agreed? Before the claim, so that no human wait holds one.

The person at the caller was asked by `consent`, where the client can ask. A second person decides with a credential of
their own (`fourfold plans approve`).
"""

from __future__ import annotations

from fourfold.contracts.planning import Agreement
from fourfold.model.outcome import Outcome, Rejected
from fourfold.stages.agreement import where_to_approve
from fourfold.stages.flow import Flow, Proceed, framework_fault

__all__ = ["approve"]


async def approve(flow: Flow, proceed: Proceed) -> Outcome:
    """Go on with a plan that nobody has to agree to, that somebody agreed to, or that was used and is replayed."""
    plan = flow.plan
    if plan is None or plan.state != "open" or plan.approval == "none" or Agreement in flow.answers:
        return await proceed(flow)
    return Rejected(fault=framework_fault("approval_required", **where_to_approve(plan)), run_id=flow.draft.run_id)
