"""What a person at the client said, and what one round of a call remembers of it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from fourfold.model.contract import JsonObject

__all__ = ["InputResponse", "QuestionMode", "Received", "Round"]

QuestionMode = Literal["form", "url"]
"""How a client can be asked: it shows a form, or it lets the person open a page."""


@dataclass(frozen=True, slots=True, kw_only=True)
class InputResponse:
    """What came back for one question (2026-07-28, "Elicitation").

    `cancel` is a person who looked away without a decision. `content` is there for an accepted form.
    """

    action: Literal["accept", "decline", "cancel"]
    content: JsonObject = field(default_factory=dict[str, object])


@dataclass(frozen=True, slots=True)
class Received:
    """An answer as it was sent, and the digest of the question as it was put when the person saw it."""

    question: str
    content: JsonObject


@dataclass(frozen=True, slots=True, kw_only=True)
class Round:
    """One round of a call that asks.

    Attributes:
        operation_id: the operation that all rounds of the call are, and so what its claim is found by.
        asked: the digest of each question that was put last, by its key.
        answers: what was accepted so far, by the key of its question.
        declined: keys of what a person declined in this round.
        cancelled: keys of what a person closed in this round without a decision.
    """

    operation_id: str
    asked: Mapping[str, str] = field(default_factory=dict[str, str])
    answers: Mapping[str, Received] = field(default_factory=dict[str, Received])
    declined: frozenset[str] = frozenset()
    cancelled: frozenset[str] = frozenset()

    @property
    def key(self) -> str:
        """The idempotency key of a call that brings none: to redeem its state is to claim it."""
        return f"round:{self.operation_id}"
