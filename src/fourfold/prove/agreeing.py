"""What a person says who agrees to everything: forms filled in as their schemas want it, every box ticked."""

from __future__ import annotations

import random
from collections.abc import Mapping

from fourfold.contracts.conform import misfits
from fourfold.model.asking import InputResponse
from fourfold.model.contract import JsonObject
from fourfold.model.listed import ToolAnswer
from fourfold.prove.check import NotTested
from fourfold.prove.generate import maker_for
from fourfold.prove.peer import as_object
from fourfold.prove.sample import Unmakeable

__all__ = ["agreement", "state_of"]


def state_of(answer: ToolAnswer) -> str:
    """The `requestState` of an answer that asks.

    Raises:
        NotTested: it has none, so that there is nothing to send back.
    """
    state = answer.result.get("requestState")
    if not isinstance(state, str):
        raise NotTested("the question came without a requestState", next_step="nothing; there is none to misuse")
    return state


def agreement(answer: ToolAnswer, *, dice: random.Random) -> Mapping[str, InputResponse]:
    """What is said to each question of an answer that asks.

    Raises:
        NotTested: something other than a person is asked, or a form cannot be filled in.
    """
    questions = as_object(answer.result.get("inputRequests")) or {}
    return {key: _said(as_object(question) or {}, dice) for key, question in questions.items()}


def _said(question: JsonObject, dice: random.Random) -> InputResponse:
    if question.get("method") != "elicitation/create":
        reason = f"it asks for {question.get('method')}, which is no question to a person"
        raise NotTested(reason, next_step="ask a person where one can be asked")
    schema = as_object((as_object(question.get("params")) or {}).get("requestedSchema"))
    return InputResponse(action="accept", content={} if schema is None else _filled(schema, dice))


def _filled(schema: JsonObject, dice: random.Random) -> JsonObject:
    try:
        filled = next(maker_for(schema, dice=dice, known=lambda _: ()).positives()).value
    except (Unmakeable, StopIteration):
        raise NotTested("its form cannot be filled in", next_step="ask with a form that has a schema") from None
    properties = as_object(schema.get("properties")) or {}
    boxes = {name: True for name, each in properties.items() if (as_object(each) or {}).get("type") == "boolean"}
    # No is an answer as well, and nothing would come of it.
    return filled if misfits({**filled, **boxes}, schema) else {**filled, **boxes}
