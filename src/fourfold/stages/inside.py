"""Stages 8 to 10 together, and how a read gets there: in a thread with a unit, in a thread, or on the loop."""

from __future__ import annotations

from functools import partial

from anyio import fail_after, to_thread

from fourfold.errors import DeadlineExceeded
from fourfold.model.fault import Fault
from fourfold.model.outcome import Done, Outcome, Rejected
from fourfold.ports.units import Unit
from fourfold.stages.flow import Flow
from fourfold.stages.invoke import invoke, invoke_async
from fourfold.stages.preconditions import preconditions
from fourfold.stages.validate_output import ResultTooLarge, validate_output

__all__ = ["inside", "read"]


def inside(flow: Flow, unit: Unit | None) -> Done:
    """Preconditions, the handler, and the check of its result; for plain handlers."""
    around = flow.enter("preconditions")
    try:
        if unit is not None:
            preconditions(flow, unit)
        flow.enter("invoke")
        result = invoke(flow, unit)
        flow.enter("validate_output")
        return validate_output(flow, result)
    finally:
        flow.enter(around)


async def read(flow: Flow) -> Outcome:
    """Run a read to its answer, within its deadline."""
    try:
        return await _read(flow)
    except Fault as fault:
        return Rejected(fault=fault.detail(), run_id=flow.draft.run_id)
    except ResultTooLarge as too_large:
        return Rejected(fault=too_large.detail, run_id=flow.draft.run_id)
    except TimeoutError:
        raise DeadlineExceeded("the handler passed its deadline") from None


async def _read(flow: Flow) -> Outcome:
    ports = flow.ports
    if "unit" in flow.tool.handler.taken:
        return await ports.units.read(partial(inside, flow), deadline=flow.deadline, subject=flow.name_subject)
    with fail_after(max(0.0, flow.deadline - ports.clock.ticks())):
        if not flow.tool.is_async:
            return await to_thread.run_sync(inside, flow, None, limiter=ports.threads, abandon_on_cancel=True)
        around = flow.enter("invoke")
        try:
            result = await invoke_async(flow)
            flow.enter("validate_output")
            return validate_output(flow, result)
        finally:
            flow.enter(around)
