"""How a message arrived: what the transport knows about it and a client cannot write into it."""

from __future__ import annotations

from dataclasses import dataclass

from starlette.types import Scope

from fourfold.model.call import Trace, Transport
from fourfold.model.caller import Caller
from fourfold.model.fault import Problem

__all__ = ["Arrival", "arrival_of"]

_SCOPE_KEY = "fourfold.arrival"


@dataclass(frozen=True, slots=True, kw_only=True)
class Arrival:
    """What travels beside a message, in the ASGI scope or in the stdio message's metadata.

    `problems` is what the strict reader found inside the arguments of a `tools/call`. `ambient` is the trace that the
    message came in, if the transport told one.
    """

    caller: Caller
    transport: Transport
    problems: tuple[Problem, ...] = ()
    ambient: Trace | None = None

    def on(self, scope: Scope) -> Scope:
        """A copy of an ASGI scope that carries this arrival."""
        return {**scope, _SCOPE_KEY: self}


def arrival_of(request: object) -> Arrival:
    """The arrival of the message whose handler got `request` as its SDK request object.

    Raises:
        LookupError: the message came around the gate, so nobody knows who sent it.
    """
    found = request if isinstance(request, Arrival) else getattr(request, "scope", {}).get(_SCOPE_KEY)
    if isinstance(found, Arrival):
        return found
    raise LookupError("a message arrived without passing the gate")
