"""Recorded cases about writes: keys, twins, lost replies."""

from __future__ import annotations

import json
from typing import Annotated, Any

import anyio
import pytest
from pydantic import Field

from fourfold import Caller, Catalog, Create, Input, Output, Read, Unit
from fourfold.errors import CommitUnknown
from fourfold.model.call import Call
from fourfold.testing import Answer, caller
from tests.cases.wire import TOKEN, Wire, deployed
from tests.stages.desk import Nothing, Said
from tests.stages.serving import Failing, over, serving

pytestmark = pytest.mark.anyio

KEY = "a-key-of-16-signs"
CALLERS = {TOKEN: caller("u1", scopes=[]), "token-of-the-other": caller("u2", scopes=[])}


class Ticket(Input):
    """What the ticket is about."""

    title: Annotated[str, Field(max_length=40)]


class Created(Output):
    """The ticket."""

    number: Annotated[int, Field(ge=1, le=1_000)]
    title: Annotated[str, Field(max_length=40)]


def ticket_create(request: Ticket, unit: Unit, caller: Caller) -> Created:
    """One more ticket."""
    unit.execute("INSERT INTO ticket (title, owner) VALUES (?, ?)", (request.title, caller.principal))
    return Created(number=count(unit), title=request.title)


def ticket_find(request: Nothing, unit: Unit) -> Said:
    """How many tickets there are."""
    return Said(text=str(count(unit)))


def count(unit: Unit) -> int:
    """The number of tickets."""
    row = unit.row("SELECT count(*) AS n FROM ticket")
    return int(row["n"]) if row else 0


def prepare(unit: Unit) -> None:
    """The table of tickets."""
    unit.execute("CREATE TABLE IF NOT EXISTS ticket (title TEXT, owner TEXT)")


def tickets() -> Catalog:
    """A catalog of `ticket_create` and `ticket_find`."""
    catalog = Catalog("tickets")
    catalog.prepare(prepare)
    for name, handler, effect, does in (
        ("ticket_create", ticket_create, Create(), "Creates a ticket for the team"),
        ("ticket_find", ticket_find, Read(), "Counts the tickets that there are"),
    ):
        catalog.tool(
            name=name, version="1.0", does=does, use_when=f"{name} is wanted", not_for="other things", effect=effect
        )(handler)
    return catalog


async def created(wire: Wire) -> int:
    """How many tickets there are."""
    return int((await wire.call("ticket_find"))["structuredContent"]["text"])


def code_of(result: Any) -> str:
    """The fault's code, or ""."""
    return result["_meta"].get("fourfold/fault", {}).get("code", "")


async def test_a_key_belongs_to_its_caller_and_its_arguments() -> None:
    """D1; MP-086: conflict, another principal's key, and a replay with the arguments in another order."""
    async with deployed(tickets(), CALLERS) as wire:
        first = await wire.call("ticket_create", {"title": "A", "idempotency_key": KEY})
        second = await wire.call("ticket_create", {"title": "B", "idempotency_key": KEY})
        assert (second["isError"], code_of(second), await created(wire)) == (True, "idempotency_conflict", 1)
        third = await wire.call("ticket_create", {"title": "B", "idempotency_key": KEY}, token="token-of-the-other")
        assert (third["structuredContent"]["number"], await created(wire)) == (2, 2)
        fourth = await wire.call("ticket_create", {"idempotency_key": KEY, "title": "A"})

        assert fourth["structuredContent"] == first["structuredContent"]
        assert fourth["content"] == first["content"]
        assert fourth["_meta"]["fourfold/replayed"] is True
        assert await created(wire) == 2


async def test_a_call_that_a_client_sends_twice_has_one_effect() -> None:
    """D1; MP-088: the second is told of the first; ten minutes later the same call is meant again."""
    async with deployed(tickets()) as wire:
        results: list[Any] = []

        async def one() -> None:
            results.append(await wire.call("ticket_create", {"title": "A"}))

        async with anyio.create_task_group() as tasks:
            tasks.start_soon(one)
            tasks.start_soon(one)
        done, twin = sorted(results, key=lambda result: result["isError"])
        assert code_of(twin) == "possible_duplicate"
        assert twin["_meta"]["fourfold/fault"]["operation_id"] == done["_meta"]["fourfold/operation"]
        assert await created(wire) == 1
        wire.clock.advance(600)

        assert (await wire.call("ticket_create", {"title": "A"}))["isError"] is False
        assert await created(wire) == 2


async def test_a_lost_reply_does_not_make_a_second_ticket() -> None:
    """D1; MP-089: the effect is known here, so the repeat is told what it would repeat."""
    async with deployed(tickets()) as wire:
        lost = await wire.call("ticket_create", {"title": "A"})
        again = await wire.call("ticket_create", {"title": "A"})

        assert code_of(again) == "possible_duplicate"
        assert lost["_meta"]["fourfold/operation"] in again["content"][0]["text"]
        assert await created(wire) == 1


async def test_an_unknown_outcome_names_the_tool_to_look_with() -> None:
    """D1; MP-089: it differs from a call that has not begun, and is not to be repeated blindly."""
    async with serving(tickets()) as served:
        failing = over(served, units=Failing(served.service.ports.units, CommitUnknown("connection reset")))
        call = Call(tool="ticket_create", arguments={"title": "A"}, caller=caller())
        answer = Answer(await failing.service.call(call))

        assert answer.fault is not None
        assert answer.fault.text == (
            "outcome_unknown: It may or may not have happened. "
            "Do not repeat it; look with ticket_find, or ask the user to check."
        )
        assert json.dumps(answer.fault.retry) == '"ask_human"'
