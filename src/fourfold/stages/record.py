"""From a flow and its outcome to the `Run` that is stored."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import cast

from fourfold.contracts.nul import without_nul
from fourfold.contracts.strict_json import well_formed
from fourfold.model.fault import FaultDetail
from fourfold.model.outcome import Done, NeedsInput, Outcome, Refused, kind_of
from fourfold.model.redact import redact
from fourfold.model.run import UNKNOWN_SUBJECT, Run
from fourfold.stages.flow import Flow

__all__ = ["arguments_digest", "cancelled_run", "run_of"]

_BYTES_A_TOKEN = 4
"""A rough estimate for JSON and English; every figure made from it says that it is one."""


def run_of(flow: Flow, outcome: Outcome) -> Run:
    """The run of a call that ended in `outcome`."""
    fault = _fault_of(outcome)
    return _run(
        flow,
        kind=kind_of(outcome),
        code=_code(outcome, fault),
        bytes_out=_bytes_out(outcome, fault),
        operation_id=_operation(outcome, fault),
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
    """What was noted, without the secrets that came with the call, and without what looks like one."""
    note = "; ".join(flow.draft.notes)
    places = flow.tool.secrets if flow.known else ()
    secrets = {value for steps in places for value in _values_at(flow.call.arguments, steps)}
    for secret in sorted(secrets, key=len, reverse=True):
        # An exception quotes a value as it is, as Python writes it, or as JSON has it.
        for written in (secret, repr(secret)[1:-1], json.dumps(secret)[1:-1]):
            note = note.replace(written, "[redacted]")
    return _storable(redact(note))


def _values_at(value: object, steps: tuple[str, ...]) -> Iterator[str]:
    """The texts at `steps` in arguments as they came; `*` is each item of a list."""
    if not steps:
        yield from [str(value)] if value not in (None, "") else []
    elif steps[0] == "*" and isinstance(value, list):
        for item in cast("list[object]", value):
            yield from _values_at(item, steps[1:])
    elif isinstance(value, Mapping):
        yield from _values_at(cast("Mapping[str, object]", value).get(steps[0]), steps[1:])
