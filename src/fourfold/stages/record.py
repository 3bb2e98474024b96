"""From a flow and its outcome to the `Run` that is stored."""

from __future__ import annotations

import json

from fourfold.contracts.kept import marked_values
from fourfold.contracts.nul import without_nul
from fourfold.contracts.strict_json import well_formed
from fourfold.model.fault import FaultDetail
from fourfold.model.outcome import Done, NeedsInput, Outcome, Refused, kind_of
from fourfold.model.redact import redact
from fourfold.model.run import UNKNOWN_SUBJECT, Run
from fourfold.stages.flow import Flow

__all__ = ["arguments_digest", "cancelled_run", "code_of", "operation_of", "run_of"]

_BYTES_A_TOKEN = 4
"""A rough estimate for JSON and English; every figure made from it says that it is one."""


def run_of(flow: Flow, outcome: Outcome) -> Run:
    """The run of a call that ended in `outcome`."""
    fault = _fault_of(outcome)
    return _run(
        flow,
        kind=kind_of(outcome),
        code=code_of(outcome),
        bytes_out=_bytes_out(outcome, fault),
        operation_id=operation_of(outcome),
        replayed=getattr(outcome, "replayed", False),
        digest=arguments_digest(flow).hex() if fault is not None and flow.known else "",
        fault=fault,
    )


def arguments_digest(flow: Flow) -> bytes:
    """A keyed digest of who called what with which arguments, in whatever order they came."""
    caller = flow.call.caller
    parts = [caller.tenant, caller.principal, flow.call.tool, flow.call.arguments]
    return flow.ports.sealer.tag("arguments", json.dumps(parts, sort_keys=True, default=str).encode())


def cancelled_run(flow: Flow) -> Run:
    """The run of a call whose caller went away before anything was decided."""
    return _run(flow, kind="cancelled", code="cancelled")


def _fault_of(outcome: Outcome) -> FaultDetail | None:
    """The fault of an outcome that has one."""
    return None if isinstance(outcome, Done | Refused | NeedsInput) else outcome.fault


def _bytes_out(outcome: Outcome, fault: FaultDetail | None) -> int:
    if isinstance(outcome, Done):
        return len(outcome.structured)
    return len(well_formed(fault.text).encode()) if fault else 0


def code_of(outcome: Outcome) -> str:
    """The code of a fault, the reason of a refusal, or ""."""
    if isinstance(outcome, Refused):
        return outcome.reason
    fault = _fault_of(outcome)
    return fault.code if fault else ""


def operation_of(outcome: Outcome) -> str:
    """The operation that the outcome is of, or ""."""
    fault = _fault_of(outcome)
    operation = outcome.operation_id if isinstance(outcome, Done) else fault.operation_id if fault else None
    return operation or ""


def _run(
    flow: Flow,
    *,
    kind: str,
    code: str,
    bytes_out: int = 0,
    operation_id: str = "",
    replayed: bool = False,
    digest: str = "",
    fault: FaultDetail | None = None,
) -> Run:
    call, draft = flow.call, flow.draft
    contract = flow.tool.contract if flow.known else None
    return Run(
        run_id=draft.run_id,
        at_ms=draft.at_ms,
        tenant=call.caller.tenant,
        principal=call.caller.principal,
        caller=call.caller.name,
        tool=_storable(call.tool[:128]),
        contract_version=contract.version if contract else "",
        wire_digest=contract.wire_digest if contract else "",
        lock_digest=contract.lock_digest if contract else "",
        subject=_storable(str(draft.subject))[:200] or UNKNOWN_SUBJECT,
        outcome=kind,
        code=code,
        operation_id=operation_id,
        replayed=replayed,
        transport=call.transport,
        revision=call.revision,
        client=_storable(call.client[:128]),
        trace_id=call.trace.trace_id if call.trace else "",
        span_id=call.trace.span_id if call.trace else "",
        stage_us=dict(draft.stage_us),
        bytes_in=flow.bytes_in,
        bytes_out=bytes_out,
        tokens_in=-(-flow.bytes_in // _BYTES_A_TOKEN),
        tokens_out=-(-bytes_out // _BYTES_A_TOKEN),
        arguments_digest=digest,
        counted=flow.counted if kind == "done" else (),
        reference=fault.reference or "" if fault else "",
        note=_note(flow),
        retry=fault.retry.value if fault else "",
        tokens_definition=flow.ports.catalog.weights.get(contract.name, 0) if contract else 0,
        charges=draft.costs.charges,
        filled=flow.filled if kind == "done" else {},
    )


def _storable(text: str) -> str:
    """`text` as every store can hold it."""
    return without_nul(well_formed(text))


def _note(flow: Flow) -> str:
    """What was noted, without the secrets and personal data that came with the call, and what looks like a secret."""
    note = "; ".join(flow.draft.notes)
    if note and flow.known and flow.tool.kept.hides:
        for hidden in sorted(_hidden(flow), key=len, reverse=True):
            note = note.replace(hidden, "[redacted]")
    return _storable(redact(note))


def _hidden(flow: Flow) -> set[str]:
    """What is marked in the arguments, as they came and, if they were good, as the handler had them."""
    shape = flow.tool.kept
    found = {*marked_values(flow.call.arguments, shape.arguments)}
    if flow.has_checked:
        found |= {*marked_values(flow.checked.request, shape.request)}
    return found
