"""The agreement of the person at the caller: asked at the client, stored with the effect, and never the model's."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, Literal

import pytest

from fourfold.model.asking import InputResponse
from fourfold.model.call import Call
from fourfold.model.outcome import NeedsInput
from fourfold.testing import Answer, caller
from tests.stages.serving import Served, serving
from tests.stages.vault import vault

pytestmark = pytest.mark.anyio

DOC: dict[str, Any] = {"document_id": "doc-1", "expected_version": "1"}
YES: dict[str, Any] = {"agreement": {}}
CLERK = caller(scopes=["documents:delete"])


async def planned(served: Served) -> dict[str, Any]:
    """What executes a fresh plan."""
    plan = (await served.call("document_plan_delete", DOC, by=CLERK)).structured
    return {"plan_id": plan["plan_id"], "digest": plan["digest"]}


async def execute(served: Served, plan: dict[str, Any], **more: Any) -> Answer:
    """Execute a plan."""
    return await served.call("document_execute_delete", plan, by=CLERK, **more)


async def is_there(served: Served) -> bool:
    """Whether the document is."""
    return (await served.call("document_get", {"document_id": "doc-1"})).ok


async def test_the_person_is_shown_what_the_server_found_out_and_agrees() -> None:
    """C7, B6: the question is the impact, word for word; the yes is stored with who said it where."""
    async with serving(vault(approval="caller")) as served:
        plan = await planned(served)
        asked = await execute(served, plan)
        done = await execute(served, plan, state=asked.state, answers=YES)
        ports = served.service.ports
        (said,) = await ports.units.read(
            lambda unit: ports.plans.decisions(unit, plan["plan_id"]), deadline=1e18, subject=lambda _: None
        )

        assert isinstance(asked.outcome, NeedsInput)
        (question,) = asked.outcome.questions
        assert question.message == "Deletes doc-1 with 3 copies. Reason: not said."
        assert (done.ok, await is_there(served)) == (True, False)
        assert (said.verdict, said.approver, said.channel, said.digest) == (
            "approved",
            "tester",
            "elicitation",
            plan["digest"],
        )


async def test_a_lost_answer_is_replayed_with_or_without_the_state() -> None:
    """C7, D1: the plan is the key, however it is asked for."""
    async with serving(vault(approval="caller")) as served:
        plan = await planned(served)
        state = (await execute(served, plan)).state
        first = await execute(served, plan, state=state, answers=YES)
        again, bare = await execute(served, plan, state=state, answers=YES), await execute(served, plan)

        assert [answer.replayed for answer in (first, again, bare)] == [False, True, True]
        assert {answer.operation_id for answer in (first, again, bare)} == {first.operation_id}


async def test_a_no_is_final() -> None:
    """C7: neither a second question nor a second person turns it into a yes."""
    async with serving(vault(approval="caller")) as served:
        plan = await planned(served)
        state = (await execute(served, plan)).state
        refused = await said(served, plan, state=state, action="decline")
        later = await execute(served, plan, state=state, answers=YES)

        assert [answer.code for answer in (refused, later)] == ["approval_denied"] * 2
        assert await is_there(served)


async def said(served: Served, plan: dict[str, Any], *, state: str, action: Literal["decline", "cancel"]) -> Answer:
    """Execute the plan with what the person did instead of agreeing."""
    call = Call(
        tool="document_execute_delete",
        arguments=plan,
        caller=CLERK,
        state=state,
        responses={"agreement": InputResponse(action=action)},
    )
    return Answer(await served.service.call(call))


async def plan_state(served: Served, plan_id: str) -> str:
    """What became of the plan."""
    ports = served.service.ports
    found = await ports.units.read(lambda unit: ports.plans.find(unit, plan_id), deadline=1e18, subject=lambda _: None)
    assert found is not None
    return found.state


async def test_a_form_that_is_closed_decides_nothing() -> None:
    """C7, B8: the call ends, the plan stands, and a later call asks again and gets a yes."""
    async with serving(vault(approval="caller")) as served:
        plan = await planned(served)
        closed = await said(served, plan, state=(await execute(served, plan)).state, action="cancel")
        between = (await plan_state(served, plan["plan_id"]), await is_there(served))
        asked = await execute(served, plan)
        done = await execute(served, plan, state=asked.state, answers=YES)

        assert (closed.kind, closed.code, between) == ("rejected", "input_declined", ("open", True))
        assert closed.fault is not None
        assert closed.fault.text == (
            "input_declined: A person closed the question without an answer. "
            "Report it; make the call again only if the user wants to be asked again."
        )
        assert (asked.kind, done.ok, await is_there(served)) == ("needs_input", True, False)


async def test_a_form_that_is_closed_may_still_be_denied() -> None:
    """C7: a no after it is as final as any; so is one before it."""
    async with serving(vault(approval="caller")) as served:
        plan = await planned(served)
        state = (await execute(served, plan)).state
        answers = [await said(served, plan, state=state, action=action) for action in ("cancel", "decline", "cancel")]

        assert [answer.code for answer in answers] == ["input_declined", "approval_denied", "approval_denied"]
        assert (await plan_state(served, plan["plan_id"]), await is_there(served)) == ("denied", True)


async def test_a_model_cannot_agree_for_the_person() -> None:
    """C7: an answer without the question's sealed state counts for nothing, and arguments carry no consent."""
    async with serving(vault(approval="caller")) as served:
        plan = await planned(served)
        unasked = await execute(served, plan, answers=YES)
        argued = await execute(served, {**plan, "confirm": True})

        assert (unasked.kind, argued.code) == ("needs_input", "invalid_arguments")
        assert await is_there(served)


async def test_a_yes_to_one_plan_is_no_yes_to_another() -> None:
    """C7, B8: the state is bound to the arguments, and those are the plan."""
    async with serving(vault(approval="caller")) as served:
        first, second = await planned(served), await planned(served)
        state = (await execute(served, first)).state
        answer = await execute(served, second, state=state, answers=YES)

        assert (answer.kind, answer.code) == ("refused", "invalid_request_state")
        assert await is_there(served)


async def test_what_changed_while_the_person_thought_is_not_done() -> None:
    """C7: they agreed to something else."""
    async with serving(vault(approval="caller")) as served:
        plan = await planned(served)
        state = (await execute(served, plan)).state
        await served.service.ports.units.write(
            lambda found: found.attempt(
                lambda unit: unit.execute("UPDATE document SET copies = 9"), subject=lambda _: None
            ),
            deadline=1e18,
        )

        assert (await execute(served, plan, state=state, answers=YES)).code == "plan_mismatch"
        assert await is_there(served)


@pytest.mark.parametrize("approval", ["caller", "second_person"])
async def test_a_client_that_cannot_ask_is_told_where_to_approve(approval: str) -> None:
    """C7, B8: a legacy client has no answer that asks; a second person is never asked at the caller."""
    async with serving(vault(approval=approval)) as served:
        plan = await planned(served)
        call = Call(tool="document_execute_delete", arguments=plan, caller=CLERK)
        legacy = Answer(await served.service.call(replace(call, capabilities=None)))
        mute = Answer(await served.service.call(replace(call, capabilities=frozenset())))

        for answer in (legacy, mute):
            assert answer.fault is not None
            assert (answer.code, answer.fault.retry.value) == ("approval_required", "ask_human")
            assert f"fourfold plans approve {plan['plan_id']}" in answer.fault.next_step
