"""Stages 8 to 10 together, and how a read gets there: in a thread with a unit, in a thread, or on the loop."""

from __future__ import annotations

import asyncio
import contextvars
from functools import partial

from fourfold.model.fault import Fault
from fourfold.model.outcome import Done, Outcome, Rejected
from fourfold.ports.units import Unit
from fourfold.stages.flow import Flow
from fourfold.stages.invoke import invoke, invoke_async
from fourfold.stages.planning import require_impact
from fourfold.stages.preconditions import preconditions
from fourfold.stages.validate_output import ResultTooLarge, validate_output

__all__ = ["inside", "read"]


def inside(flow: Flow, unit: Unit | None) -> Done:
    """Preconditions, the handler, and the check of its result; for plain handlers."""
    around = flow.enter("preconditions")
    try:
        if unit is not None:
            preconditions(flow, unit)
            require_impact(flow, unit)
        flow.enter("invoke")
        result = invoke(flow, unit)
        flow.enter("validate_output")
        return validate_output(flow, result)
    finally:
        flow.enter(around)


async def read(flow: Flow) -> Outcome:
    """Run a read to its answer."""
    try:
        return await _read(flow)
    except Fault as fault:
        return Rejected(fault=fault.detail(), run_id=flow.draft.run_id)
    except ResultTooLarge as too_large:
        return Rejected(fault=too_large.detail, run_id=flow.draft.run_id)


async def _read(flow: Flow) -> Outcome:
    ports = flow.ports
    if "unit" in flow.tool.handler.taken:
        return await ports.units.read(
            partial(inside, flow), deadline=flow.deadline, subject=flow.name_subject, tenant=flow.tenant
        )
    if not flow.tool.is_async:
        return await _in_thread(flow)
    around = flow.enter("invoke")
    try:
        result = await invoke_async(flow)
        flow.enter("validate_output")
        return validate_output(flow, result)
    finally:
        flow.enter(around)


async def _in_thread(flow: Flow) -> Outcome:
    # Not a limiter's thread: that gives the place back when the caller stops waiting, and the thread runs on.
    context = contextvars.copy_context()
    loop = asyncio.get_running_loop()
    try:
        return await loop.run_in_executor(flow.ports.threads, lambda: context.run(inside, flow, None))
    finally:
        flow.left = True
