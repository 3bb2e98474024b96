"""What goes when its time is over, and what stays however old it is."""

from __future__ import annotations

from typing import Any

import anyio
import pytest

from fourfold.errors import StoreError
from fourfold.model.retention import Retention
from fourfold.stages.purge import Purged, purge, purge_by_the_hour
from fourfold.testing import FixedClock, caller
from tests.stages.bank import PAYMENT, Bank, banking, receipts
from tests.stages.post import Postman, inside, messages_in, office, relay_of
from tests.stages.serving import Failing, Served, dying, eventually, over, serving
from tests.stages.vault import vault

pytestmark = pytest.mark.anyio

HOUR = 3_600
DAY = 24 * HOUR
KEY = "key-for-one-letter"
DELETER = caller(scopes=["documents:delete"])
NOTHING = Purged(claims=0, plans=0, messages=0, handles=0, kept=0)


def clock_of(served: Served) -> FixedClock:
    """The clock that everything goes by."""
    clock = served.service.ports.clock
    assert isinstance(clock, FixedClock)
    return clock


async def purged(served: Served, retention: Retention | None = None, **terms: Any) -> Purged:
    """Purge the store of `served`."""
    ports = served.service.ports
    return await purge(ports, clock=ports.clock, retention=retention or Retention(), **terms)


async def states_in(served: Served) -> list[str]:
    """The states of every claim, the oldest first."""
    claims = served.service.ports.claims
    found = await inside(served, lambda at: claims.list(at.unit, state=None, tenant=None, limit=100))
    return [claim.state for claim in reversed(found)]


async def test_an_outcome_becomes_a_tombstone_and_then_goes() -> None:
    """D1: after three days a repeat is told that its outcome is no longer kept; after thirty more it is a new call."""
    async with serving(office(Postman())) as served:
        post = ("letter_post", {"to": "ada"})
        first, clock = await served.call(*post, key=KEY), clock_of(served)
        clock.advance(72 * HOUR - 1)
        assert await purged(served) == NOTHING
        assert (await served.call(*post, key=KEY)).replayed

        clock.advance(1)
        assert await purged(served) == Purged(claims=1, plans=0, messages=0, handles=0, kept=0)
        expired = await served.call(*post, key=KEY)
        assert (expired.code, expired.operation_id) == ("idempotency_expired", first.operation_id)

        clock.advance(30 * DAY)
        assert (await purged(served)).claims == 1
        assert (await served.call(*post, key=KEY)).operation_id != first.operation_id


async def test_retention_is_what_the_configuration_says() -> None:
    """D1: for claims that are made under it."""
    retention = Retention(outcome_ms=DAY * 1_000, tombstone_ms=2 * DAY * 1_000)
    async with serving(office(Postman())) as plain:
        served = over(plain, retention=retention)
        await served.call("letter_post", {"to": "ada"}, key=KEY)
        clock_of(served).advance(DAY)

        assert (await purged(served, retention)).claims == 1
        assert await states_in(served) == ["tombstone"]


async def test_what_is_owned_or_unknown_stays_for_ever() -> None:
    """D1: nobody but a person, its owner or the next call ends it."""
    bank = Bank(mood="breaks")
    async with banking(bank, kind="blind") as served:
        await served.call("refund_create", {"payment_id": PAYMENT}, key=KEY)
        bank.mood, bank.gate = "calm", anyio.Event()
        clock_of(served).advance(3_650 * DAY)
        async with anyio.create_task_group() as tasks:
            # Its outcome would be kept no more, and its lease is fresh.
            tasks.start_soon(_refunded, over(served, retention=Retention(outcome_ms=0)))
            await eventually(lambda: bank.requests == 2)
            assert await purged(served) == NOTHING
            assert await states_in(served) == ["unknown", "running"]
            bank.gate.set()


@pytest.mark.parametrize("kind", ["keyed", "probe", "blind"])
async def test_an_operation_that_nobody_came_back_for_is_unknown_and_its_owner_too_late(kind: str) -> None:
    """D1: after three days the other system may not know its key any more, so a person looks; nothing is sent again."""
    bank = Bank(gate=anyio.Event())
    async with banking(bank, kind=kind) as served:
        pay, clock = ("refund_create", {"payment_id": PAYMENT}), clock_of(served)
        late: list[str] = []

        async def owner() -> None:
            late.append((await served.call(*pay, key=KEY)).code)

        async with anyio.create_task_group() as tasks:
            tasks.start_soon(owner)
            await eventually(lambda: bank.requests == 1)
            clock.advance(72 * HOUR - 1)
            assert await purged(served) == NOTHING
            clock.advance(1)
            assert (await purged(served)).claims == 1
            assert await states_in(served) == ["unknown"]
            assert bank.gate is not None
            bank.gate.set()

        assert (late, await receipts(served)) == (["in_progress"], 0)
        bank.gate, bank.tells = None, False
        assert (await served.call(*pay, key=KEY)).code == "outcome_unknown"
        assert bank.requests == 1


async def test_a_process_that_died_before_it_sent_anything_leaves_something_to_look_at() -> None:
    """D1: something may be set aside for it, which only a person gives back."""
    bank = Bank()
    async with banking(bank, kind="blind") as served:
        await dying(served, after=1).call("refund_create", {"payment_id": PAYMENT}, key=KEY)
        assert (await states_in(served), bank.requests) == (["running"], 0)
        clock_of(served).advance(72 * HOUR)

        assert (await purged(served)).claims == 1
        assert await states_in(served) == ["unknown"]


async def test_a_sent_message_goes_and_every_other_one_stays() -> None:
    """B4: one that waits will be sent, and one that is dead is for a person."""
    postman = Postman()
    async with serving(office(postman)) as served:
        await served.call("letter_post", {"to": "ada"})
        await relay_of(served, postman).once()
        await served.call("letter_post", {"to": "bob"})
        clock_of(served).advance(30 * DAY)
        assert (await purged(served)).messages == 0
        clock_of(served).advance(1)

        assert (await purged(served)).messages == 1
        assert [message.state for message in await messages_in(served)] == ["waiting"]


async def test_a_plan_goes_once_nobody_can_ask_for_its_outcome() -> None:
    """C7: executed or not, with what was said to it; until then a repeat is replayed."""
    async with serving(vault()) as served:
        arguments = {"document_id": "doc-1", "expected_version": "1"}
        plan = (await served.call("document_plan_delete", arguments, by=DELETER)).structured
        execute = ("document_execute_delete", {name: plan[name] for name in ("plan_id", "digest")})
        clock = clock_of(served)
        clock.advance(899)
        await served.call(*execute, by=DELETER)
        clock.advance(72 * HOUR)
        assert (await purged(served)).plans == 0
        assert (await served.call(*execute, by=DELETER)).code == "idempotency_expired"
        clock.advance(2)

        assert (await purged(served)).plans == 1
        # Its claim is a tombstone by now, and still says that it was executed.
        assert (await served.call(*execute, by=DELETER)).code == "idempotency_expired"


async def test_a_great_deal_goes_in_small_transactions() -> None:
    """C1: so that no call waits long behind it."""
    async with serving(office(Postman())) as served:
        for number in range(7):
            await served.call("letter_post", {"to": f"ada{number}"})
        clock_of(served).advance(72 * HOUR)

        assert (await purged(served, batch=2)).claims == 7


async def test_a_store_that_fails_is_purged_the_next_time() -> None:
    """D1: a server looks after its store for as long as it runs."""
    async with serving(office(Postman())) as served:
        ports = served.service.ports
        clock_of(served).advance(72 * HOUR)
        await served.call("letter_post", {"to": "ada"})
        clock_of(served).advance(72 * HOUR)
        failing = over(served, units=Failing(ports.units, StoreError("the disk is full")))
        with anyio.move_on_after(0.05):
            await purge_by_the_hour(failing.service.ports, clock=ports.clock, retention=Retention(), period_s=0)
        async with anyio.create_task_group() as tasks:

            async def forever() -> None:
                await purge_by_the_hour(ports, clock=ports.clock, retention=Retention(), period_s=0)

            tasks.start_soon(forever)
            with anyio.fail_after(10):
                while await states_in(served) == ["done"]:
                    await anyio.lowlevel.checkpoint()
            tasks.cancel_scope.cancel()

        assert await states_in(served) == ["tombstone"]


async def _refunded(served: Served) -> None:
    await served.call("refund_create", {"payment_id": "pay-2"}, key="another-key-entirely")
