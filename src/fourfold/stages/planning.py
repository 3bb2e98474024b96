"""Stage 6, plan: a plan tool's call ends here, with a plan that is stored and nothing that has happened.

`require_impact` is the other half: at execution the same is found out again, in the transaction of the effect.
"""

from __future__ import annotations

import json
from dataclasses import replace
from datetime import UTC, datetime
from functools import partial
from typing import cast

from fourfold.contracts.planning import PLAN_PURPOSE, PlanResult, plan_digest, written
from fourfold.model.fault import Fault, PlanMismatch
from fourfold.model.outcome import Done, Outcome, Rejected
from fourfold.model.plan import Approval, Impact, Plan, PlanTerms
from fourfold.model.policy import Resource
from fourfold.ports.units import Transaction, Unit
from fourfold.stages.flow import Flow, Proceed, Undeclared, new_id, to_its_end
from fourfold.stages.keeping import kept_of
from fourfold.stages.preconditions import Answered, preconditions
from fourfold.stages.record import run_of
from fourfold.stages.taking import not_done
from fourfold.stages.validate_output import validate_output

__all__ = ["plan", "require_impact"]

_MAX_SUMMARY = 2_000


async def plan(flow: Flow, proceed: Proceed) -> Outcome:
    """Make the plan of a plan tool's call; every other call goes on."""
    if flow.tool.role != "plan":
        return await proceed(flow)
    ports = flow.ports
    try:
        # A read unit, so that an impact cannot do what it tells of. Execution finds all of it out again.
        impact = await ports.units.read(
            partial(_found, flow), deadline=flow.deadline, subject=flow.name_subject, tenant=flow.tenant
        )
    except Answered as answered:
        return not_done(flow, answered)
    except Fault as fault:
        return Rejected(fault=fault.detail(), run_id=flow.draft.run_id)
    return await to_its_end(partial(_stored, flow, impact=impact))


async def _stored(flow: Flow, *, impact: Impact) -> Outcome:
    outcome = await flow.ports.units.write(
        lambda found: _kept(flow, found, impact=impact), deadline=flow.deadline, tenant=flow.tenant
    )
    flow.draft.stored = True
    return outcome


def require_impact(flow: Flow, unit: Unit) -> None:
    """Find out again what the plan of an execute would do, and that it is what was agreed to.

    Raises:
        Answered: it is something else by now.
    """
    planned = flow.plan
    if planned is None:
        return
    resource = flow.resource
    impact = _impact(flow, unit)
    now = replace(planned, versions=_versions(flow, resource, impact))
    # The plan's own expiry and approval stay as they are: only what the world says is found out again.
    digest = plan_digest(now, arguments=written(flow.checked.request), impact=impact.summary)
    if digest != planned.digest:
        raise Answered(PlanMismatch("What the plan would do has changed since it was made"))


def _kept(flow: Flow, transaction: Transaction, *, impact: Impact) -> Outcome:
    """Store the plan with its run."""
    made = _plan(flow, impact)
    flow.ports.plans.add(transaction.unit, made)
    result = PlanResult(
        plan_id=made.plan_id,
        digest=made.digest,
        impact=impact.summary,
        approval=made.approval,
        expires_at=datetime.fromtimestamp(made.expires_ms / 1000, tz=UTC),
        versions=PlanResult.versions_of(json.loads(made.versions)),
    )
    done: Done = validate_output(flow, result)
    flow.ports.runs.insert(transaction.unit, run_of(flow, done), kept=kept_of(flow, done))
    return done


def _found(flow: Flow, unit: Unit) -> Impact:
    preconditions(flow, unit)
    return _impact(flow, unit)


def _impact(flow: Flow, unit: Unit) -> Impact:
    """What the author's code says that the call would do.

    Raises:
        Undeclared: it says something else, or too much.
    """
    found: object = flow.tool.impact.call(flow.supplies(unit)) if flow.tool.impact else None
    if not isinstance(found, Impact):
        raise Undeclared(f"impact= returned {type(found).__name__}, not an Impact")
    if not found.summary.strip() or len(found.summary) > _MAX_SUMMARY:
        raise Undeclared(f"impact= has a summary of {len(found.summary)} characters, not of 1 to {_MAX_SUMMARY}")
    return found


def _plan(flow: Flow, impact: Impact) -> Plan:
    ports, caller, terms = flow.ports, flow.call.caller, _terms(flow)
    now, arguments = ports.clock.now_ms(), written(flow.checked.request)
    plan_id = new_id("plan", ports.clock)
    made = Plan(
        plan_id=plan_id,
        tenant=caller.tenant,
        principal=caller.principal,
        tool=flow.tool.declaration.name,
        wire_digest=flow.tool.planned.wire_digest,
        arguments=ports.sealer.seal(PLAN_PURPOSE, arguments, bind=(plan_id,)),
        versions=_versions(flow, flow.resource, impact),
        impact=ports.sealer.seal(PLAN_PURPOSE, impact.summary.encode(), bind=(plan_id, "impact")),
        digest="",
        approval=_approval(flow, terms, impact),
        created_ms=now,
        expires_ms=now + terms.lifetime_s * 1000,
    )
    return replace(made, digest=plan_digest(made, arguments=arguments, impact=impact.summary))


def _terms(flow: Flow) -> PlanTerms:
    return cast("PlanTerms", flow.tool.declaration.effect.plan)


def _approval(flow: Flow, terms: PlanTerms, impact: Impact) -> Approval:
    """Who has to agree. A function's answer is fixed in the digest, so that it is asked only once."""
    if not callable(terms.approval):
        return terms.approval
    decided = terms.approval(flow.checked.request, impact)
    if decided not in ("none", "caller", "second_person"):
        raise Undeclared("approval= returned none of none, caller and second_person")
    return decided


def _versions(flow: Flow, resource: Resource | None, impact: Impact) -> str:
    """The versions that the effect depends on, as JSON text."""
    kind = flow.tool.declaration.name.partition("_")[0]
    own = {f"{kind}/{resource.id}": resource.version} if resource is not None else {}
    return json.dumps({**impact.versions, **own}, sort_keys=True)
