"""Writes that reach outside: claimed, done, settled, and recovered as their effect class allows."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Annotated, Any, cast

import anyio
import pytest
from pydantic import Field

from fourfold import Create, Output, Unit, Update
from fourfold.errors import CommitUnknown
from fourfold.model.claim import Claim, ClaimScope
from fourfold.model.policy import Resource
from fourfold.ports.units import Units
from fourfold.stages.lease import LEASE_MS
from fourfold.stages.service import Service
from fourfold.testing import Answer, FixedClock
from tests.stages.bank import PAYMENT, Bank, Refund, Refunded, banking, receipts
from tests.stages.desk import UnknownAccount
from tests.stages.serving import Served, dying, eventually, over

pytestmark = pytest.mark.anyio

KEY = "key-for-one-refund"
PAY: dict[str, Any] = {"payment_id": PAYMENT}


async def refund(served: Served, key: str | None = KEY) -> Answer:
    """Ask for one refund."""
    return await served.call("refund_create", PAY, key=key)


async def claim_in(served: Served, key: str = KEY) -> Claim:
    """The claim of `key`, as it stands."""
    ports = served.service.ports
    scope = ClaimScope(tenant="acme", principal="tester", tool="refund_create", key=key)
    found = await ports.units.read(
        lambda unit: ports.claims.find(unit, scope), deadline=ports.clock.ticks() + 10, subject=lambda _: None
    )
    assert found is not None
    return found


@pytest.mark.parametrize("kind", ["keyed", "probe", "blind"])
async def test_a_refund_is_paid_recorded_and_replayed(kind: str) -> None:
    """D1, B4: one request, one receipt, and the same answer for the same key."""
    bank = Bank()
    async with banking(bank, kind=kind) as served:
        first, again = await refund(served), await refund(served)

        assert (first.structured, first.replayed) == ({"refund": "re-1"}, False)
        assert (again.structured, again.replayed, again.operation_id) == ({"refund": "re-1"}, True, first.operation_id)
        assert (bank.requests, await receipts(served)) == (1, 1)
        assert [record.run.outcome for record in await served.records()].count("done") >= 2


async def test_a_lost_answer_is_sent_again_with_the_same_key() -> None:
    """C4, D1: the system that takes keys pays once, and the caller is told to repeat."""
    bank = Bank(mood="loses answers")
    async with banking(bank) as served:
        lost = await refund(served)
        bank.mood = "calm"
        again = await refund(served)

        assert (lost.code, again.structured) == ("upstream_unavailable", {"refund": "re-1"})
        assert lost.operation_id == again.operation_id
        assert (bank.requests, len(set(bank.keys)), bank.paid) == (2, 1, {bank.keys[0]: "re-1"})
        assert await receipts(served) == 1


async def test_a_system_that_hangs_is_answered_for_in_time() -> None:
    """C4, D1: the deadline ends the wait, not the operation."""
    bank = Bank(mood="hangs")
    async with banking(bank) as served:
        cut = over(served, clock=Hasty())
        slow = await refund(cut)
        bank.mood = "calm"

        assert slow.fault is not None
        assert (slow.code, slow.fault.retry.value) == ("upstream_unavailable", "same_key")
        assert (await refund(served)).structured == {"refund": "re-1"}
        assert len(bank.paid) == 1


@dataclass(slots=True)
class Hasty(FixedClock):
    """A clock whose deadlines pass while nothing happens."""

    looks: int = 0

    def ticks(self) -> float:
        """Three seconds later at each look."""
        self.looks += 1
        return self.ms / 1000 + 3 * self.looks


async def test_a_blind_request_whose_answer_is_lost_is_unknown_and_never_repeated() -> None:
    """D1: neither "retry" nor "give up" is right, so a person is asked."""
    bank = Bank(mood="loses answers")
    async with banking(bank, kind="blind") as served:
        lost = await refund(served)
        bank.mood = "calm"
        again, keyless = await refund(served), await refund(served, None)

        assert [(answer.kind, answer.code) for answer in (lost, again)] == [("unknown", "outcome_unknown")] * 2
        assert (keyless.code, keyless.operation_id) == ("outcome_unknown", lost.operation_id)
        assert again.operation_id == lost.operation_id
        assert (bank.requests, await receipts(served)) == (1, 0)
        assert (await claim_in(served)).state == "unknown"


@pytest.mark.parametrize(("mood", "code"), [("refuses", "upstream_rejected"), ("closed", "card_closed")])
@pytest.mark.parametrize("kind", ["keyed", "blind"])
async def test_a_refusal_of_the_other_system_is_final(kind: str, mood: str, code: str) -> None:
    """C4, D1: a validation failure is never retried, and its answer is kept."""
    bank = Bank(mood=mood)
    async with banking(bank, kind=kind) as served:
        first, again = await refund(served), await refund(served)

        assert [(answer.code, answer.replayed) for answer in (first, again)] == [(code, False), (code, True)]
        assert (bank.requests, (await claim_in(served)).state) == (1, "failed")


async def test_what_breaks_before_a_blind_request_may_be_tried_again() -> None:
    """D1: unknown only where the request was begun."""
    bank = Bank(mood="down")
    async with banking(bank, kind="keyed") as served:
        down = await refund(served)
        bank.mood = "calm"

        assert down.code == "upstream_unavailable"
        assert (await refund(served)).ok


@pytest.mark.parametrize(("kind", "code"), [("keyed", "internal"), ("blind", "outcome_unknown")])
async def test_a_handler_that_breaks_after_paying(kind: str, code: str) -> None:
    """D1, A4: the text of the error stays in the run, and nobody is paid twice."""
    bank = Bank(mood="breaks")
    async with banking(bank, kind=kind) as served:
        broken = await refund(served)
        bank.mood = "calm"
        again = await refund(served)

        assert (broken.code, again.ok) == (code, kind == "keyed")
        assert len(bank.paid) == 1
        assert "could not be read" not in str(broken.outcome)
        assert any("could not be read" in record.run.note for record in await served.records())


async def test_the_other_system_is_asked_after_a_lost_answer() -> None:
    """D1: what happened is recorded from what it says; nothing is sent again."""
    bank = Bank(mood="loses answers")
    async with banking(bank, kind="probe") as served:
        await refund(served)
        bank.mood = "calm"

        assert (await refund(served)).structured == {"refund": "re-1"}
        assert (bank.requests, await receipts(served)) == (1, 1)


async def test_what_the_other_system_never_saw_is_sent() -> None:
    """D1: DidNotHappen lets it be done now."""
    bank = Bank(mood="down")
    async with banking(bank, kind="probe") as served:
        await refund(served)
        bank.mood = "calm"

        assert (await refund(served)).ok
        assert (bank.requests, len(bank.paid)) == (2, 1)


async def test_a_system_that_cannot_tell_leaves_it_unknown_until_it_can() -> None:
    """D1: an unknown operation with somebody to ask is asked about again, and never blindly repeated."""
    bank = Bank(mood="loses answers")
    async with banking(bank, kind="probe") as served:
        await refund(served)
        bank.mood, bank.tells = "calm", False
        unsure, still = await refund(served), await refund(served)
        bank.tells = True

        assert [answer.code for answer in (unsure, still)] == ["outcome_unknown"] * 2
        assert (await refund(served)).structured == {"refund": "re-1"}
        assert bank.requests == 1


@pytest.mark.parametrize(
    ("kind", "writes", "code", "requests"),
    [
        ("keyed", 1, "", 2),
        ("probe", 1, "", 1),
        ("blind", 1, "", 1),  # it died before it stored that the request begins
        ("blind", 2, "outcome_unknown", 1),
    ],
)
async def test_an_operation_of_a_dead_process_is_taken_over(kind: str, writes: int, code: str, requests: int) -> None:
    """D1: after its lease, by class; until then it is in progress."""
    bank = Bank()
    async with banking(bank, kind=kind) as served:
        await refund(dying(served, after=writes))
        early = await refund(served)
        cast("FixedClock", served.service.ports.clock).advance(LEASE_MS / 1000)
        late = await refund(served)

        assert (early.code, late.code) == ("in_progress", code)
        assert (bank.requests, len(bank.paid)) == (requests, 1)
        assert await receipts(served) == (0 if code else 1)


async def test_a_process_that_was_thought_dead_settles_nothing() -> None:
    """D1: the fence moved, so the one that wakes up is refused; the other system sees one key."""
    bank = Bank(gate=anyio.Event())
    async with banking(bank) as served:
        answers: list[Answer] = []

        async def zombie() -> None:
            answers.append(await refund(over(served, owner="zombie")))

        async with anyio.create_task_group() as tasks:
            tasks.start_soon(zombie)
            await eventually(lambda: bank.requests == 1)
            cast("FixedClock", served.service.ports.clock).advance(LEASE_MS / 1000)
            gate, bank.gate = cast("anyio.Event", bank.gate), None
            answers.append(await refund(served))
            gate.set()

        assert (answers[0].structured, answers[1].code) == ({"refund": "re-1"}, "in_progress")
        assert (len(set(bank.keys)), len(bank.paid), await receipts(served)) == (1, 1, 1)
        assert ((await claim_in(served)).fence, (await claim_in(served)).attempt) == (2, 2)


async def test_a_living_owner_renews_its_lease_and_stops_when_it_is_lost() -> None:
    """D1: long work is not taken over, and work that was taken over is stopped."""
    bank = Bank(gate=anyio.Event())
    async with banking(bank) as served:
        clock, answers = cast("FixedClock", served.service.ports.clock), list[Answer]()
        quick = Served(Service(replace(served.service.ports, beat_s=0.001)))

        async def owner() -> None:
            answers.append(await refund(quick))

        async with anyio.create_task_group() as tasks:
            tasks.start_soon(owner)
            await eventually(lambda: bank.requests == 1)
            clock.advance(20)
            before = (await claim_in(served)).lease_until_ms
            while (await claim_in(served)).lease_until_ms == before and before < clock.ms + LEASE_MS:
                await anyio.lowlevel.checkpoint()
            ports = served.service.ports
            await ports.units.write(lambda found: taken_from(found.unit, ports, bank), deadline=clock.ticks() + 10)

        assert [answer.code for answer in answers] == ["in_progress"]
        assert (bank.paid, (await claim_in(served)).owner) == ({}, "thief")


def taken_from(unit: Unit, ports: Any, bank: Bank) -> None:
    """Take the operation from its owner, as a replica with a fast clock would."""
    scope = ClaimScope(tenant="acme", principal="tester", tool="refund_create", key=KEY)
    claim = ports.claims.find(unit, scope)
    far = claim.lease_until_ms + LEASE_MS
    taken = ports.claims.take_over(
        unit, claim.operation_id, fence=claim.fence, owner="thief", now_ms=claim.lease_until_ms, until_ms=far
    )
    assert taken is not None


async def test_the_same_call_without_a_key_is_the_same_refund() -> None:
    """D1: a twin that runs is in progress, one that is done a possible duplicate; nobody is paid twice."""
    bank = Bank(gate=anyio.Event())
    async with banking(bank) as served:
        answers: list[Answer] = []

        async def first() -> None:
            answers.append(await refund(served, None))

        async with anyio.create_task_group() as tasks:
            tasks.start_soon(first)
            await eventually(lambda: bank.requests == 1)
            answers.append(await refund(served, None))
            cast("anyio.Event", bank.gate).set()
        answers.append(await refund(served, None))

        assert [answer.code for answer in answers] == ["in_progress", "", "possible_duplicate"]
        assert len({answer.operation_id for answer in answers}) == 1
        assert bank.requests == 1


async def test_a_second_key_for_the_same_refund_is_refused_for_a_while() -> None:
    """D1: the default for what leaves; a model that mints a new key for a retry pays nobody twice."""
    bank = Bank()
    async with banking(bank) as served:
        first, second = await refund(served), await refund(served, "another-key-of-the-model")
        cast("FixedClock", served.service.ports.clock).advance(600)
        later = await refund(served, "yet-another-key-later-on")

        assert (second.code, second.operation_id) == ("possible_duplicate", first.operation_id)
        assert (later.ok, bank.requests) == (True, 2)


async def test_two_keys_make_two_refunds_where_the_tool_says_so() -> None:
    """D1: an explicit key always separates two intended operations where twins are only flagged."""
    bank = Bank()
    async with banking(bank, effect=Create(reach="outside", duplicates="flag")) as served:
        assert [(await refund(served, key)).ok for key in (KEY, "another-key-of-the-model")] == [True, True]
        assert len(bank.paid) == 2


class Slip(Output):
    """An output that no refund fits."""

    refund: Annotated[str, Field(max_length=2)]


def unfit(request: Refund, refunded: Refunded) -> Slip:
    """Break the output contract, as a bug would."""
    return Slip.model_construct(refund=refunded.refund)


async def test_a_result_that_breaks_its_contract_changes_nothing_about_what_happened() -> None:
    """A4, D1: the effect is settled, the caller gets a reference, and nothing is ever executed again."""
    bank = Bank()
    async with banking(bank, record=unfit) as served:
        first, again = await refund(served), await refund(served)

        assert (first.kind, first.code, again.code) == ("failed", "internal", "internal")
        assert first.fault is not None
        assert again.fault is not None
        assert (first.fault.reference, again.fault.reference) == (again.fault.reference, first.fault.reference)
        assert first.operation_id == again.operation_id
        assert (bank.requests, (await claim_in(served)).state) == (1, "done")


def forgetful(request: Refund, refunded: Refunded, unit: Unit) -> Refunded:
    """A record that breaks."""
    unit.execute("INSERT INTO receipt (payment, refund) VALUES (?, ?)", ("half", "done"))
    raise RuntimeError("no such column")


async def test_a_record_that_breaks_is_not_half_stored_and_the_operation_stays_open() -> None:
    """D1: the claim stays with its lease; a repaired server records it with the same key."""
    bank = Bank()
    async with banking(bank, record=forgetful) as served:
        broken = await refund(served)

        assert (broken.code, await receipts(served), (await claim_in(served)).state) == ("internal", 0, "running")


@dataclass(frozen=True, slots=True)
class Mute:
    """Units whose n-th COMMIT takes place without an answer."""

    real: Units
    told: list[int]

    async def read(self, *arguments: Any, **more: Any) -> Any:
        """As the real ones."""
        return await self.real.read(*arguments, **more)

    async def write(self, *arguments: Any, **more: Any) -> Any:
        """Written; the n-th answer is lost."""
        value = await self.real.write(*arguments, **more)
        self.told[0] -= 1
        if self.told[0] == 0:
            raise CommitUnknown("the answer was lost")
        return value


@pytest.mark.parametrize("commit", [1, 2])
async def test_a_commit_without_an_answer_is_in_progress_and_the_key_knows(commit: int) -> None:
    """D1: whoever asks with the same key later is told what became of it."""
    bank = Bank()
    async with banking(bank) as served:
        lost = await refund(over(served, units=Mute(served.service.ports.units, [commit])))
        cast("FixedClock", served.service.ports.clock).advance(LEASE_MS / 1000)
        later = await refund(served)

        assert (lost.code, later.structured) == ("in_progress", {"refund": "re-1"})
        assert (bank.requests, await receipts(served)) == (1, 1)


def nobody(request: Refund) -> Resource | None:
    """No such payment."""
    return None


def stale(request: Refund) -> Resource:
    """A payment that has changed."""
    return Resource(id=request.payment_id, version="2")


@pytest.mark.parametrize(("find", "code"), [(nobody, "unknown_account"), (stale, "stale_version")])
async def test_preconditions_come_before_the_effect_and_keep_no_claim(find: Any, code: str) -> None:
    """C8, D1: an absent or changed object costs nothing, and its key is free."""
    bank = Bank()
    update = Update(reach="outside")
    async with banking(bank, effect=update, resource=find, missing=UnknownAccount) as served:
        answer = await served.call("refund_create", {**PAY, "expected_version": "1"}, key=KEY)

        assert (answer.code, bank.requests) == (code, 0)
        with pytest.raises(AssertionError):
            await claim_in(served)
