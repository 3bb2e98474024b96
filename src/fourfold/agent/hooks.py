"""What a loop gives to a caller: who corrects arguments, who consents, who answers questions."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Literal

from fourfold.model.asking import InputResponse
from fourfold.model.contract import JsonObject
from fourfold.model.fault import FaultDetail
from fourfold.model.outcome import Question

__all__ = ["EFFECT_WORDS", "Answer", "Consent", "Correct", "Correction", "EffectWord", "Intent", "Pause"]

EffectWord = Literal["read", "preview", "observable_read", "create", "update", "destroy", "unknown"]
"""The six effects (model.effect), and `unknown`: nobody whom the loop trusts has said what the tool does."""

EFFECT_WORDS: tuple[EffectWord, ...] = (
    "read",
    "preview",
    "observable_read",
    "create",
    "update",
    "destroy",
    "unknown",
)
"""The mildest first."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Intent:
    """A call that is about to be made.

    Attributes:
        effect: what it does, as the lock or the rules say; the server's own hints are not asked.
        reach: `store` or `outside`, where the lock knows; otherwise empty.
        definition: the tool as the server lists it now.
    """

    tool: str
    effect: EffectWord
    reach: str
    arguments: JsonObject
    definition: JsonObject


@dataclass(frozen=True, slots=True, kw_only=True)
class Correction:
    """Arguments that were not accepted. `fault.problems` has the places, `text` is what a model would be shown."""

    tool: str
    arguments: JsonObject
    fault: FaultDetail
    text: str


Consent = Callable[[Intent], Awaitable[bool]]
"""Says whether a call may be made."""

Correct = Callable[[Correction], Awaitable[JsonObject | None]]
"""Gives the arguments as the model has corrected them; `None` if it has not."""

Answer = Callable[[Question], Awaitable[InputResponse]]
"""Puts a question to the person, never to the model, and gives what they said."""

Pause = Callable[[float], Awaitable[None]]
"""Waits so many seconds."""
