"""Stage 5, authorize: may this caller do this, with these arguments, to this object?

For a read the object is found here, so that an absent and a denied one take the same way and give the same answer.
For a write it is found inside the transaction, in `preconditions`.
"""

from __future__ import annotations

from fourfold.model.fault import Fault, FaultDetail
from fourfold.model.outcome import Denied, Outcome, Rejected
from fourfold.model.policy import Decision, PolicyQuestion, Resource
from fourfold.ports.units import Unit
from fourfold.stages.admit import decide
from fourfold.stages.flow import Flow, Proceed, Undeclared, framework_fault

__all__ = ["authorize", "find_resource", "missing_fault", "permitted"]


async def authorize(flow: Flow, proceed: Proceed) -> Outcome:
    """Ask the policy, with the object where one is declared."""
    if flow.ports.policy is None:
        return await proceed(flow)
    if flow.tool.resource is None:
        return await proceed(flow) if permitted(flow, None).verdict == "allow" else _denied(flow)
    if flow.tool.contract.effect.writes:
        # `depends` may depend on the object, which preconditions asks about; there, only `allow` goes on.
        return await proceed(flow) if permitted(flow, None).verdict != "deny" else _denied(flow)
    resource = await flow.ports.units.read(
        lambda unit: find_resource(flow, unit),
        deadline=flow.deadline,
        subject=flow.name_subject,
        tenant=flow.tenant,
    )
    decision = permitted(flow, resource)
    if resource is None:
        return Rejected(fault=missing_fault(flow), run_id=flow.draft.run_id)
    return await proceed(flow) if decision.verdict == "allow" else _denied(flow)


def find_resource(flow: Flow, unit: Unit) -> Resource | None:
    """The object that the call is about, in the caller's tenant. The `missing` fault says the same as `None`.

    Raises:
        Undeclared: it raised another fault, or returned something else.
    """
    try:
        found = flow.tool.resource.call(flow.supplies(unit)) if flow.tool.resource else None
    except Fault as fault:
        missing = flow.tool.declaration.missing
        if missing is not None and isinstance(fault, missing):
            return None
        raise Undeclared(f"resource= raised {type(fault).__name__}; return None for an absent object") from fault
    if found is not None and not isinstance(found, Resource):
        raise Undeclared(f"resource= returned {type(found).__name__}, not a Resource or None")
    return found


def permitted(flow: Flow, resource: Resource | None) -> Decision:
    """The policy's decision about the call as it will run, with defaults and repairs; its reason goes into the run."""
    arguments = flow.checked.request.model_dump(mode="json", by_alias=True)
    question = PolicyQuestion(
        caller=flow.call.caller, contract=flow.tool.contract, arguments=arguments, resource=resource
    )
    decision = decide(flow.ports, question)
    if flow.ports.policy is not None:
        flow.decision = decision.verdict
    if decision.reason:
        flow.draft.notes.append(f"policy: {decision.reason}")
    return decision


def missing_fault(flow: Flow) -> FaultDetail:
    """The answer for an absent and for a denied object; `not_permitted` where no object is involved."""
    missing = flow.tool.declaration.missing
    return missing().detail() if missing is not None else framework_fault("not_permitted")


def _denied(flow: Flow) -> Denied:
    return Denied(fault=missing_fault(flow), run_id=flow.draft.run_id)
