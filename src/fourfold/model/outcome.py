"""`Outcome`: the closed union of how a call can end. Every match over it is exhaustive."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

from fourfold.model.asking import QuestionMode
from fourfold.model.contract import JsonObject
from fourfold.model.fault import FaultDetail

__all__ = [
    "Denied",
    "Done",
    "Failed",
    "Invalid",
    "NeedsInput",
    "Outcome",
    "Question",
    "Refused",
    "Rejected",
    "Unknown",
    "kind_of",
]


@dataclass(frozen=True, slots=True, kw_only=True)
class Done:
    """The tool ran and its result conforms to the output contract.

    Attributes:
        structured: the result as compact UTF-8 JSON, an object; computed once, sent and stored as it is.
        text: one short line for clients that read only text.
        run_id: the run that produced it; the original one when `replayed`.
        replayed: whether a settled claim was answered and nothing ran.
        operation_id: the operation of a write.
        twin_of: the operation that had the same arguments under another key, inside the window.
    """

    structured: bytes
    text: str
    run_id: str
    operation_id: str | None = None
    replayed: bool = False
    twin_of: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Invalid:
    """The arguments break the schema: correct them and retry once. Nothing ran."""

    fault: FaultDetail
    run_id: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Rejected:
    """A domain fault, or a limit, or a framework rule such as `idempotency_conflict`."""

    fault: FaultDetail
    run_id: str
    replayed: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Denied:
    """Policy said no. With an object involved the fault is the contract's `missing`, byte for byte."""

    fault: FaultDetail
    run_id: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Refused:
    """A protocol error: the request names no tool that this caller has, or cannot be served at all.

    `needs` are scopes that the caller lacks, `lacks` is how its client would have to be asked and cannot be.
    """

    reason: Literal["unknown_tool", "missing_scope", "missing_capability", "invalid_request_state"]
    run_id: str
    needs: frozenset[str] = field(default_factory=frozenset[str])
    lacks: frozenset[QuestionMode] = field(default_factory=frozenset[QuestionMode])


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    """One question to the person at the client (2026-07-28, "Elicitation"): a form, or a page at `url` to open."""

    key: str
    message: str
    schema: JsonObject = field(default_factory=dict[str, object])
    url: str = ""

    @property
    def mode(self) -> QuestionMode:
        """What a client has to be able to do."""
        return "url" if self.url else "form"


@dataclass(frozen=True, slots=True, kw_only=True)
class NeedsInput:
    """The call goes on when a person has answered `questions`; `state` is sealed and opaque."""

    questions: tuple[Question, ...]
    state: str
    run_id: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Failed:
    """Something of ours went wrong and nothing was saved; `fault.reference` finds the text in the run."""

    fault: FaultDetail
    run_id: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Unknown:
    """A write may or may not have happened; never repeated blindly."""

    fault: FaultDetail
    run_id: str


Outcome = Done | Invalid | Rejected | Denied | Refused | NeedsInput | Failed | Unknown
"""How a call ended."""


def kind_of(outcome: Outcome) -> str:
    """The word that runs are stored and counted under: `done`, `invalid`, `rejected` and so on."""
    return _KINDS[type(outcome)]


_KINDS: dict[type, str] = {
    Done: "done",
    Invalid: "invalid",
    Rejected: "rejected",
    Denied: "denied",
    Refused: "refused",
    NeedsInput: "needs_input",
    Failed: "failed",
    Unknown: "unknown",
}
