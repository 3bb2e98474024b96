"""`requestState` in hands, calls and hours that it is not for."""

from __future__ import annotations

import base64
from typing import Any

import pytest
from billing.customers import CustomerRequest

from fourfold.asking import Ask, Form
from fourfold.model.outcome import Refused
from fourfold.testing import Answer
from tests.adapters.gateway import Gateway
from tests.billing.books import agreed
from tests.confusion.calls import (
    CALLS,
    EXECUTES,
    Arguments,
    Desk,
    changed,
    executed,
    repeatable,
    somebody_new,
    stranger_to,
)
from tests.confusion.over_store import StoreKit

_ASKS = ["invoice_execute_send", "payment_execute_refund"]
"""Tools whose plan the person at the caller has to agree to."""

_YES: dict[str, Any] = {"agreement": {}}
_NO: dict[str, Any] = {"agreement": None}


@pytest.fixture
def desk(books: StoreKit) -> Desk:
    """Somebody who was asked nothing yet."""
    return somebody_new(books)


def _redeemed(desk: Desk, tool: str, plan: Answer, *, state: str, said: dict[str, Any] = _YES) -> Answer:
    return desk.call(tool, executed(plan), state=state, answers=said)


def _assert_refused(answer: Answer, gateway: Gateway) -> None:
    """A protocol error with one reason, and nothing happened."""
    assert isinstance(answer.outcome, Refused)
    assert (answer.outcome.reason, answer.writes, gateway.counts) == ("invalid_request_state", 0, (0, 0, 0))


@pytest.mark.parametrize("tenant", ["acme", "globex"])
@pytest.mark.parametrize("tool", _ASKS)
def test_a_state_of_somebody_else_agrees_to_nothing(desk: Desk, gateway: Gateway, tool: str, tenant: str) -> None:
    """B8, B18, C9: not to a plan of one's own, and with its owner's plan it is no plan."""
    other = stranger_to(desk, tenant)
    theirs, own = desk.plan(tool), other.plan(tool)
    state = desk.execute(tool, theirs).state

    _assert_refused(_redeemed(other, tool, own, state=state), gateway)
    assert _redeemed(other, tool, theirs, state=state).code == "plan_mismatch"
    assert _redeemed(desk, tool, theirs, state=state).ok


@pytest.mark.parametrize(("tool", "other"), [_ASKS, _ASKS[::-1]])
def test_a_state_of_another_tool_agrees_to_nothing(desk: Desk, gateway: Gateway, tool: str, other: str) -> None:
    """B8, C9: one's own, and a yes; but it was said to something else."""
    state = desk.execute(other, desk.plan(other)).state

    _assert_refused(_redeemed(desk, tool, desk.plan(tool), state=state), gateway)


@pytest.mark.parametrize("tool", _ASKS)
def test_a_state_of_another_plan_agrees_to_nothing(desk: Desk, gateway: Gateway, tool: str) -> None:
    """B8, C7, C9: though the two plans would do the very same."""
    named = CALLS[EXECUTES[tool]](desk)
    asked, alike = desk.plan(tool, **named), desk.plan(tool, **named)
    state = desk.execute(tool, asked).state

    _assert_refused(_redeemed(desk, tool, alike, state=state), gateway)


def test_a_tool_that_never_asks_takes_no_state(desk: Desk, gateway: Gateway) -> None:
    """B8: not even a good one, and the call does not happen without it."""
    state = desk.execute(_ASKS[0], desk.plan(_ASKS[0])).state
    draft = desk.drafted()

    _assert_refused(desk.call("invoice_finalize", draft, state=state), gateway)
    assert desk.call("invoice_finalize", draft).ok


@pytest.mark.parametrize("tool", _ASKS)
def test_a_state_with_one_bit_changed_is_refused(desk: Desk, gateway: Gateway, tool: str) -> None:
    """B8, C9: at the beginning, at the end, and in between."""
    plan = desk.plan(tool)
    state = desk.execute(tool, plan).state
    for place in range(0, 8 * len(_raw(state)), 251):
        _assert_refused(_redeemed(desk, tool, plan, state=_flipped(state, place)), gateway)


@pytest.mark.parametrize("tool", _ASKS)
def test_a_yes_without_its_state_is_asked_for(desk: Desk, gateway: Gateway, tool: str) -> None:
    """B8, C7, C9: a client that guesses the question has shown it to nobody."""
    guessed = desk.call(tool, executed(desk.plan(tool)), answers=_YES)

    assert (guessed.kind, [question.key for question in guessed.questions]) == ("needs_input", ["agreement"])
    assert (guessed.writes, gateway.counts) == (0, (0, 0, 0))


@pytest.mark.parametrize("tool", _ASKS)
def test_a_yes_that_comes_twice_is_one_effect(desk: Desk, gateway: Gateway, tool: str) -> None:
    """B8, D1, C9: the reply was lost and the state sent again; a no that comes too late is told that it is."""
    plan = desk.plan(tool)
    state = desk.execute(tool, plan).state
    first, again, late = (_redeemed(desk, tool, plan, state=state, said=said) for said in (_YES, _YES, _NO))

    assert (first.ok, again.replayed, late.code) == (True, True, "idempotency_conflict")
    assert (again.structured, again.writes, late.writes) == (first.structured, 0, 0)
    assert gateway.counts in {(0, 0, 0), (1, 1, 1)}


@pytest.mark.parametrize("tool", _ASKS)
def test_a_no_is_not_followed_by_a_yes(desk: Desk, gateway: Gateway, tool: str) -> None:
    """B8, C7, C9: neither with the same state nor with one that was handed out before."""
    plan = desk.plan(tool)
    states = [desk.execute(tool, plan).state for _ in range(2)]
    said_no = _redeemed(desk, tool, plan, state=states[0], said=_NO)
    said_yes = [_redeemed(desk, tool, plan, state=state) for state in states]

    assert [answer.code for answer in (said_no, *said_yes)] == ["approval_denied"] * 3
    assert ([answer.writes for answer in said_yes], gateway.counts) == ([0, 0], (0, 0, 0))


@pytest.mark.parametrize("tool", _ASKS)
def test_a_plan_that_is_revoked_while_a_person_reads_is_not_agreed_to(desk: Desk, gateway: Gateway, tool: str) -> None:
    """C7, C9: the yes comes after somebody took the plan back."""
    plan = desk.plan(tool)
    state = desk.execute(tool, plan).state
    agreed(desk.kit, plan, "revoked")
    answer = _redeemed(desk, tool, plan, state=state)

    assert (answer.code, answer.writes, gateway.counts) == ("approval_revoked", 0, (0, 0, 0))


@pytest.mark.parametrize(("ms", "code"), [(900_000 - 1, ""), (900_000, "plan_expired"), (1_800_000, "plan_expired")])
@pytest.mark.parametrize("tool", _ASKS)
def test_a_state_is_good_for_as_long_as_its_plan(
    desk: Desk, gateway: Gateway, tool: str, *, ms: int, code: str
) -> None:
    """B8, C7, C9: a quarter of an hour, to the millisecond; the plan ends before the state would."""
    plan = desk.plan(tool)
    state = desk.execute(tool, plan).state
    desk.kit.clock.ms += ms
    answer = _redeemed(desk, tool, plan, state=state)

    assert answer.code == code
    assert gateway.counts == ((1, 1, 1) if answer.ok and tool == "payment_execute_refund" else (0, 0, 0))


class Sure(Form):
    """A yes or a no."""

    yes: bool


def _ask_sure(request: CustomerRequest, sure: Sure | None) -> Ask[Sure]:
    """Ask whether a customer is to be registered; what was answered changes nothing about the question."""
    return Ask(Sure, f"Register {request.name}?")


def _asked(desk: Desk) -> Desk:
    """Somebody at a server that asks before it registers a customer, with or without a plan."""
    return Desk(desk.kit.replica(changed("customer_create", ask=_ask_sure)), desk.by)


def _registered(desk: Desk, arguments: Arguments, *, state: str, yes: bool = True) -> Answer:
    return desk.call("customer_create", arguments, state=state, answers={"sure": {"yes": yes}})


@pytest.mark.parametrize("tenant", ["acme", "globex"])
def test_a_state_is_of_whoever_was_asked(desk: Desk, gateway: Gateway, tenant: str) -> None:
    """B8, B18, C9: though the call is the same in every word."""
    owner, other = _asked(desk), _asked(stranger_to(desk, tenant))
    arguments = repeatable("customer_create", owner)
    state = owner.call("customer_create", arguments).state

    _assert_refused(_registered(other, arguments, state=state), gateway)
    assert _registered(owner, arguments, state=state).ok


def test_a_state_is_of_the_arguments_that_a_person_saw(desk: Desk, gateway: Gateway) -> None:
    """B8, C9: another name, and another key, too."""
    owner = _asked(desk)
    arguments = repeatable("customer_create", owner)
    state = owner.call("customer_create", arguments).state

    for changes in ({"name": "Somebody else"}, {"idempotency_key": desk.kit.key()}):
        _assert_refused(_registered(owner, arguments | changes, state=state), gateway)


def test_a_state_has_one_answer(desk: Desk) -> None:
    """B8, D1, C9: the same one replays, another conflicts."""
    owner = _asked(desk)
    arguments = repeatable("customer_create", owner)
    state = owner.call("customer_create", arguments).state
    first, again = (_registered(owner, arguments, state=state) for _ in range(2))
    other = _registered(owner, arguments, state=state, yes=False)

    assert (first.ok, again.replayed, again.structured) == (True, True, first.structured)
    assert (other.code, other.operation_id, other.writes) == ("idempotency_conflict", first.operation_id, 0)


def test_a_state_without_a_plan_ends_after_half_an_hour(desk: Desk, gateway: Gateway) -> None:
    """B8, C9: to the millisecond."""
    owner = _asked(desk)
    calls = [repeatable("customer_create", owner) for _ in range(2)]
    states = [owner.call("customer_create", arguments).state for arguments in calls]
    desk.kit.clock.ms += 1_800_000 - 1
    in_time = _registered(owner, calls[0], state=states[0])
    desk.kit.clock.ms += 1

    assert in_time.ok
    _assert_refused(_registered(owner, calls[1], state=states[1]), gateway)


def _raw(state: str) -> bytes:
    text = state.removeprefix("v1.")
    return base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))


def _flipped(state: str, place: int) -> str:
    """The state with the bit at that place the other way."""
    raw = bytearray(_raw(state))
    raw[place // 8] ^= 1 << place % 8
    return "v1." + base64.urlsafe_b64encode(raw).rstrip(b"=").decode()
