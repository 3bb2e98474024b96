"""Keeping what was sent and returned, where the contract says so, and opening it again.

A tool whose contract says nothing is done with after one look at it.
"""

from __future__ import annotations

import json
from dataclasses import asdict
from typing import Any, cast

from fourfold.contracts.kept import kept_part
from fourfold.contracts.repair import repair
from fourfold.model.kept import Kept, KeptCall, KeptPart
from fourfold.model.outcome import Done, Outcome
from fourfold.ports.sealer import Sealer
from fourfold.stages.flow import Flow

__all__ = ["kept_of", "opened"]


def kept_of(flow: Flow, outcome: Outcome | None) -> Kept | None:
    """What is stored beside the run of a call that ended in `outcome`, `None` if nobody waited for it."""
    keep = flow.tool.contract.keep if flow.known else None
    if not keep:
        return None
    call, shape = flow.call, flow.tool.kept
    result = json.loads(outcome.structured) if "results" in keep and isinstance(outcome, Done) else None
    kept = KeptCall(
        arguments=_arguments(flow) if "arguments" in keep else None,
        result=kept_part(result, shape.result) if result is not None else None,
        scopes=tuple(sorted(call.caller.scopes)),
        has_meta_key=call.meta_key is not None,
    )
    until = flow.draft.at_ms + flow.ports.retention.kept_ms
    bind = _bind(call.caller.tenant, flow.draft.run_id)
    sealed = flow.ports.sealer.seal("kept", json.dumps(asdict(kept)).encode(), bind=bind, expires_ms=until)
    return Kept(run_id=flow.draft.run_id, tenant=call.caller.tenant, purge_after_ms=until, sealed=sealed)


def opened(kept: Kept, sealer: Sealer, *, now_ms: int) -> KeptCall:
    """What was kept.

    Raises:
        SealError: the keys are not those that it was sealed with, it was changed, or its time is up.
    """
    payload = sealer.open("kept", kept.sealed, bind=_bind(kept.tenant, kept.run_id), now_ms=now_ms)
    found = json.loads(payload)
    return KeptCall(
        arguments=_part(found["arguments"]),
        result=_part(found["result"]),
        scopes=tuple(found["scopes"]),
        has_meta_key=found["has_meta_key"],
    )


def _arguments(flow: Flow) -> KeptPart:
    """The arguments as they were understood: an object that came as JSON text has places as well."""
    arguments, schema = dict(flow.call.arguments), flow.tool.kept.arguments
    # What is over the bound was looked at no further, and is cut here.
    is_bounded = flow.bytes_in <= flow.tool.contract.limits.arguments_bytes
    return kept_part(cast("dict[str, Any]", repair(arguments, schema).arguments) if is_bounded else arguments, schema)


def _part(found: dict[str, Any] | None) -> KeptPart | None:
    if found is None:
        return None
    lists = {name: tuple(found[name]) for name in ("redacted", "left_out", "cut")}
    return KeptPart(value=found["value"], **lists)


def _bind(tenant: str, run_id: str) -> tuple[str, str]:
    return (tenant, run_id)
