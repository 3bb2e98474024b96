"""Stage 10, invoke: the handler, its parameters filled by type, and what it may raise."""

from __future__ import annotations

from collections.abc import Awaitable
from typing import Any

from fourfold.model.fault import Fault
from fourfold.ports.units import Unit
from fourfold.stages.flow import Flow

__all__ = ["Undeclared", "invoke", "invoke_async"]


class Undeclared(Exception):
    """The handler raised what its contract does not declare; the text goes into the run and nowhere else."""


def invoke(flow: Flow, unit: Unit | None) -> Any:
    """The result of a plain handler.

    Raises:
        Fault: one that the contract declares, or one of the framework's own.
        Undeclared: a fault that it does not.
    """
    try:
        return flow.tool.handler.call(flow.supplies(unit))
    except Fault as fault:
        raise _declared(flow, fault) from None


async def invoke_async(flow: Flow) -> Any:
    """The result of an async handler; raises as `invoke` does."""
    try:
        result: Awaitable[Any] = flow.tool.handler.call(flow.supplies(None))
        return await result
    except Fault as fault:
        raise _declared(flow, fault) from None


def _declared(flow: Flow, fault: Fault) -> Exception:
    """`fault` if the caller may see it, else what hides it."""
    declaration = flow.tool.declaration
    known = (*declaration.faults, *([declaration.missing] if declaration.missing else []))
    if isinstance(fault, known) or type(fault).__module__ == Fault.__module__:
        return fault
    return Undeclared(f"the handler raised {type(fault).__name__} ({fault.code}), which its contract does not declare")
