"""How a call ended, for the loop that made it: a closed union, so that a match over it is exhaustive.

Every outcome has a `text` that may be given to the model as it is.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

from fourfold.model.contract import JsonObject
from fourfold.model.fault import FaultDetail

__all__ = ["Done", "Invalid", "Refused", "Rejected", "StopReason", "Stopped", "ToolOutcome", "Unknown"]

StopReason = Literal[
    "not_allowed",
    "not_listed",
    "not_locked",
    "changed",
    "listed_twice",
    "unreachable",
    "consent_missing",
    "consent_denied",
    "nobody_to_ask",
    "too_many_rounds",
]
"""Why the caller itself did not go on."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Done:
    """It worked.

    Attributes:
        structured: the result's `structuredContent`, if there is any.
        result: the whole result as it came, with content that is not text, and `_meta`.
        key: the idempotency key that was sent, if the tool takes one.
    """

    text: str
    structured: object
    result: JsonObject = field(repr=False)
    key: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Invalid:
    """The arguments were not accepted, and were not corrected, or not well enough. Nothing was done."""

    text: str
    fault: FaultDetail


@dataclass(frozen=True, slots=True, kw_only=True)
class Rejected:
    """The server said no, or not now. Report it; `fault.retry` says what would have to happen first."""

    text: str
    fault: FaultDetail


@dataclass(frozen=True, slots=True, kw_only=True)
class Refused:
    """The call was answered with a protocol error, or never taken.

    Attributes:
        code: that of JSON-RPC; 0 if there is none.
        detail: more about it, for logs and not for a model: it may name the server's address or command.
    """

    text: str
    code: int = 0
    detail: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Stopped:
    """The caller did not go on, because of its own rules or its user, before anything was done.

    `detail` is for logs and not for a model, as that of `Refused`.
    """

    text: str
    reason: StopReason
    detail: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Unknown:
    """It may have happened, or not. Somebody has to look; do not make the same call anew.

    Attributes:
        key: with it, and the same arguments, the call may be repeated later; `None` if the tool takes none.
        operation_id: what the server calls it, if it said so.
        detail: for logs and not for a model, as that of `Refused`.
    """

    text: str
    key: str | None = None
    operation_id: str | None = None
    detail: str = ""


ToolOutcome = Done | Invalid | Rejected | Refused | Stopped | Unknown
"""How a call may end."""
