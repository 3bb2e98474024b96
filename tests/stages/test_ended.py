"""What telemetry is told of a call: what became of a repeat, what the policy said, and no name that was made up."""

from __future__ import annotations

from typing import Any

import anyio
import pytest

from fourfold import Caller, Decision, PolicyQuestion
from fourfold.testing import caller
from tests.stages.bank import PAYMENT, Bank, banking
from tests.stages.desk import ACCOUNT, Said, SaidOnce, desk, one_tool
from tests.stages.listening import Heard
from tests.stages.serving import Served, eventually, over, serving

pytestmark = pytest.mark.anyio

KEY = "a-key-of-16-signs"
NOTE: dict[str, Any] = {"account_id": ACCOUNT, "text": "hi"}
PAY: dict[str, Any] = {"payment_id": PAYMENT}


class Doorman:
    """Hides the tool from strangers, and denies guests once the arguments are known."""

    def decide(self, question: PolicyQuestion) -> Decision:
        """Depends on the caller alone."""
        if question.arguments is None:
            return Decision(verdict="deny" if question.caller.principal == "stranger" else "depends")
        return Decision(verdict="deny" if question.caller.principal == "guest" else "allow")


async def _repeats(served: Served, *calls: tuple[str, dict[str, Any], str | None]) -> list[tuple[str, str]]:
    """What each call ended in, and what came of it as a repeat."""
    heard = Heard()
    told = over(served, telemetry=heard)
    for tool, arguments, key in calls:
        await told.call(tool, arguments, key=key)
    return [(call.code or call.outcome, call.repeat) for call in heard.calls]


async def test_a_repeat_in_the_store_is_told_with_what_came_of_it() -> None:
    """B16, A14: replayed, conflicting, or a twin without a key; a fault that is kept is replayed as well."""
    other, closed = {**NOTE, "text": "ho"}, {**NOTE, "text": "closed"}
    async with serving(desk()) as served:
        found = await _repeats(
            served,
            ("note_add", NOTE, KEY),
            ("note_add", NOTE, KEY),
            ("note_add", other, KEY),
            ("note_add", NOTE, None),
            ("note_add", closed, f"{KEY}-2"),
            ("note_add", closed, f"{KEY}-2"),
        )

    assert found == [
        ("done", ""),
        ("done", "replayed"),
        ("idempotency_conflict", "idempotency_conflict"),
        ("possible_duplicate", "possible_duplicate"),
        ("file_closed", ""),
        ("file_closed", "replayed"),
    ]


@pytest.mark.parametrize(
    ("kind", "found"),
    [
        ("keyed", [("upstream_unavailable", ""), ("done", "run_again"), ("done", "replayed")]),
        ("blind", [("outcome_unknown", ""), ("outcome_unknown", "outcome_unknown")]),
    ],
)
async def test_an_operation_that_is_done_again_or_stays_unknown(kind: str, found: list[tuple[str, str]]) -> None:
    """B16, D1: the first call of an unknown operation repeats nothing, the second one does."""
    bank = Bank(mood="loses answers")
    async with banking(bank, kind=kind) as served:
        first = await _repeats(served, ("refund_create", PAY, KEY))
        bank.mood = "calm"
        later = await _repeats(served, *[("refund_create", PAY, KEY)] * (len(found) - 1))

    assert first + later == found


async def test_a_call_for_an_operation_that_runs_is_told_so() -> None:
    """B16, D1: with the code that it is answered with."""
    bank, heard = Bank(gate=anyio.Event()), Heard()
    async with banking(bank) as served, anyio.create_task_group() as tasks:
        told = over(served, telemetry=heard)
        tasks.start_soon(lambda: told.call("refund_create", PAY, key=KEY))
        await eventually(lambda: bank.requests == 1)
        await told.call("refund_create", PAY, key=KEY)
        assert bank.gate is not None
        bank.gate.set()

    assert [(call.code, call.repeat) for call in heard.calls] == [("in_progress", "in_progress"), ("", "")]


@pytest.mark.parametrize(
    ("by", "told"),
    [
        (caller(), ("note_add", "done", "allow")),
        (caller("guest"), ("note_add", "denied", "deny")),
        (caller("stranger"), ("_other", "refused", "deny")),
    ],
)
async def test_what_the_policy_said_last(by: Caller, told: tuple[str, str, str]) -> None:
    """B16: also where it hid the tool, whose name is then as good as made up."""

    async def said(request: SaidOnce) -> Said:
        return Said(text=request.word)

    heard = Heard()
    async with serving(one_tool(said, policy=Doorman())) as served:
        await over(served, telemetry=heard).call("note_add", {"word": "a"}, by=by)

    assert [(call.tool, call.outcome, call.decision) for call in heard.calls] == [told]


async def test_without_a_policy_nothing_was_decided() -> None:
    """B16: and a name that no tool has is told as any other such name."""
    heard = Heard()
    async with serving(desk()) as served:
        told = over(served, telemetry=heard)
        await told.call("note_add", NOTE)
        await told.call("made_up", {})

    assert [(call.tool, call.contract_version, call.decision) for call in heard.calls] == [
        ("note_add", "1.0", ""),
        ("_other", "", ""),
    ]
    assert [(call.served, call.run_id[:4]) for call in heard.calls] == [(False, "run_")] * 2


async def test_a_caller_that_leaves_is_told_of() -> None:
    """B16: as cancelled."""
    heard = Heard()

    async def said(request: SaidOnce) -> Said:
        await anyio.sleep_forever()
        return Said(text=request.word)

    async with serving(one_tool(said)) as served, anyio.create_task_group() as tasks:
        tasks.start_soon(lambda: over(served, telemetry=heard).call("note_add", {"word": "a"}))
        await anyio.wait_all_tasks_blocked()
        tasks.cancel_scope.cancel()

    assert [(call.tool, call.outcome, call.code) for call in heard.calls] == [("note_add", "cancelled", "cancelled")]
