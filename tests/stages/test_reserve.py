"""`reserve=` and `give_back=`: what an effect outside uses up is set aside before it, and there again if refused."""

from __future__ import annotations

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from typing import Annotated, Any

import anyio
import pytest
from pydantic import Field

from fourfold import Catalog, Fault, Input, Output, Read, Retry, Unit, Update, Waiver
from fourfold.effects import Keyed, Outside
from fourfold.errors import ContractError
from fourfold.model.policy import Resource
from fourfold.stages.lease import LEASE_MS
from fourfold.testing import Answer, FixedClock
from tests.stages.bank import Bank
from tests.stages.serving import Served, eventually, serving

pytestmark = pytest.mark.anyio

SEATS = 3
KEY = "a-key-for-one-seat"


class SoldOut(Fault):
    """There is no seat left."""

    code, retry, next_step = "sold_out", Retry.NEVER, "Tell the user."


class NoHouse(Fault):
    """There is no house."""

    code, retry, next_step = "no_house", Retry.NEVER, "Tell the user."


class Booking(Input):
    """Somebody who wants a seat."""

    guest: Annotated[str, Field(max_length=20)]


class Booked(Output):
    """What became of it."""

    ticket: Annotated[str, Field(max_length=20)]


class Left(Output):
    """Seats that are neither sold nor set aside."""

    left: Annotated[int, Field(ge=0, le=SEATS)]
    version: Annotated[str, Field(max_length=10)]


class Nothing(Input):
    """No arguments."""


def house(bank: Bank, **declared: Any) -> Catalog:
    """A house with three seats, which are paid for at `bank`."""
    catalog = Catalog("house", version="1")

    async def book(request: Booking, upstream: Keyed) -> Booked:
        return Booked(ticket=await bank.pay(upstream.key()))

    def set_aside(request: Booking, upstream: Keyed, unit: Unit) -> None:
        if not unit.execute("UPDATE house SET free = free - 1 WHERE free > 0"):
            raise SoldOut
        unit.execute("INSERT INTO seat (key, guest) VALUES (?, ?)", (upstream.key(), request.guest))

    def give_back(upstream: Keyed, unit: Unit) -> None:
        unit.execute("DELETE FROM seat WHERE key = ?", (upstream.key(),))
        unit.execute("UPDATE house SET free = free + 1")

    def left(request: Nothing, unit: Unit) -> Left:
        row = unit.row("SELECT free FROM house") or {"free": 0}
        return Left(left=row["free"], version="1")

    outside = Outside(**{"reserve": set_aside, "give_back": give_back, **declared})
    catalog.tool(
        name="seat_book",
        version="1.0",
        does="Books a seat",
        use_when="somebody wants to come",
        not_for="counting seats (seat_count)",
        effect=Update(reach="outside"),
        resource=lambda: Resource(id="house", version="1"),
        missing=NoHouse,
        faults=[SoldOut],
        waivers=[Waiver(rule="no_plan", where="seat_book", reason="the tests are about what is not planned")],
        outside=outside,
    )(book)
    catalog.tool(
        name="seat_count",
        version="1.0",
        does="Counts seats",
        use_when="somebody asks how many are left",
        not_for="booking one (seat_book)",
        effect=Read(),
    )(left)

    def tables(unit: Unit) -> None:
        unit.execute("CREATE TABLE IF NOT EXISTS house (free INTEGER NOT NULL CHECK (free >= 0))")
        unit.execute("CREATE TABLE IF NOT EXISTS seat (key TEXT PRIMARY KEY, guest TEXT NOT NULL)")
        unit.execute("INSERT INTO house VALUES (?)", (SEATS,))

    catalog.prepare(tables)
    return catalog


@asynccontextmanager
async def booking(bank: Bank, **more: Any) -> AsyncGenerator[Served]:
    """Serve the house."""
    async with serving(house(bank), **more) as served:
        yield served


async def book(served: Served, key: str = KEY) -> Answer:
    """Book a seat."""
    return await served.call("seat_book", {"guest": "Ada", "expected_version": "1"}, key=key)


async def seats(served: Served) -> int:
    """How many are left."""
    return (await served.call("seat_count")).structured["left"]


async def test_a_seat_is_set_aside_once_for_an_operation() -> None:
    """D1: a replay takes no second one."""
    async with booking(Bank()) as served:
        answers = [await book(served), await book(served)]

        assert [(answer.ok, answer.replayed) for answer in answers] == [(True, False), (True, True)]
        assert await seats(served) == SEATS - 1


async def test_more_operations_at_once_than_there_is_for_them() -> None:
    """D1, C7: ten guests, three seats; the other seven reach nobody and their keys stay free."""
    bank = Bank()
    async with booking(bank) as served:
        call = {"guest": "Ada", "expected_version": "1"}
        answers: list[Answer] = []

        async def one(number: int) -> None:
            answers.append(await served.call("seat_book", call, key=f"a-key-of-guest-{number:03}"))

        async with anyio.create_task_group() as tasks:
            for number in range(10):
                tasks.start_soon(one, number)

        assert sorted(answer.code for answer in answers) == ["", "", "", *["sold_out"] * 7]
        assert (bank.requests, await seats(served)) == (3, 0)


async def test_what_is_set_aside_is_seen_while_the_other_system_is_asked() -> None:
    """D1: before it answers."""
    bank = Bank(gate=anyio.Event())
    async with booking(bank) as served, anyio.create_task_group() as tasks:
        tasks.start_soon(book, served)
        await eventually(lambda: bank.requests == 1)
        assert await seats(served) == SEATS - 1
        assert bank.gate is not None
        bank.gate.set()


async def test_a_final_refusal_gives_it_back_once() -> None:
    """D1, C4: in the transaction that settles; a replay of the refusal gives back nothing more."""
    bank = Bank(mood="refuses")
    async with booking(bank) as served:
        answers = [await book(served), await book(served)]

        assert [answer.code for answer in answers] == ["upstream_rejected", "upstream_rejected"]
        assert (bank.requests, await seats(served)) == (1, SEATS)


@pytest.mark.parametrize("mood", ["loses answers", "breaks"])
async def test_what_may_have_happened_stays_set_aside(mood: str) -> None:
    """D1, C4: and is not set aside again by the repeat that finds out."""
    bank = Bank(mood=mood)
    async with booking(bank) as served:
        lost = await book(served)
        between = await seats(served)
        bank.mood = "calm"
        again = await book(served)

        assert (lost.ok, between, again.ok, await seats(served)) == (False, SEATS - 1, True, SEATS - 1)
        assert len(bank.paid) == 1


async def test_a_takeover_finds_it_set_aside_already() -> None:
    """D1: the first owner is gone after the claim; the second asks with the same key and takes no second seat."""
    bank, clock = Bank(gate=anyio.Event()), FixedClock()
    async with booking(bank, clock=clock) as served:
        async with anyio.create_task_group() as tasks:
            tasks.start_soon(book, served)
            await eventually(lambda: bank.requests == 1)
            tasks.cancel_scope.cancel()
            assert bank.gate is not None
            bank.gate.set()
        clock.advance(LEASE_MS / 1000 + 1)
        again = await book(served)

        assert (again.ok, len(bank.paid), await seats(served)) == (True, 1, SEATS - 1)


@pytest.mark.parametrize("missing", ["reserve", "give_back"])
def test_half_of_it_is_refused_when_the_catalog_is_built(missing: str) -> None:
    """B4: what is set aside and never given back would be lost."""
    with pytest.raises(ContractError, match="one of reserve= and give_back= is there without the other"):
        house(Bank(), **{missing: None}).build()
