"""Recorded cases about arguments: absent ones, unsafe numbers, money, and what changes while a call waits."""

from __future__ import annotations

import threading
from pathlib import Path
from typing import Annotated, Any, Literal

import anyio
import pytest
from pydantic import Field

from fourfold import Create, Input, Minor, Output
from fourfold.model.call import Call
from fourfold.model.outcome import Done, Outcome
from fourfold.testing import caller
from tests.cases.wire import deployed
from tests.stages.desk import Nothing, Said, one_tool
from tests.stages.serving import eventually, serving

pytestmark = pytest.mark.anyio


def organization_list(request: Nothing) -> Said:
    """The organizations."""
    return Said(text="acme")


@pytest.mark.parametrize("params", [{}, {"arguments": {}}])
async def test_absent_arguments_are_an_empty_object(params: dict[str, Any]) -> None:
    """A2; MP-035: the member may be missing where nothing is required."""
    async with deployed(one_tool(organization_list)) as wire:
        result = (await wire.request("tools/call", {"name": "note_add", **params}))["result"]

        assert (result["isError"], result["structuredContent"]) == (False, {"text": "acme"})


class NoteGet(Input):
    """A note by its long number."""

    id: Annotated[str, Field(pattern=r"^[0-9]{1,20}$", max_length=20)]


def note_get(request: NoteGet) -> Said:
    """The note."""
    return Said(text=request.id)


async def test_a_long_number_travels_as_text_and_is_never_rounded() -> None:
    """A2; MP-122: the quoted form arrives as it is; the bare one is refused with how to send it."""
    async with deployed(one_tool(note_get)) as wire:
        quoted = await wire.call("note_add", {"id": "1917043659912705296"})
        bare = await wire.call("note_add", {"id": 1917043659912705296})

        assert quoted["structuredContent"] == {"text": "1917043659912705296"}
        (problem,) = bare["_meta"]["fourfold/fault"]["problems"]
        assert (problem["pointer"], problem["code"]) == ("/id", "unsafe_integer")
        assert "quoted" in problem["expected"]
        assert "1917043659912705296" not in str(bare)


class Refund(Input):
    """Money back."""

    payment: Annotated[str, Field(max_length=20)]
    amount_minor: Annotated[Minor, Field(ge=1, le=1_000_000)]
    currency: Literal["EUR", "USD", "JPY", "KWD"]


class Refunded(Output):
    """What was paid back."""

    amount_minor: Annotated[Minor, Field(le=1_000_000)]
    currency: Literal["EUR", "USD", "JPY", "KWD"]


@pytest.mark.parametrize("amount", [100.75, "100.75", 100.0, "10075", 0, True])
async def test_money_is_whole_minor_units_or_nothing_moves(amount: Any) -> None:
    """A1, A2; MP-124: a fraction is refused, not cut."""
    paid: list[int] = []

    def refund(request: Refund) -> Refunded:
        paid.append(request.amount_minor)
        return Refunded(amount_minor=request.amount_minor, currency=request.currency)

    async with deployed(one_tool(refund, Create())) as wire:
        refused = await wire.call("note_add", {"payment": "p", "amount_minor": amount, "currency": "EUR"})
        (problem,) = refused["_meta"]["fourfold/fault"]["problems"]
        assert problem["pointer"] == "/amount_minor"
        assert "an integer from 1 to 1,000,000" in problem["expected"]
        accepted = await wire.call("note_add", {"payment": "p", "amount_minor": 10075, "currency": "EUR"})

        assert accepted["structuredContent"] == {"amount_minor": 10075, "currency": "EUR"}
        assert paid == [10075]


async def test_what_runs_is_what_was_sent_and_not_what_it_became(tmp_path: Path) -> None:
    """A2; MP-104: the caller changes the object while the call waits; the amount that runs is the one that came."""
    entered, release = threading.Event(), threading.Event()
    arguments: dict[str, Any] = {"payment": "p", "amount_minor": 100, "currency": "EUR"}
    outcomes: list[Outcome] = []

    def pay(request: Refund) -> Refunded:
        entered.set()
        release.wait(30)
        return Refunded(amount_minor=request.amount_minor, currency=request.currency)

    async with serving(one_tool(pay, Create()), store=f"sqlite:///{tmp_path}/pay.db") as served:

        async def one() -> None:
            outcomes.append(await served.service.call(Call(tool="note_add", arguments=arguments, caller=caller())))

        async with anyio.create_task_group() as tasks:
            tasks.start_soon(one)
            await eventually(entered.is_set)
            arguments["amount_minor"] = 99_999
            release.set()

    (outcome,) = outcomes
    assert isinstance(outcome, Done)
    assert outcome.structured == b'{"amount_minor":100,"currency":"EUR"}'
