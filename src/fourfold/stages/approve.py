"""Stage 7, approve: has whoever must agree to this plan agreed? Before the claim, so that no human wait holds one."""

from __future__ import annotations

from fourfold.model.outcome import Outcome, Rejected
from fourfold.model.plan import Plan
from fourfold.stages.flow import Flow, Proceed, framework_fault

__all__ = ["approve"]


async def approve(flow: Flow, proceed: Proceed) -> Outcome:
    """Go on with a plan that nobody has to agree to, that somebody agreed to, or that was used and is replayed."""
    plan = flow.plan
    if plan is None or plan.state != "open" or plan.approval == "none":
        return await proceed(flow)
    return Rejected(fault=framework_fault("approval_required", **_who(plan)), run_id=flow.draft.run_id)


def _who(plan: Plan) -> dict[str, str]:
    """Who has to agree, and where: never the model, and never through a tool."""
    if plan.approval == "second_person":
        return {
            "message": f"Plan {plan.plan_id} needs the approval of a second person, who is not its requester",
            "next_step": f"Ask the user to have it approved (fourfold plans approve {plan.plan_id}), then execute it",
        }
    return {
        "message": f"Plan {plan.plan_id} needs the approval of a person",
        "next_step": f"Ask the user to approve it (fourfold plans approve {plan.plan_id}), then execute it",
    }
