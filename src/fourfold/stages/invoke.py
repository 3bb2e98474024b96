"""Stage 10, invoke: the handler, its parameters filled by type, and what it may raise."""

from __future__ import annotations

from collections.abc import Awaitable

from fourfold.model.fault import Fault, StaleVersion, UpstreamRejected, UpstreamUnavailable, WrongState
from fourfold.ports.units import Unit
from fourfold.stages.flow import Flow, Undeclared

__all__ = ["invoke", "invoke_async"]

_NO_ERRORS = (StopIteration, SystemExit)
"""What means something else to whoever waits for a handler: the end of a loop, the end of the process."""


def invoke(flow: Flow, unit: Unit | None) -> object:
    """The result of a plain handler.

    Raises:
        Fault: one that the contract declares, or one of the framework's own.
        Undeclared: a fault that it does not declare, or what is no error at all.
    """
    try:
        return flow.tool.handler.call(flow.supplies(unit))
    except Fault as fault:
        _refuse_undeclared(flow, fault)
        raise
    except _NO_ERRORS as escaped:
        raise Undeclared(f"the handler let {type(escaped).__name__} out") from escaped


async def invoke_async(flow: Flow) -> object:
    """The result of an async handler; raises as `invoke` does."""
    try:
        result: Awaitable[object] = flow.tool.handler.call(flow.supplies(None))
        return await result
    except Fault as fault:
        _refuse_undeclared(flow, fault)
        raise
    except _NO_ERRORS as escaped:
        raise Undeclared(f"the handler let {type(escaped).__name__} out") from escaped


def _refuse_undeclared(flow: Flow, fault: Fault) -> None:
    """Hide a fault that the caller cannot know: of no declared class, or of a subclass with a code of its own."""
    declaration = flow.tool.declaration
    known = (*declaration.faults, *([declaration.missing] if declaration.missing else []), *_OF_THE_FRAMEWORK)
    if not any(isinstance(fault, kind) and fault.code == kind.code for kind in known):
        raise Undeclared(f"the handler raised {type(fault).__name__}, which its contract does not declare") from fault


_OF_THE_FRAMEWORK = (StaleVersion, UpstreamRejected, UpstreamUnavailable, WrongState)
"""What any handler may raise undeclared."""
