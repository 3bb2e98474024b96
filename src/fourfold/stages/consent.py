"""Stage 8, consent: asks the person at the client what the tool's `ask=` wants to know, before anything is claimed.

`ask=` is called in each round, on the store as it is then. An answer counts for the question that the person saw: if
`ask=` words it differently now, because a price or a stock has changed, the person is asked again.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import cast

from fourfold.contracts.base import Form
from fourfold.contracts.forms import Ask, Visit
from fourfold.errors import SealError
from fourfold.model.fault import Fault
from fourfold.model.outcome import Outcome, Question, Refused, Rejected
from fourfold.ports.units import Unit
from fourfold.stages.agreement import agreement_asked, declined, deny
from fourfold.stages.flow import Flow, Proceed, Undeclared
from fourfold.stages.invoke import ask
from fourfold.stages.preconditions import Answered, preconditions
from fourfold.stages.replay import find_claim
from fourfold.stages.rounds import Answers, Asked, form_asked, gather, take_round, typed_answers
from fourfold.stages.taking import not_done

__all__ = ["consent"]


async def consent(flow: Flow, proceed: Proceed) -> Outcome:
    """Go on once everything is answered that has to be; a state that isn't this call's is refused for every tool."""
    agreement = agreement_asked(flow)
    if flow.tool.ask is None and flow.call.state is None and not agreement:
        return await proceed(flow)
    try:
        await take_round(flow)
    except SealError:
        return Refused(reason="invalid_request_state", run_id=flow.draft.run_id)
    if flow.plan is not None and declined(flow):
        return await deny(flow, flow.plan)
    if flow.tool.ask is None and not agreement:
        return await proceed(flow)
    try:
        asked = await flow.ports.units.read(
            partial(_asked_or_claimed, flow),
            deadline=flow.deadline,
            subject=flow.name_subject,
            tenant=flow.tenant,
        )
    except Fault as fault:
        return Rejected(fault=fault.detail(), run_id=flow.draft.run_id)
    except Answered as answered:
        return not_done(flow, answered)
    if asked is None:
        return await proceed(flow)
    answers = await gather(flow, (*asked, *agreement))
    if not isinstance(answers, dict):
        return answers
    flow.answers = answers
    return await proceed(flow)


def _asked_or_claimed(flow: Flow, unit: Unit) -> tuple[Asked, ...] | None:
    """What has to be answered; `None` where the operation was claimed before, and its claim is the answer.

    The object is looked for first: what is asked about one that is absent or denied would tell that it is there.
    """
    # First of all: the effect has changed the store, so that ask= would ask something else, or nothing, by now.
    if flow.tool.contract.effect.writes and find_claim(flow, unit) is not None:
        return None
    preconditions(flow, unit)
    if flow.tool.ask is None:
        return ()
    flow.answers = typed_answers(flow)
    while True:
        asked = _wanted(flow, ask(flow, unit))
        standing = _standing(flow, asked)
        if len(standing) == len(flow.answers):
            return asked
        # An answer that is asked for no more, or in other words, must not have led to another question.
        flow.answers = standing


def _standing(flow: Flow, asked: tuple[Asked, ...]) -> Answers:
    """The answers that `ask=` was called with, as far as they are answers to what it asks."""
    found = [each.checked(flow) for each in asked]
    return {type(answer): answer for answer in found if isinstance(answer, Form) and type(answer) in flow.answers}


def _wanted(flow: Flow, returned: object) -> tuple[Asked, ...]:
    """What `ask=` returned, as questions with different keys.

    Raises:
        Undeclared: it is something else, or a form that no function of the tool takes.
    """
    if returned is None:
        return ()
    items = cast("Sequence[object]", returned) if isinstance(returned, list | tuple) else (returned,)
    asked = tuple(_question(flow, item, number) for number, item in enumerate(items, start=1))
    keys = [each.question.key for each in asked]
    if len(set(keys)) < len(keys):
        raise Undeclared("ask= returned the same question twice")
    return asked


def _question(flow: Flow, item: object, number: int) -> Asked:
    if isinstance(item, Visit):
        question = Question(key=f"visit_{number}", message=item.message, url=item.url)
        return Asked(question=question, form=None, out_of_band=item.out_of_band)
    if not isinstance(item, Ask):
        raise Undeclared(f"ask= returned {type(item).__name__}; return Ask, Visit, a list of them, or None")
    wanted = cast("Ask[Form]", item)
    for form in flow.tool.forms:
        if form.form is wanted.form:
            return form_asked(form, wanted.message, out_of_band=wanted.out_of_band)
    raise Undeclared(f"ask= asked {wanted.form.__name__}, which neither the handler nor ask= takes")
