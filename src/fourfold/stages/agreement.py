"""The agreement of the person at the caller to a plan: what they are shown, and what is stored of their answer.

It is stored in the transaction that uses the plan. No word that they read comes from a model.
"""

from __future__ import annotations

from fourfold.contracts.forms import FormCheck
from fourfold.contracts.planning import PLAN_PURPOSE, Agreement
from fourfold.model.outcome import Outcome, Rejected
from fourfold.model.plan import Decision, Plan, Verdict
from fourfold.stages.flow import Flow, framework_fault
from fourfold.stages.rounds import Asked, form_asked

__all__ = ["agreement_asked", "declined", "deny", "said_by_caller", "where_to_approve"]

_AGREEMENT = FormCheck.of(Agreement)
_OTHERWISE = "It was executed: this call was answered before, with a yes"


def agreement_asked(flow: Flow) -> tuple[Asked, ...]:
    """The question to the person at the caller whose agreement the plan still needs, with what it will do."""
    plan = flow.plan
    if plan is None or plan.state != "open" or plan.approval != "caller":
        return ()
    ports = flow.ports
    impact = ports.sealer.open(PLAN_PURPOSE, plan.impact, bind=(plan.plan_id, "impact"), now_ms=ports.clock.now_ms())
    return (form_asked(_AGREEMENT, impact.decode(), out_of_band=where_to_approve(plan)["next_step"]),)


def said_by_caller(flow: Flow, plan: Plan, *, verdict: Verdict) -> Decision:
    """What the person at the caller said, as it is recorded."""
    return Decision(
        plan_id=plan.plan_id,
        approver=flow.call.caller.principal,
        verdict=verdict,
        digest=plan.digest,
        channel="elicitation",
        comment="",
        at_ms=flow.ports.clock.now_ms(),
    )


async def deny(flow: Flow, plan: Plan) -> Outcome:
    """Store that the person at the caller said no, which is final, and say so; too late if the plan is used."""
    if plan.used_by is not None:
        fault = framework_fault("idempotency_conflict", message=_OTHERWISE, operation_id=plan.used_by)
        return Rejected(fault=fault, run_id=flow.draft.run_id)
    said = said_by_caller(flow, plan, verdict="denied")
    await flow.ports.units.write(
        lambda transaction: flow.ports.plans.decide(transaction.unit, said, tenant=plan.tenant),
        deadline=flow.deadline,
        tenant=flow.tenant,
    )
    return Rejected(fault=framework_fault("approval_denied"), run_id=flow.draft.run_id)


def declined(flow: Flow) -> bool:
    """Whether the person at the caller said no to the plan; one who only closed the form decided nothing."""
    return flow.round is not None and _AGREEMENT.key in flow.round.declined


def where_to_approve(plan: Plan) -> dict[str, str]:
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
