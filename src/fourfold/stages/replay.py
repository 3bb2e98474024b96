"""Stage 7, replay: a key that was used before is answered with what it was answered then, and nothing runs."""

from __future__ import annotations

import hmac
import json
from dataclasses import asdict, replace
from functools import partial
from typing import Any

from fourfold.catalog.operations import OPERATION_STATUS
from fourfold.contracts.digest import INTENT_BYTES, fingerprint
from fourfold.errors import SealError
from fourfold.model.claim import Claim, ClaimScope
from fourfold.model.fault import FaultDetail, Problem, Retry
from fourfold.model.outcome import Denied, Done, Failed, Outcome, Rejected, Unknown
from fourfold.model.run import UNKNOWN_SUBJECT
from fourfold.ports.sealer import Sealer
from fourfold.ports.units import Transaction, Unit
from fourfold.stages.admit import listed
from fourfold.stages.authorize import find_resource, missing_fault, permitted
from fourfold.stages.flow import Flow, Proceed, framework_fault

__all__ = [
    "RETRY_AFTER_MS",
    "answer_from",
    "earlier_answer",
    "find_claim",
    "intent",
    "is_same",
    "not_happened",
    "plan_used",
    "replay",
    "scope_of",
    "sealed_outcome",
    "sealed_result",
    "unknown_outcome",
]

_CONFIRMED = "It happened, as a person has confirmed, but its result is not known"
_NOT_HAPPENED = "It did not happen and will not, as a person has confirmed"
"""Of operations that were unknown and settled by hand."""

RETRY_AFTER_MS = 1_000
"""How long to wait before asking for an operation that is running."""


async def replay(flow: Flow, proceed: Proceed) -> Outcome:
    """Tell what makes another call the same intent as this one, for `earlier_answer` in the claim's transaction.

    Looking there and not here saves every first call a read, and leaves no moment between looking and claiming.
    """
    if flow.tool.contract.effect.takes_key:
        flow.fingerprint = intent(flow)
    return await proceed(flow)


def intent(flow: Flow) -> bytes:
    """The fingerprint of the call before anybody was asked anything."""
    return fingerprint(
        flow.tool.contract,
        flow.checked.request,
        expected_version=flow.checked.framework.get("expected_version"),
        secrets=flow.tool.secrets,
        plain=flow.tool.plain,
        sealer=flow.ports.sealer,
    )


def earlier_answer(flow: Flow, transaction: Transaction, *, claim: Claim) -> Outcome:
    """The answer that the call's key already has, settled or running."""
    if _asks_again(flow, claim):
        resource = transaction.attempt(partial(find_resource, flow), subject=flow.name_subject)
        if resource is not None and permitted(flow, resource).verdict != "allow":
            return Denied(fault=missing_fault(flow), run_id=flow.draft.run_id)
    return answer_from(flow, claim)


def find_claim(flow: Flow, unit: Unit) -> Claim | None:
    """The claim of the call's key, if it has a key that was used before."""
    key = flow.idempotency_key
    return flow.ports.claims.find(unit, scope_of(flow, key)) if key is not None else None


def _asks_again(flow: Flow, claim: Claim) -> bool:
    """Whether a stored outcome would be answered, so that the policy has to allow its object now as well."""
    return flow.ports.policy is not None and claim.outcome is not None and is_same(flow, claim)


def scope_of(flow: Flow, key: str) -> ClaimScope:
    """What `key` is unique in: tenant, principal and tool."""
    caller = flow.call.caller
    return ClaimScope(tenant=caller.tenant, principal=caller.principal, tool=flow.tool.contract.name, key=key)


def answer_from(flow: Flow, claim: Claim) -> Outcome:
    """The answer that an existing claim stands for. Another fingerprint is never answered with a stored outcome."""
    run_id = flow.draft.run_id
    if not is_same(flow, claim) and flow.plan is not None and flow.tool.ask is None:
        # A plan has one set of arguments, so it is the contract that has become another one since it was used.
        return plan_used(flow, claim.operation_id)
    if not is_same(flow, claim):
        told = {} if flow.round is None else {"message": "This call was answered before, with other answers"}
        fault = framework_fault("idempotency_conflict", operation_id=claim.operation_id, **told)
        return Rejected(fault=fault, run_id=run_id)
    if claim.state == "running":
        fault = framework_fault("in_progress", operation_id=claim.operation_id, retry_after_ms=RETRY_AFTER_MS)
        return Rejected(fault=fault, run_id=run_id)
    if claim.state == "unknown":
        return unknown_outcome(flow, claim.operation_id)
    if claim.state == "done" and claim.outcome is None:
        fault = framework_fault("idempotency_expired", message=_CONFIRMED, operation_id=claim.operation_id)
        return Rejected(fault=fault, run_id=run_id)
    if claim.state == "tombstone" or claim.outcome is None:
        fault = framework_fault("idempotency_expired", operation_id=claim.operation_id)
        return Rejected(fault=fault, run_id=run_id)
    return _stored(flow, claim, sealed=claim.outcome)


def plan_used(flow: Flow, operation_id: str) -> Rejected:
    """The answer for a plan that was executed and whose outcome cannot be told under this contract."""
    step = f"Ask {OPERATION_STATUS} what became of it; make a new plan only if it is meant again"
    fault = framework_fault("plan_used", operation_id=operation_id, next_step=step)
    return Rejected(fault=fault, run_id=flow.draft.run_id)


def is_same(flow: Flow, claim: Claim) -> bool:
    """Whether the claim was taken for the same intent as this call, and with the same answers if it brings some.

    One that brings none is the first round of the call once more, sent because its last answer was lost.
    """
    size = INTENT_BYTES if flow.round is None else None
    return hmac.compare_digest(claim.fingerprint[:size], flow.fingerprint[:size])


def unknown_outcome(flow: Flow, operation_id: str) -> Unknown:
    """Nobody knows whether it happened: the caller is told which tools of the same resource it can look with."""
    resource = flow.tool.contract.name.partition("_")[0]
    readers = [
        name
        for name, tool in flow.ports.catalog.tools.items()
        if name.startswith(f"{resource}_")
        and not tool.contract.effect.writes
        and listed(flow.ports, tool, caller=flow.call.caller)
    ]
    fault = framework_fault("outcome_unknown", operation_id=operation_id)
    if readers:
        step = f"Do not repeat it; look with {' or '.join(readers[:3])}, or ask the user to check"
        fault = replace(fault, next_step=step)
    return Unknown(fault=fault, run_id=flow.draft.run_id)


def sealed_outcome(flow: Flow, outcome: Done | Failed | Rejected, *, operation_id: str) -> str:
    """`outcome` as it is stored with its claim, readable only here and only for this operation."""
    facts = {**_facts(outcome), "subject": flow.draft.subject}
    return _sealed(flow.ports.sealer, facts, operation_id)


def not_happened(operation_id: str) -> FaultDetail:
    """What a repeat of an operation is told that a person has settled as never happening."""
    step = "Tell the user; to do it after all is a new operation"
    return framework_fault("upstream_rejected", message=_NOT_HAPPENED, next_step=step, operation_id=operation_id)


def sealed_result(sealer: Sealer, outcome: Done | Rejected, *, operation_id: str, subject: str) -> str:
    """What a person says that became of an operation, as it is stored with its claim."""
    return _sealed(sealer, {**_facts(outcome), "subject": subject}, operation_id)


def _sealed(sealer: Sealer, facts: dict[str, Any], operation_id: str) -> str:
    payload = json.dumps(facts, ensure_ascii=False).encode("utf-8", "replace")
    return sealer.seal("outcome", payload, bind=(operation_id,))


def _facts(outcome: Done | Failed | Rejected) -> dict[str, Any]:
    if isinstance(outcome, Done):
        return {"done": outcome.structured.decode(), "text": outcome.text, "twin_of": outcome.twin_of}
    return {"fault": asdict(outcome.fault)}


def _stored(flow: Flow, claim: Claim, *, sealed: str) -> Outcome:
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
    if flow.draft.subject == UNKNOWN_SUBJECT:
        flow.name_subject(facts["subject"])
    if "done" in facts:
        return Done(
            structured=facts["done"].encode(),
            text=facts["text"],
            run_id=claim.run_id,
            operation_id=claim.operation_id,
            replayed=True,
            twin_of=facts["twin_of"],
        )
    return Rejected(fault=_detail(facts["fault"]), run_id=claim.run_id, replayed=True)


def _detail(facts: dict[str, Any]) -> FaultDetail:
    """The fault that `asdict` took apart."""
    problems = tuple(Problem(**problem) for problem in facts["problems"])
    found: dict[str, Any] = {**facts, "retry": Retry(facts["retry"]), "problems": problems}
    return FaultDetail(**found)
