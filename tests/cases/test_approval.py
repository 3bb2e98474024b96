"""Recorded cases about approvals and questions: whose yes it is, to what, and how often it counts."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Mapping
from contextlib import asynccontextmanager
from typing import Annotated, Any, cast

import pytest
from pydantic import Field

from fourfold import Catalog, Create, Fault, Input, Output, Read, Retry, Unit
from fourfold.asking import Ask, Form
from fourfold.effects import Impact, PlanTerms
from fourfold.model.asking import InputResponse
from fourfold.model.call import Call
from fourfold.testing import Answer, FixedClock, caller
from tests.stages.desk import Nothing
from tests.stages.serving import Served, serving

pytestmark = pytest.mark.anyio

Id = Annotated[str, Field(pattern=r"^[a-z]\d$", max_length=2)]
YES: Mapping[str, InputResponse] = {"confirm": InputResponse(action="accept", content={"ok": True})}


class Target(Input):
    """What it is done to."""

    id: Id


class Confirm(Form):
    """A yes or a no."""

    ok: bool


class Count(Output):
    """How often something was done."""

    effects: Annotated[int, Field(ge=0, le=100)]


class NotApproved(Fault):
    """The person said that it must not be done."""

    code, retry, next_step = "not_approved", Retry.NEVER, "Report it to the user."


def sure(request: Target) -> Ask[Confirm]:
    """Ask whether it is meant."""
    return Ask(Confirm, f"Wipe {request.id}?")


def act(request: Target, unit: Unit, confirm: Confirm) -> Count:
    """Do it, if the person said so."""
    if not confirm.ok:
        raise NotApproved
    unit.execute("INSERT INTO done VALUES (?)", (request.id,))
    return Count(effects=1)


def act_planned(request: Target, unit: Unit) -> Count:
    """Do it."""
    unit.execute("INSERT INTO done VALUES (?)", (request.id,))
    return Count(effects=1)


def impact(request: Target) -> Impact:
    """What it is."""
    return Impact(summary=f"Does it to {request.id}")


def count(request: Nothing, unit: Unit) -> Count:
    """How often anything was done."""
    row = unit.row("SELECT count(*) AS n FROM done") or {"n": 0}
    return Count(effects=row["n"])


def tables(unit: Unit) -> None:
    """One row for each effect."""
    unit.execute("CREATE TABLE IF NOT EXISTS done (id TEXT NOT NULL)")


def cases() -> Catalog:
    """Two tools that ask, two that are planned, and what counts the effects."""
    catalog = Catalog("cases", version="1")
    catalog.prepare(tables)
    texts: dict[str, Any] = {"version": "1.0", "use_when": "the user wants that", "not_for": "counting (effect_count)"}
    for name in ("disk_wipe", "disk_archive"):
        catalog.tool(name=name, does=f"Does {name}", effect=Create(), ask=sure, faults=[NotApproved], **texts)(act)
    planned = Create(plan=PlanTerms(impact=impact, approval="caller"))
    for name in ("ticket_issue", "booking_cancel"):
        catalog.tool(name=name, does=f"Does {name}", effect=planned, **texts)(act_planned)
    catalog.tool(name="effect_count", does="Counts effects", effect=Read(), **texts)(count)
    return catalog


@asynccontextmanager
async def served_cases() -> AsyncGenerator[Served]:
    """The catalog, served."""
    async with serving(cases()) as served:
        yield served


async def effects(served: Served) -> int:
    """How many effects there were."""
    return (await served.call("effect_count")).structured["effects"]


async def wipe(served: Served, state: str | None = None, **call: Any) -> Answer:
    """One call of `disk_wipe`, or of what `call` says instead."""
    made: dict[str, Any] = {"tool": "disk_wipe", "arguments": {"id": "d1"}, "caller": caller("A"), "responses": YES}
    return Answer(await served.service.call(Call(**{**made, **call}, state=state)))


async def test_a_yes_for_one_tool_is_none_for_another() -> None:
    """MP-103, C7: the approved plan of one tool is no plan of the other."""
    async with served_cases() as served:
        plan = (await served.call("ticket_issue_plan", {"id": "b1"})).structured
        made = {"plan_id": plan["plan_id"], "digest": plan["digest"]}
        state = (await served.call("ticket_issue_execute", made)).state
        crossed = await served.call("booking_cancel_execute", made, state=state, answers={"agreement": {}})

        assert (crossed.code, await effects(served)) == ("plan_mismatch", 0)


async def test_a_state_of_one_principal_is_refused_for_another() -> None:
    """MP-106, B8: bound to who was asked."""
    async with served_cases() as served:
        state = (await wipe(served, responses={})).state
        stolen = await wipe(served, state, caller=caller("B"))

        assert (stolen.kind, stolen.code, await effects(served)) == ("refused", "invalid_request_state", 0)


async def test_every_changed_or_misplaced_state_is_refused_alike() -> None:
    """MP-107, B8: bits, padding, alphabet, arguments, tool, time; one answer that quotes nothing."""
    async with served_cases() as served:
        state = (await wipe(served, responses={})).state
        flipped = [state[:at] + chr(ord(state[at]) ^ 1) + state[at + 1 :] for at in range(len(state))]
        answers = [await wipe(served, changed) for changed in [*flipped, f"{state}=", f"{state[:-1]}+", ""]]
        answers.append(await wipe(served, state, arguments={"id": "d2"}))
        answers.append(await wipe(served, state, tool="disk_archive"))
        cast("FixedClock", served.service.ports.clock).advance(30 * 60 + 1)
        answers.append(await wipe(served, state))

        assert {(answer.kind, answer.code) for answer in answers} == {("refused", "invalid_request_state")}
        assert await effects(served) == 0


async def test_a_state_is_redeemed_once() -> None:
    """MP-109, B8, D1: the second time is the first time's answer."""
    async with served_cases() as served:
        state = (await wipe(served, responses={})).state
        first, again = await wipe(served, state), await wipe(served, state)

        assert (first.ok, again.structured, again.replayed) == (True, first.structured, True)
        assert await effects(served) == 1


async def test_a_client_that_cannot_ask_gets_a_way_out() -> None:
    """MP-110, B8: nobody is asked whom the client cannot ask, and what was never answered does nothing."""
    async with served_cases() as served:
        assert (await wipe(served, responses={})).kind == "needs_input"
        legacy = await wipe(served, responses={}, capabilities=None)
        mute = await wipe(served, responses={}, capabilities=frozenset())

        assert (legacy.code, mute.code) == ("approval_required", "missing_capability")
        assert legacy.fault is not None
        assert legacy.fault.next_step
        assert await effects(served) == 0


async def test_wrong_keys_ask_again_malformed_answers_are_named_and_a_no_is_a_no() -> None:
    """MP-112, B8: in whichever way a person says no."""
    async with served_cases() as served:
        state = (await wipe(served, responses={})).state
        foreign = await wipe(served, state, responses={"undefined": YES["confirm"]})
        odd = await wipe(served, state, responses={"confirm": InputResponse(action="accept", content={"ok": "yes"})})
        declined = await wipe(served, state, responses={"confirm": InputResponse(action="decline")})
        no = await wipe(served, state, responses={"confirm": InputResponse(action="accept", content={"ok": False})})

        assert (foreign.kind, odd.paths) == ("needs_input", ["inputResponses.confirm.ok"])
        assert (declined.code, no.code, await effects(served)) == ("input_declined", "not_approved", 0)
