"""From a flow and its outcome to the `Run` that is stored."""

from __future__ import annotations

from fourfold.contracts.strict_json import well_formed
from fourfold.model.fault import FaultDetail
from fourfold.model.outcome import Done, NeedsInput, Outcome, Refused, kind_of
from fourfold.model.redact import redact
from fourfold.model.run import Run
from fourfold.stages.flow import Flow

__all__ = ["cancelled_run", "run_of"]

_BYTES_A_TOKEN = 4
"""A rough estimate for JSON and English; every figure made from it says that it is one."""


def run_of(flow: Flow, outcome: Outcome) -> Run:
    """The run of a call that ended in `outcome`."""
    fault = _fault_of(outcome)
    return _run(
        flow,
        kind=kind_of(outcome),
        code=_code(outcome, fault),
        bytes_out=len(outcome.structured) if isinstance(outcome, Done) else len(fault.text.encode()) if fault else 0,
        operation_id=_operation(outcome, fault),
        replayed=getattr(outcome, "replayed", False),
        reference=fault.reference or "" if fault else "",
    )


def cancelled_run(flow: Flow) -> Run:
    """The run of a call whose caller went away before anything was decided."""
    return _run(flow, kind="cancelled", code="cancelled")


def _fault_of(outcome: Outcome) -> FaultDetail | None:
    """The fault of an outcome that has one."""
    return None if isinstance(outcome, Done | Refused | NeedsInput) else outcome.fault


def _code(outcome: Outcome, fault: FaultDetail | None) -> str:
    if isinstance(outcome, Refused):
        return outcome.reason
    return fault.code if fault else ""


def _operation(outcome: Outcome, fault: FaultDetail | None) -> str:
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
    reference: str = "",
) -> Run:
    call, draft = flow.call, flow.draft
    contract = flow.tool.contract if flow.known else None
    return Run(
        run_id=draft.run_id,
        at_ms=draft.at_ms,
        tenant=call.caller.tenant,
        principal=call.caller.principal,
        caller=call.caller.name,
        tool=well_formed(call.tool[:128]),
        contract_version=contract.version if contract else "",
        wire_digest=contract.wire_digest if contract else "",
        lock_digest=contract.lock_digest if contract else "",
        subject=draft.subject,
        outcome=kind,
        code=code,
        operation_id=operation_id,
        replayed=replayed,
        transport=call.transport,
        revision=call.revision,
        client=well_formed(call.client[:128]),
        trace_id=call.trace.trace_id if call.trace else "",
        span_id=call.trace.span_id if call.trace else "",
        stage_us=dict(draft.stage_us),
        bytes_in=flow.bytes_in,
        bytes_out=bytes_out,
        tokens_in=-(-flow.bytes_in // _BYTES_A_TOKEN),
        tokens_out=-(-bytes_out // _BYTES_A_TOKEN),
        arguments_digest=flow.arguments_digest,
        counted=flow.counted if kind == "done" else (),
        reference=reference,
        note=redact("; ".join(draft.notes)),
    )
