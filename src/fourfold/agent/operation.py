"""One operation: a call with its repeats, its correction and its rounds, until it has ended.

What makes it safe is one question, asked after each answer: is it certain what has happened? As long as an earlier
request of a write had no answer, only a success, a replay or a fault of the domain makes it so.
"""

from __future__ import annotations

import json
from dataclasses import dataclass, replace

from fourfold.agent.hooks import Answer, Correct, Correction, Intent, Pause
from fourfold.agent.listing import KEY_ARGUMENT
from fourfold.agent.outcome import Done, Invalid, Refused, Rejected, Stopped, StopReason, ToolOutcome, Unknown
from fourfold.agent.patience import Patience
from fourfold.agent.reading import fault_of, is_conclusive, questions_of, state_of, text_of
from fourfold.agent.rules import FREE, Rules
from fourfold.agent.stops import stopped
from fourfold.errors import NoAnswer, TargetError
from fourfold.model.fault import FaultDetail, Retry
from fourfold.model.listed import ToolAnswer
from fourfold.ports.target import Answering, Target
from fourfold.review.answers import asks, structured

__all__ = ["Operation"]

_PAUSE_MS = 1_000
"""Before a repeat where the server does not say how long; doubled each time."""

_INTERNAL_ERROR = -32603
"""The server failed in the middle of something (JSON-RPC 2.0, section 5.1)."""

_NOT_TAKEN = "refused: The server did not take the call, so nothing was done. Report it to the user."
_NO_ANSWER = "no_answer: The server did not answer. Nothing was changed; report it to the user."
_NOBODY_KNOWS = (
    "outcome_unknown: There was no answer that tells. It may have happened or not. "
    "Do not make it anew; read the resource, or ask the user to check."
)
"""What a model is told where the server's own words are missing or about something else."""


@dataclass(slots=True, kw_only=True)
class Operation:
    """The state of one operation.

    Attributes:
        intent: what is being done; its arguments change when the model has corrected them.
        known_again: whether the server recognises a repeat of it.
        key: sent with every request of it, if the tool takes one.
        answering: what is sent beside the arguments; `None` where nobody can be asked.
        in_doubt: whether an earlier request may have had its effect, unheard.
    """

    session: Target
    rules: Rules
    intent: Intent
    known_again: bool
    key: str | None
    correct: Correct | None
    answer: Answer | None
    patience: Patience
    pause: Pause
    answering: Answering | None = None
    repeats: int = 0
    waited_s: float = 0.0
    rounds: int = 0
    corrected: bool = False
    in_doubt: bool = False

    async def run(self) -> ToolOutcome:
        """Go on until it has ended."""
        outcome: ToolOutcome | None = await self._begin()
        while outcome is None:
            outcome = await self._request()
        return outcome

    async def _begin(self) -> Stopped | None:
        """Ask for consent to the call with these arguments. What was answered about others does not count."""
        self.answering = None if self.answer is None else Answering()
        consent = self.rules.consent.get(self.intent.effect)
        if consent is None:
            return None if self.intent.effect in FREE else stopped("consent_missing")
        return None if await consent(self.intent) else stopped("consent_denied")

    async def _request(self) -> ToolOutcome | None:
        """Send it once. `None` means that it goes on."""
        arguments = {**self.intent.arguments, **({KEY_ARGUMENT: self.key} if self.key else {})}
        try:
            answer = await self.session.raw_call(self.intent.tool, arguments, answering=self.answering)
        except NoAnswer as error:
            return await self._after_silence(error)
        except TargetError as error:
            # That this request was never taken says nothing about one before it.
            return self._unknown(str(error)) if self.in_doubt else Refused(text=_NOT_TAKEN, detail=str(error))
        if answer.refusal:
            return self._refused(answer)
        if asks(answer):
            return await self._next_round(answer)
        fault = fault_of(answer)
        if fault is None:
            return Done(text=text_of(answer), structured=structured(answer), result=answer.result, key=self.key)
        return await self._after_fault(fault, certain=is_conclusive(answer))

    async def _after_silence(self, error: NoAnswer) -> ToolOutcome | None:
        # A read that was not heard has left nothing to be in doubt about.
        self.in_doubt = self.intent.effect not in FREE
        if self._repeatable and await self._waited(None):
            return None
        return self._unknown(str(error))

    def _refused(self, answer: ToolAnswer) -> ToolOutcome:
        # Any other code stands for a request that was turned away before it was acted on.
        failed = answer.refusal_code == _INTERNAL_ERROR and self.intent.effect not in FREE
        if self.in_doubt or failed:
            return self._unknown(answer.refusal)
        return Refused(text=answer.refusal, code=answer.refusal_code)

    async def _next_round(self, answer: ToolAnswer) -> ToolOutcome | None:
        """Let the person answer what is asked. A state without questions means: later."""
        questions, self.rounds = questions_of(answer), self.rounds + 1
        if self.answer is None or questions is None:
            return self._stopped("nobody_to_ask")
        if self.rounds > self.patience.rounds or not (questions or await self._waited(None)):
            return self._stopped("too_many_rounds")
        responses = {question.key: await self.answer(question) for question in questions}
        self.answering = Answering(state=state_of(answer), responses=responses)
        return None

    async def _after_fault(self, fault: FaultDetail, *, certain: bool) -> ToolOutcome | None:
        match fault.retry:
            case Retry.AFTER_FIX if not self.in_doubt and await self._fixed(fault):
                return await self._begin()
            case Retry.AFTER if await self._waited(fault.retry_after_ms):
                return None
            case Retry.SAME_KEY if self._repeatable and await self._waited(fault.retry_after_ms):
                return None
            case _:
                return self._ended(fault, certain=certain)

    def _ended(self, fault: FaultDetail, *, certain: bool) -> ToolOutcome:
        if fault.code == "outcome_unknown":
            return Unknown(text=fault.message, key=self.key, operation_id=fault.operation_id)
        if self.in_doubt and not certain:
            return self._unknown(fault.message, operation_id=fault.operation_id)
        ending = Invalid if fault.retry is Retry.AFTER_FIX else Rejected
        return ending(text=fault.message, fault=fault)

    async def _fixed(self, fault: FaultDetail) -> bool:
        """Whether the model has changed its arguments, which it is asked to once."""
        if self.corrected or self.correct is None:
            return False
        self.corrected = True
        before = self.intent.arguments
        given = await self.correct(Correction(tool=self.intent.tool, arguments=before, fault=fault, text=fault.message))
        if given is None:
            return False
        after = {name: value for name, value in given.items() if name != KEY_ARGUMENT or self.key is None}
        self.intent = replace(self.intent, arguments=after)
        # The same arguments would be refused the same way. As JSON, because 1 and true are equal in Python.
        return json.dumps(after, sort_keys=True) != json.dumps(before, sort_keys=True)

    async def _waited(self, milliseconds: int | None) -> bool:
        """Whether there was patience left for a repeat; then the wait is over."""
        seconds = (milliseconds if milliseconds is not None else _PAUSE_MS << self.repeats) / 1_000
        if self.repeats >= self.patience.repeats or self.waited_s + seconds > self.patience.wait_s:
            return False
        self.repeats += 1
        self.waited_s += seconds
        await self.pause(seconds)
        return True

    @property
    def _repeatable(self) -> bool:
        """Whether a second request is the same operation to the server, or does nothing anyway."""
        return self.intent.effect in FREE or self.known_again

    def _stopped(self, reason: StopReason) -> ToolOutcome:
        stop = stopped(reason)
        return self._unknown(stop.text) if self.in_doubt else stop

    def _unknown(self, detail: str, *, operation_id: str | None = None) -> Unknown:
        text = _NO_ANSWER if self.intent.effect in FREE else _NOBODY_KNOWS
        return Unknown(text=text, key=self.key, operation_id=operation_id, detail=detail)
