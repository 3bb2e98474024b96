"""Stage 4, recall: an execute goes on with the arguments that its plan holds, or learns that the plan doesn't stand.

A plan of another principal, one that was made up and one whose digest differs are answered alike.
"""

from __future__ import annotations

import hmac

from fourfold.contracts.check import CheckedInput
from fourfold.contracts.planning import PLAN_PURPOSE
from fourfold.errors import SealError
from fourfold.model.outcome import Outcome, Rejected
from fourfold.model.plan import Plan
from fourfold.stages.flow import Checked, Flow, Proceed, framework_fault
from fourfold.stages.validate_input import first_at

__all__ = ["recall"]

_FALLEN = {"denied": "approval_denied", "revoked": "approval_revoked"}


async def recall(flow: Flow, proceed: Proceed) -> Outcome:
    """Open the plan of an execute; every other call goes on as it is."""
    if flow.tool.role != "execute":
        return await proceed(flow)
    plan = await flow.ports.units.read(
        lambda unit: flow.ports.plans.find(unit, flow.checked.framework["plan_id"]),
        deadline=flow.deadline,
        subject=flow.name_subject,
        tenant=flow.tenant,
    )
    request = _opened(flow, plan) if plan is not None and _is_the_callers(flow, plan) else None
    if plan is None or request is None:
        return _rejected(flow, "plan_mismatch")
    if plan.state in _FALLEN:
        return _rejected(flow, _FALLEN[plan.state])
    if plan.state != "used" and plan.expires_ms <= flow.ports.clock.now_ms():
        return _rejected(flow, "plan_expired")
    # From here on the call is the one that was planned, and every later stage treats it as any other call.
    flow.plan, flow.checked = plan, request
    _name_subject(flow)
    return await proceed(flow)


def _is_the_callers(flow: Flow, plan: Plan) -> bool:
    """Whether this caller made that plan with this tool, under this contract, and names its digest."""
    caller = flow.call.caller
    ours = (plan.tenant, plan.principal, plan.tool) == (caller.tenant, caller.principal, flow.tool.declaration.name)
    digest = flow.checked.framework["digest"]
    return ours and hmac.compare_digest(plan.digest, digest) and plan.wire_digest == flow.tool.contract.wire_digest


def _opened(flow: Flow, plan: Plan) -> Checked | None:
    """The arguments of the plan, checked again; `None` if its key is gone or the contract takes them no more."""
    ports = flow.ports
    try:
        arguments = ports.sealer.open(PLAN_PURPOSE, plan.arguments, bind=(plan.plan_id,), now_ms=ports.clock.now_ms())
    except SealError:
        flow.draft.notes.append("the plan's arguments do not open: was its key dropped from the ring?")
        return None
    request = flow.tool.planned.read(arguments)
    return None if request is None else CheckedInput(request=request, framework=flow.checked.framework)


def _name_subject(flow: Flow) -> None:
    value = first_at(flow.checked.request, flow.tool.subject) if flow.tool.subject else None
    if value is not None:
        flow.name_subject(str(value))


def _rejected(flow: Flow, code: str) -> Rejected:
    return Rejected(fault=framework_fault(code), run_id=flow.draft.run_id)
