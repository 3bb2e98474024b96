"""Stage 5, replay: a key that was used before is answered with what it was answered then, and nothing runs."""

from __future__ import annotations

import hmac
import json
from typing import Any

from fourfold.contracts.digest import fingerprint
from fourfold.errors import SealError
from fourfold.model.claim import Claim, ClaimScope
from fourfold.model.fault import FaultDetail, Problem, Retry
from fourfold.model.outcome import Done, Outcome, Rejected, Unknown
from fourfold.stages.flow import Flow, Proceed, framework_fault

__all__ = ["answer_from", "replay", "scope_of", "sealed_outcome"]

RETRY_AFTER_MS = 1_000
"""How long to wait before asking for an operation that is running."""


async def replay(flow: Flow, proceed: Proceed) -> Outcome:
    """Answer a settled or running key of the same caller and tool; anything else goes on."""
    contract = flow.tool.contract
    if not contract.effect.takes_key:
        return await proceed(flow)
    flow.fingerprint = fingerprint(
        contract,
        flow.checked.request,
        expected_version=flow.checked.framework.get("expected_version"),
        secrets=flow.tool.secrets,
        sealer=flow.ports.sealer,
    )
    key = flow.idempotency_key
    if key is None:
        return await proceed(flow)
    scope = scope_of(flow, key)
    claim = await flow.ports.units.read(
        lambda unit: flow.ports.claims.find(unit, scope), deadline=flow.deadline, subject=flow.name_subject
    )
    return await proceed(flow) if claim is None else answer_from(flow, claim)


def scope_of(flow: Flow, key: str) -> ClaimScope:
    """What `key` is unique in: tenant, principal and tool."""
    caller = flow.call.caller
    return ClaimScope(tenant=caller.tenant, principal=caller.principal, tool=flow.tool.contract.name, key=key)


def answer_from(flow: Flow, claim: Claim) -> Outcome:
    """The answer that an existing claim stands for. Another fingerprint is never answered with a stored outcome."""
    run_id = flow.draft.run_id
    if not hmac.compare_digest(claim.fingerprint, flow.fingerprint):
        fault = framework_fault("idempotency_conflict", operation_id=claim.operation_id)
        return Rejected(fault=fault, run_id=run_id)
    if claim.state == "running":
        fault = framework_fault("in_progress", operation_id=claim.operation_id, retry_after_ms=RETRY_AFTER_MS)
        return Rejected(fault=fault, run_id=run_id)
    if claim.state == "unknown":
        return Unknown(fault=framework_fault("outcome_unknown", operation_id=claim.operation_id), run_id=run_id)
    if claim.state == "tombstone" or claim.outcome is None:
        fault = framework_fault("idempotency_expired", operation_id=claim.operation_id)
        return Rejected(fault=fault, run_id=run_id)
    return _stored(flow, claim, claim.outcome)


def sealed_outcome(flow: Flow, operation_id: str, outcome: Done | Rejected) -> str:
    """`outcome` as it is stored with its claim, readable only here and only for this operation."""
    return flow.ports.sealer.seal("outcome", json.dumps(_facts(outcome)).encode(), bind=(operation_id,))


def _facts(outcome: Done | Rejected) -> dict[str, Any]:
    if isinstance(outcome, Done):
        return {"done": outcome.structured.decode(), "text": outcome.text}
    fault = outcome.fault
    problems = [[problem.pointer, problem.code, problem.expected] for problem in fault.problems]
    facts = {"code": fault.code, "retry": fault.retry.value, "message": fault.message, "next_step": fault.next_step}
    return {"fault": {**facts, "problems": problems}}


def _stored(flow: Flow, claim: Claim, sealed: str) -> Outcome:
    """The stored outcome, opened. One that no key opens any more is as good as expired."""
    try:
        payload = flow.ports.sealer.open(
            "outcome", sealed, bind=(claim.operation_id,), now_ms=flow.ports.clock.now_ms()
        )
    except SealError:
        flow.draft.notes.append("the stored outcome does not open: was its key dropped from the ring?")
        fault = framework_fault("idempotency_expired", operation_id=claim.operation_id)
        return Rejected(fault=fault, run_id=flow.draft.run_id)
    facts = json.loads(payload)
    if "done" in facts:
        return Done(
            structured=facts["done"].encode(),
            text=facts["text"],
            run_id=claim.run_id,
            operation_id=claim.operation_id,
            replayed=True,
        )
    fault = facts["fault"]
    detail = FaultDetail(
        code=fault["code"],
        retry=Retry(fault["retry"]),
        message=fault["message"],
        next_step=fault["next_step"],
        problems=tuple(Problem(pointer=at, code=code, expected=text) for at, code, text in fault["problems"]),
        operation_id=claim.operation_id,
    )
    return Rejected(fault=detail, run_id=claim.run_id, replayed=True)
