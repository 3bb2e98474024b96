"""Stage 4, recall: an execute goes on with the arguments that its plan holds, or learns that the plan doesn't stand.

A plan of another principal, one that was made up and one whose digest differs are answered alike. One that the caller
did execute is never answered as if it had not been: whoever reads that makes a new plan.
"""

from __future__ import annotations

import hmac
from functools import partial

from fourfold.contracts.check import CheckedInput
from fourfold.contracts.planning import PLAN_PURPOSE
from fourfold.errors import SealError
from fourfold.model.claim import Claim
from fourfold.model.outcome import Outcome, Rejected
from fourfold.model.plan import Plan
from fourfold.ports.units import Unit
from fourfold.stages.flow import Checked, Flow, Proceed, framework_fault
from fourfold.stages.replay import plan_used, scope_of
from fourfold.stages.validate_input import first_at

__all__ = ["recall"]

_FALLEN = {"denied": "approval_denied", "revoked": "approval_revoked"}


async def recall(flow: Flow, proceed: Proceed) -> Outcome:
    """Open the plan of an execute; every other call goes on as it is."""
    if flow.tool.role != "execute":
        return await proceed(flow)
    found = await flow.ports.units.read(
        partial(_found, flow), deadline=flow.deadline, subject=flow.name_subject, tenant=flow.tenant
    )
    if isinstance(found, Claim):
        return _rejected(flow, "idempotency_expired", operation_id=found.operation_id)
    if found is None or not _is_the_callers(flow, found):
        return _rejected(flow, "plan_mismatch")
    plan, request = found, _opened(flow, found)
    if request is None:
        return _rejected(flow, "plan_mismatch") if plan.used_by is None else plan_used(flow, plan.used_by)
    if plan.state in _FALLEN:
        return _rejected(flow, _FALLEN[plan.state])
    if plan.state != "used" and plan.expires_ms <= flow.ports.clock.now_ms():
        return _rejected(flow, "plan_expired")
    # From here on the call is the one that was planned, and every later stage treats it as any other call.
    flow.plan, flow.checked = plan, request
    _name_subject(flow)
    return await proceed(flow)


def _found(flow: Flow, unit: Unit) -> Plan | Claim | None:
    """The plan, or what is still known of one that is kept no longer: that this caller executed it."""
    plan_id: str = flow.checked.framework["plan_id"]
    plan = flow.ports.plans.find(unit, plan_id)
    return plan if plan is not None else flow.ports.claims.find(unit, scope_of(flow, plan_id))


def _is_the_callers(flow: Flow, plan: Plan) -> bool:
    """Whether this caller made that plan with this tool, and names its digest."""
    caller = flow.call.caller
    ours = (plan.tenant, plan.principal, plan.tool) == (caller.tenant, caller.principal, flow.tool.declaration.name)
    return ours and hmac.compare_digest(plan.digest, flow.checked.framework["digest"])


def _opened(flow: Flow, plan: Plan) -> Checked | None:
    """The arguments of the plan, checked again; `None` if its contract or its key is gone, or they pass no more."""
    ports = flow.ports
    if plan.wire_digest != flow.tool.contract.wire_digest:
        return None
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


def _rejected(flow: Flow, code: str, **told: str) -> Rejected:
    return Rejected(fault=framework_fault(code, **told), run_id=flow.draft.run_id)
