"""Stage 1, run: opens the record before anything can fail, and closes it whatever happens."""

from __future__ import annotations

import traceback
from dataclasses import replace

from anyio import get_cancelled_exc_class
from pydantic_core import to_json

from fourfold.errors import DeadlineExceeded, StoreBusy
from fourfold.model.fault import FaultDetail, Retry
from fourfold.model.outcome import Done, Failed, NeedsInput, Outcome, Refused, Rejected
from fourfold.model.run import Closing
from fourfold.stages.flow import Flow, Proceed, framework_fault, new_id, with_reference
from fourfold.stages.limits import key_of
from fourfold.stages.record import cancelled_run, run_of

__all__ = ["run"]

PATIENCE = 3
"""From this many equal failures in a row on, the answer says to stop."""


async def run(flow: Flow, proceed: Proceed) -> Outcome:
    """Every call leaves a run: denied, invalid, failed and cancelled ones too."""
    try:
        outcome = await proceed(flow)
    except get_cancelled_exc_class():
        _close(flow, None)
        raise
    except DeadlineExceeded:
        outcome = Rejected(fault=framework_fault("deadline_exceeded"), run_id=flow.draft.run_id)
    except StoreBusy as error:
        flow.draft.notes.append(f"the store is busy: {error}")
        outcome = Rejected(fault=framework_fault("too_busy", retry_after_ms=1000), run_id=flow.draft.run_id)
    except Exception as error:  # whatever broke, the caller gets a reference and the run gets the text
        outcome = _failed(flow, error)
    outcome = _patient(flow, outcome)
    _close(flow, outcome)
    return outcome


def _failed(flow: Flow, error: Exception) -> Failed:
    reference = new_id("ref", flow.ports.clock)
    flow.draft.notes.append("".join(traceback.format_exception(error)))
    return Failed(fault=with_reference(framework_fault("internal"), reference), run_id=flow.draft.run_id)


def _patient(flow: Flow, outcome: Outcome) -> Outcome:
    """`outcome`, with another text from the third equal failure on: a model repeats what reads like new."""
    if not flow.known or isinstance(outcome, Refused | NeedsInput):
        return outcome
    guard, key = flow.ports.guard, key_of(flow.call.caller, flow.call.tool)
    if isinstance(outcome, Done):
        if guard.has_failed(key):
            guard.succeeded(key, _digest(flow))
        return outcome
    digest = _digest(flow)
    flow.arguments_digest = digest.hex()
    count = guard.failed(key, digest)
    replayed = isinstance(outcome, Rejected) and outcome.replayed
    return outcome if count < PATIENCE or replayed else replace(outcome, fault=_stop(outcome.fault, count))


def _stop(fault: FaultDetail, count: int) -> FaultDetail:
    """`fault` telling the caller that this call has failed `count` times in the same way."""
    step = f"This call has failed {count} times in the same way: do not repeat it. {fault.next_step}"
    retry = Retry.NEVER if fault.retry is Retry.AFTER else fault.retry
    return replace(fault, next_step=step, retry=retry)


def _digest(flow: Flow) -> bytes:
    """A keyed digest of who called what with which arguments."""
    caller = flow.call.caller
    parts = [caller.tenant, caller.principal, flow.call.tool, flow.call.arguments]
    return flow.ports.sealer.tag("arguments", to_json(parts))


def _close(flow: Flow, outcome: Outcome | None) -> None:
    """Store the run, or the closing row of one that was stored with its effect."""
    flow.enter("run")
    if flow.draft.stored:
        total = round((flow.ports.clock.ticks() - flow.started) * 1_000_000)
        delivered = outcome is not None
        flow.ports.runs.close(Closing(run_id=flow.draft.run_id, total_us=total, delivered=delivered))
    else:
        flow.ports.runs.append(run_of(flow, outcome) if outcome is not None else cancelled_run(flow))
