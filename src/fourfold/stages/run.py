"""Stage 1, run: opens the record before anything can fail, and closes it whatever happens."""

from __future__ import annotations

import math
import traceback
from dataclasses import replace

from anyio import current_effective_deadline, get_cancelled_exc_class

from fourfold.errors import DeadlineExceeded, StoreBusy
from fourfold.model.fault import FaultDetail, Retry
from fourfold.model.outcome import Done, Failed, NeedsInput, Outcome, Refused, Rejected
from fourfold.model.run import Closing
from fourfold.stages.ended import ended_call
from fourfold.stages.flow import Flow, Proceed, framework_fault, new_id, with_reference
from fourfold.stages.keeping import kept_of
from fourfold.stages.limits import key_of
from fourfold.stages.record import arguments_digest, cancelled_run, run_of

__all__ = ["run"]

PATIENCE = 3
"""From this many equal failures in a row on, the answer says to stop."""

_WAITING = frozenset({"rate_limited", "too_busy", "in_progress"})
"""Answers about the moment and not about the call: waiting as they say is right however often they come."""

_FRAMES = 8
"""Innermost frames of a traceback that are kept, so that the exception's own text fits into a note."""


async def run(flow: Flow, proceed: Proceed) -> Outcome:
    """Every call leaves a run: denied, invalid, failed and cancelled ones too."""
    try:
        outcome = await proceed(flow)
    except get_cancelled_exc_class():
        flow.draft.notes.append("the caller left")
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
    flow.draft.notes.append("".join(traceback.format_exception(error, limit=-_FRAMES)))
    return Failed(fault=with_reference(framework_fault("internal"), reference), run_id=flow.draft.run_id)


def _patient(flow: Flow, outcome: Outcome) -> Outcome:
    """`outcome`, with another text from the third equal failure on: a model repeats what reads like new."""
    if not flow.known or isinstance(outcome, Refused | NeedsInput):
        return outcome
    guard, key = flow.ports.guard, key_of(flow.call.caller, flow.call.tool)
    if isinstance(outcome, Done):
        if guard.has_failed(key):
            guard.succeeded(key, arguments_digest(flow))
        return outcome
    if outcome.fault.code in _WAITING:
        return outcome
    count = guard.failed(key, arguments_digest(flow))
    # What a key keeps is the same in every answer, the first one included.
    kept = flow.draft.stored or (isinstance(outcome, Rejected) and outcome.replayed)
    return outcome if count < PATIENCE or kept else replace(outcome, fault=_stop(outcome.fault, count))


def _stop(fault: FaultDetail, count: int) -> FaultDetail:
    """`fault` telling the caller that this call has failed `count` times, and not to repeat it as it is."""
    stop = f"This call has failed {count} times with the same arguments: do not repeat it"
    if fault.retry in (Retry.AFTER, Retry.SAME_KEY):
        return replace(fault, next_step=f"{stop}, and report it to the user", retry=Retry.NEVER)
    return replace(fault, next_step=f"{stop}. {fault.next_step}")


def _close(flow: Flow, outcome: Outcome | None) -> None:
    """Store the run, or the closing row of one that was stored with its effect."""
    flow.enter("run")
    if flow.draft.stored:
        total = round((flow.ports.clock.ticks() - flow.started) * 1_000_000)
        # A write finishes for a caller that has gone; the cancellation waits until somebody looks for it.
        delivered = outcome is not None and current_effective_deadline() > -math.inf
        flow.ports.runs.close(Closing(run_id=flow.draft.run_id, total_us=total, delivered=delivered))
    else:
        ended = run_of(flow, outcome) if outcome is not None else cancelled_run(flow)
        flow.ports.runs.append(ended, kept=kept_of(flow, outcome))
    if flow.ports.telemetry is not None:
        flow.ports.telemetry.call_ended(ended_call(flow, outcome))
