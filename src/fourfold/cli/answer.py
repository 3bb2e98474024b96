"""`Answer`: how one call ended, the same whether it was made in process or over the wire."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, cast

from fourfold.errors import TargetError
from fourfold.model.call import Call
from fourfold.model.outcome import Outcome, Refused

if TYPE_CHECKING:
    from fourfold.edge.target import TargetAnswer

__all__ = ["Answer", "from_outcome", "from_target"]

_FAULT_FIELDS = (
    "code",
    "retry",
    "next_step",
    "retry_after_ms",
    "problems",
    "operation_id",
    "reference",
    "current_version",
)
"""The fields of `_meta["fourfold/fault"]`, as docs/schemas/fault.json has them."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """What is printed: the text, the structured result, and what a program reads of a fault.

    `replayed` says that nothing ran: it is the outcome of an earlier call with the same key.
    """

    text: str
    structured: object
    fault: Mapping[str, object] | None
    is_error: bool
    replayed: bool


def from_target(answer: TargetAnswer) -> Answer:
    """The answer of a live server. The fault has the fields that are known here, if the server sends any."""
    fault: object = answer.meta.get("fourfold/fault")
    known = cast("dict[str, object]", fault) if isinstance(fault, dict) else None
    return Answer(
        text=_without_mirror(answer.text, answer.structured),
        structured=answer.structured,
        fault=known and {name: known[name] for name in _FAULT_FIELDS if name in known},
        is_error=answer.is_error,
        replayed=answer.meta.get("fourfold/replayed") is True,
    )


def from_outcome(outcome: Outcome, call: Call) -> Answer:
    """The answer of a call in process: what a client would have got.

    Raises:
        TargetError: the call was refused; over the wire that is a protocol error.
    """
    from fourfold.edge.target import wire_answer

    if isinstance(outcome, Refused):
        raise TargetError(_refusal(outcome, call))
    return from_target(wire_answer(outcome))


def _without_mirror(text: str, structured: object) -> str:
    """`text` without its last line, where that is the structured result once more."""
    # Servers repeat the result as text for clients that read nothing else; a person has it in front of them already.
    before, _, last = text.rpartition("\n")
    try:
        mirrored = structured is not None and json.loads(last) == structured
    except ValueError:
        return text
    return before if mirrored else text


def _refusal(refused: Refused, call: Call) -> str:
    name = call.caller.name or call.caller.principal
    if refused.reason == "missing_scope":
        missing = ", ".join(sorted(refused.needs - call.caller.scopes))
        return f"{name} lacks {missing}: add it to the scopes of that [[caller]], or choose another with --caller"
    return f"{name} has no tool {call.tool!r}; check the name, and with fourfold tools which scopes it needs"
