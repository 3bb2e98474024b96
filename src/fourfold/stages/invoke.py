"""Stage 13, invoke: the handler, its parameters filled by type, and what it may raise."""

from __future__ import annotations

from collections.abc import Awaitable

from fourfold.catalog.provide import Binding
from fourfold.model.fault import Fault, HandleInvalid, StaleVersion, UpstreamRejected, UpstreamUnavailable, WrongState
from fourfold.model.sandbox import QueryRefused, QueryTooCostly
from fourfold.ports.units import Unit
from fourfold.stages.flow import Flow, Undeclared

__all__ = ["ask", "invoke", "invoke_async", "reserve"]

_NO_ERRORS = (StopIteration, SystemExit)
"""What means something else to whoever waits for a handler: the end of a loop, the end of the process."""


def invoke(flow: Flow, unit: Unit | None) -> object:
    """The result of a plain handler.

    Raises:
        Fault: one that the contract declares, or one of the framework's own.
        Undeclared: a fault that it does not declare, or what is no error at all.
    """
    return _called(flow, flow.tool.handler, unit, name="the handler")


def ask(flow: Flow, unit: Unit) -> object:
    """What `ask=` of the tool returns, `None` where it has none; raises as `invoke` does."""
    return None if flow.tool.ask is None else _called(flow, flow.tool.ask, unit, name="ask=")


def reserve(flow: Flow, unit: Unit) -> None:
    """Set aside what the effect will use up, where the tool has `reserve=`; raises as `invoke` does."""
    if flow.tool.reserve is not None:
        _called(flow, flow.tool.reserve, unit, name="reserve=")


def _called(flow: Flow, function: Binding, unit: Unit | None, *, name: str) -> object:
    try:
        return function.call(flow.supplies(unit))
    except Fault as fault:
        _refuse_undeclared(flow, fault, name=name)
        raise
    except _NO_ERRORS as escaped:
        raise Undeclared(f"{name} let {type(escaped).__name__} out") from escaped


async def invoke_async(flow: Flow) -> object:
    """The result of an async handler; raises as `invoke` does."""
    try:
        result: Awaitable[object] = flow.tool.handler.call(flow.supplies(None))
        return await result
    except Fault as fault:
        _refuse_undeclared(flow, fault, name="the handler")
        raise
    except _NO_ERRORS as escaped:
        raise Undeclared(f"the handler let {type(escaped).__name__} out") from escaped


def _refuse_undeclared(flow: Flow, fault: Fault, *, name: str) -> None:
    """Hide a fault that the caller cannot know: of no declared class, or of a subclass with a code of its own."""
    declaration = flow.tool.declaration
    known = (*declaration.faults, *([declaration.missing] if declaration.missing else []), *_OF_THE_FRAMEWORK)
    if not any(isinstance(fault, kind) and fault.code == kind.code for kind in known):
        raise Undeclared(f"{name} raised {type(fault).__name__}, which its contract does not declare") from fault


_OF_THE_FRAMEWORK = (
    HandleInvalid,
    QueryRefused,
    QueryTooCostly,
    StaleVersion,
    UpstreamRejected,
    UpstreamUnavailable,
    WrongState,
)
"""What any handler may raise undeclared."""
