"""Telemetry: what the edge, the stages and the stores tell about their work, for whoever sends it on.

Nothing of what a caller sent or was sent is among it, nor who the caller is: versions, decisions, counts and times.
Where nobody listens there is no `Telemetry` at all, and nothing is made for it.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, Protocol

from fourfold.model.call import Trace, Transport
from fourfold.model.conventions import OTHER

__all__ = ["CANCELLED", "EndedCall", "EndedRequest", "StoreWork", "Telemetry", "Waiting"]

CANCELLED = "cancelled"
"""How a request ended whose client went away."""

StoreWork = Literal["read", "write", "commit"]
"""A `read` and a `write` last until their answer, with all waiting; a `commit` is the database's alone."""


@dataclass(frozen=True, slots=True, kw_only=True)
class EndedRequest:
    """One request of the protocol, as the edge saw it.

    Attributes:
        tool: the tool that was called, `OTHER` if this caller has none of that name; "" for other methods.
        error: `tool_error`, `CANCELLED`, or the JSON-RPC code of a protocol error; "" for a success.
        linked: where it was sent from, if the request itself names another parent.
    """

    method: str
    tool: str
    revision: str
    transport: Transport
    error: str
    seconds: float
    linked: Trace | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class EndedCall:
    """One call, as the stages saw it. Empty fields say that there is none.

    Attributes:
        decision: what the policy said last.
        repeat: what came of a call that repeats an operation.
        served: whether it came over a transport, and not from Python.
    """

    run_id: str
    outcome: str
    tool: str = OTHER
    contract_version: str = ""
    code: str = ""
    decision: str = ""
    repeat: str = ""
    operation_id: str = ""
    replayed: bool = False
    served: bool = True


@dataclass(frozen=True, slots=True, kw_only=True)
class Waiting:
    """What waits for a person in the whole store."""

    unknown_claims: int
    approvals: int


class Telemetry(Protocol):
    """Takes what is told. Never raises, and never waits for whoever it is sent to. Safe from any thread."""

    def request_ended(self, request: EndedRequest) -> None:
        """Told in the context of the request's span, before it ends."""
        ...

    def call_ended(self, call: EndedCall) -> None:
        """Told once for each call, in the context of the request's span if it was served."""
        ...

    def store_worked(self, work: StoreWork, *, seconds: float, error: str = "") -> None:
        """Told of each piece of work of a store, with the class of its error if it failed."""
        ...

    def waits(self, waiting: Waiting) -> None:
        """Told from time to time; it stands until it is told again."""
        ...
