"""What the stages that ask a person share: open what the round before sealed, match answers, or put the questions.

`requestState` carries the operation, which is the key of its claim: whoever redeems it claims it, so that one state
has one effect however often it is sent. Rounds before the last change nothing.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from fourfold.contracts.base import Form
from fourfold.contracts.check import CheckedInput
from fourfold.contracts.digest import INTENT_BYTES, question_digest, with_answers
from fourfold.contracts.forms import FormCheck
from fourfold.contracts.strict_json import pointer
from fourfold.errors import SealError
from fourfold.model.asking import QuestionMode, Received, Round
from fourfold.model.fault import FaultDetail, Problem
from fourfold.model.handle import Handle
from fourfold.model.outcome import Invalid, NeedsInput, Outcome, Question, Refused, Rejected
from fourfold.stages.flow import Flow, framework_fault, new_id
from fourfold.stages.replay import intent

__all__ = ["Answers", "Asked", "form_asked", "gather", "take_round", "typed_answers"]

Answers = dict[type[Form], Form]
"""Answers that passed their checks, by their form."""

LIFE_MS = 30 * 60_000
"""How long a person may take for one round."""

MAX_STATE_CHARS = 1_024
"""A longer state is stored, and what travels is a reference to it."""

_STORED = "fourfold/round"
"""Purpose of a stored state; a handler that asks for handles of this purpose would still lack the state's binding."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """A question, and the check of what comes back; a page has none, as opening it answers nothing.

    `out_of_band` is what to do instead where the client cannot ask it; without it, the client is told what it lacks.
    """

    question: Question
    form: FormCheck | None
    out_of_band: str = ""

    @property
    def digest(self) -> str:
        """What an answer has to have been given to."""
        return question_digest(self.question)

    def checked(self, flow: Flow) -> Form | tuple[Problem, ...] | None:
        """The answer, what is wrong with it, or `None` while there is none to this very question."""
        received = _given(flow).get(self.question.key)
        if received is None or self.form is None or received.question != self.digest:
            return None
        found = self.form.check.check(received.content)
        return found.request if isinstance(found, CheckedInput) else tuple(_in_response(self, each) for each in found)


def form_asked(form: FormCheck, message: str, *, out_of_band: str = "") -> Asked:
    """The question whether a person fills in `form`, or agrees if it has no fields."""
    question = Question(key=form.key, message=message, schema=form.schema)
    return Asked(question=question, form=form, out_of_band=out_of_band)


async def take_round(flow: Flow) -> None:
    """Open the state that the call brings, and take the answers to what it asked. Others are nobody's business.

    Raises:
        SealError: the state is forged, expired, or not for this caller, tool, contract and arguments.
    """
    if flow.call.state is None:
        return
    opened = await _opened(flow, flow.call.state)
    # Only what was asked in that round: a client that guesses the next question has not shown it to anybody.
    responses = {key: flow.call.responses[key] for key in opened.asked if key in flow.call.responses}
    accepted = {
        key: Received(opened.asked[key], response.content)
        for key, response in responses.items()
        if response.action == "accept"
    }
    declined = frozenset(key for key, response in responses.items() if response.action == "decline")
    cancelled = responses.keys() - accepted.keys() - declined
    flow.round = replace(opened, answers={**opened.answers, **accepted}, declined=declined, cancelled=cancelled)
    # An answer to the server's own question, the approval of a plan say, changes nothing about what the call does.
    if flow.tool.ask is not None and flow.fingerprint:
        contents = {key: dict(received.content) for key, received in flow.round.answers.items()}
        flow.fingerprint = with_answers(flow.fingerprint, {**contents, **dict.fromkeys(declined | cancelled)})


def _given(flow: Flow) -> Mapping[str, Received]:
    """What was accepted so far, in this round and in those before."""
    return {} if flow.round is None else flow.round.answers


def typed_answers(flow: Flow) -> Answers:
    """The answers so far to the tool's own forms. One that does not pass is none, until its question is put."""
    given = _given(flow)
    found = {form.form: form.check.check(given[form.key].content) for form in flow.tool.forms if form.key in given}
    return {form: each.request for form, each in found.items() if isinstance(each, CheckedInput)}


async def gather(flow: Flow, asked: tuple[Asked, ...]) -> Answers | Outcome:
    """The answers to every question in `asked`, or what the call is answered with because one is missing."""
    run_id = flow.draft.run_id
    if flow.round is not None and (flow.round.declined or flow.round.cancelled):
        return Rejected(fault=_declined(flow.round), run_id=run_id)
    answers: Answers = {}
    problems: list[Problem] = []
    pending: list[Asked] = []
    for each in asked:
        match each.checked(flow):
            case None:
                pending.append(each)
            case Form() as answer:
                answers[type(answer)] = answer
            case found:
                problems.extend(found)
    if problems:
        return Invalid(fault=_invalid(problems), run_id=run_id)
    return await _put(flow, asked, pending=pending) if pending else answers


async def _put(flow: Flow, asked: tuple[Asked, ...], *, pending: list[Asked]) -> Outcome:
    """Ask what is pending, or say why that cannot be done."""
    able = flow.call.capabilities
    unable = [each for each in pending if able is None or each.question.mode not in able]
    steps = [each.out_of_band for each in unable if each.out_of_band]
    if unable and (able is None or steps):
        return Rejected(fault=_out_of_band(steps), run_id=flow.draft.run_id)
    lacks: frozenset[QuestionMode] = frozenset(each.question.mode for each in unable)
    if lacks:
        return Refused(reason="missing_capability", run_id=flow.draft.run_id, lacks=lacks)
    # What is asked no more is forgotten, so that it cannot come back with another question.
    keys = {each.question.key for each in asked if each.form is not None}
    following = Round(
        operation_id=flow.operation_id(),
        asked={each.question.key: each.digest for each in pending},
        answers={key: received for key, received in _given(flow).items() if key in keys},
    )
    state = await _sealed(flow, following)
    return NeedsInput(questions=tuple(each.question for each in pending), state=state, run_id=flow.draft.run_id)


def _declined(told: Round) -> FaultDetail:
    """No answer came, and none is asked for again by itself. Only a no is told as one."""
    if told.declined:
        return framework_fault("input_declined")
    message = "A person closed the question without an answer"
    step = "Report it; make the call again only if the user wants to be asked again"
    return framework_fault("input_declined", message=message, next_step=step)


def _invalid(problems: list[Problem]) -> FaultDetail:
    message = "An answer does not match its form"
    step = "Ask the user again, and send what they answer with the same requestState"
    return framework_fault("invalid_arguments", message=message, next_step=step, problems=tuple(problems))


def _out_of_band(steps: list[str]) -> FaultDetail:
    message = "A person has to answer a question first, and this client cannot ask it"
    step = steps[0] if steps else "Ask the user to make this call with a client that speaks MCP 2026-07-28"
    return framework_fault("approval_required", message=message, next_step=step)


def _in_response(asked: Asked, problem: Problem) -> Problem:
    """`problem` at its place in the request, so that nobody looks for it in the arguments."""
    return replace(problem, pointer=pointer("inputResponses", asked.question.key) + problem.pointer)


def _binding(flow: Flow) -> tuple[str, ...]:
    """What a state is good for: this catalog, caller, tool and contract, these arguments (requirement B8)."""
    caller, contract = flow.call.caller, flow.tool.contract
    wanted = (flow.fingerprint or intent(flow))[:INTENT_BYTES].hex()
    framework = json.dumps([flow.checked.framework, flow.call.meta_key], sort_keys=True)
    catalog = flow.ports.catalog.name
    return (catalog, caller.tenant, caller.principal, contract.name, contract.wire_digest, wanted, framework)


async def _sealed(flow: Flow, following: Round) -> str:
    """The state of the next round, short enough to travel."""
    facts: dict[str, Any] = {
        "operation": following.operation_id,
        "asked": dict(following.asked),
        "answers": {key: [each.question, dict(each.content)] for key, each in following.answers.items()},
    }
    state = _seal(flow, facts)
    return state if len(state) <= MAX_STATE_CHARS else _seal(flow, {"stored": await _store(flow, state)})


def _seal(flow: Flow, facts: dict[str, Any]) -> str:
    payload = json.dumps(facts, separators=(",", ":")).encode()
    expires = flow.ports.clock.now_ms() + LIFE_MS
    return flow.ports.sealer.seal("request-state", payload, bind=_binding(flow), expires_ms=expires)


async def _store(flow: Flow, state: str) -> str:
    """Store a state, sealed as it is; its id. It is no effect of the call: nobody reads it, and it expires."""
    caller, now = flow.call.caller, flow.ports.clock.now_ms()
    handle = Handle(
        handle_id=new_id("round", flow.ports.clock),
        tenant=caller.tenant,
        principal=caller.principal,
        purpose=_STORED,
        resource=state,
        version="",
        created_ms=now,
        expires_ms=now + LIFE_MS,
    )
    await flow.ports.units.write(
        lambda transaction: flow.ports.handles.add(transaction.unit, handle),
        deadline=flow.deadline,
        tenant=flow.tenant,
    )
    return handle.handle_id


async def _opened(flow: Flow, state: str) -> Round:
    facts = _open(flow, state)
    if "stored" in facts:
        handle = await flow.ports.units.read(
            lambda unit: flow.ports.handles.find(unit, facts["stored"], tenant=flow.call.caller.tenant),
            deadline=flow.deadline,
            subject=flow.name_subject,
            tenant=flow.tenant,
        )
        if handle is None or handle.purpose != _STORED or handle.revoked_ms is not None:
            raise SealError
        facts = _open(flow, handle.resource)
    return Round(
        operation_id=facts["operation"],
        asked=facts["asked"],
        answers={key: Received(question, content) for key, (question, content) in facts["answers"].items()},
    )


def _open(flow: Flow, state: str) -> dict[str, Any]:
    ports = flow.ports
    return json.loads(ports.sealer.open("request-state", state, bind=_binding(flow), now_ms=ports.clock.now_ms()))
