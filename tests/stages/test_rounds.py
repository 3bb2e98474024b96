"""The asking machinery by itself: a question that the server makes, for a tool that asks nothing."""

from __future__ import annotations

from dataclasses import replace

import pytest

from fourfold.asking import Form
from fourfold.contracts.forms import FormCheck
from fourfold.model.asking import InputResponse
from fourfold.model.call import Call
from fourfold.model.outcome import Outcome
from fourfold.stages.admit import admit
from fourfold.stages.authorize import authorize
from fourfold.stages.claim import claim
from fourfold.stages.consent import consent
from fourfold.stages.flow import Flow, Proceed
from fourfold.stages.pipeline import pipeline
from fourfold.stages.replay import replay
from fourfold.stages.rounds import form_asked, gather
from fourfold.stages.run import run
from fourfold.stages.service import Service
from fourfold.stages.validate_input import validate_input
from fourfold.testing import Answer, caller
from tests.stages.desk import ACCOUNT, desk
from tests.stages.serving import Served, serving

pytestmark = pytest.mark.anyio

NOTE = {"account_id": ACCOUNT, "text": "call back"}


class Agreement(Form):
    """A yes."""


AGREEMENT = FormCheck.of(Agreement)


async def agree(flow: Flow, proceed: Proceed) -> Outcome:
    """Go on once a person agreed to what the server says that will happen."""
    answers = await gather(flow, (form_asked(AGREEMENT, "A note will be added.", out_of_band="Ask the clerk"),))
    return await proceed(flow) if isinstance(answers, dict) else answers


def agreeing(served: Served) -> Served:
    """The same service, with a stage that asks for an agreement to everything."""
    stages = (run, admit, validate_input, authorize, replay, consent, agree, claim)
    return Served(Service(served.service.ports, pipeline(stages)))


async def test_a_question_of_the_server_is_asked_and_answered_like_any_other() -> None:
    """B8, C7: the state of a tool that asks nothing is opened, because it was handed out."""
    async with serving(desk()) as served:
        shop = agreeing(served)
        asked = await shop.call("note_add", NOTE)
        done = await shop.call("note_add", NOTE, state=asked.state, answers={"agreement": {}})
        again = await shop.call("note_add", NOTE, state=asked.state, answers={"agreement": {}})
        counted = await served.call("note_count")
    (question,) = asked.questions
    assert (question.key, question.message) == ("agreement", "A note will be added.")
    assert question.schema == {"type": "object", "properties": {}}
    assert (done.ok, again.replayed, counted.structured["text"]) == (True, True, "1")


async def test_a_no_to_the_server_is_a_no() -> None:
    """B8, C7: and nothing is added."""
    async with serving(desk()) as served:
        asked = await agreeing(served).call("note_add", NOTE)
        call = Call(tool="note_add", arguments=NOTE, caller=caller(), state=asked.state)
        call = replace(call, responses={"agreement": InputResponse(action="decline")})
        declined = Answer(await agreeing(served).service.call(call))
        counted = await served.call("note_count")
    assert (declined.code, counted.structured["text"]) == ("input_declined", "0")


async def test_a_client_that_cannot_be_asked_is_told_the_other_way() -> None:
    """B8, B9, C7: approval_required, with where."""
    async with serving(desk()) as served:
        call = Call(tool="note_add", arguments=NOTE, caller=caller(), capabilities=frozenset())
        answer = Answer(await agreeing(served).service.call(call))
    assert answer.fault is not None
    assert (answer.code, answer.fault.next_step) == ("approval_required", "Ask the clerk")
