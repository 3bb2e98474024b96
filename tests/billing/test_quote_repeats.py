"""Repeats of `quote_create`: with the same key, with another, and without any."""

from __future__ import annotations

from fourfold.model.outcome import Done
from fourfold.testing import Kit, caller
from tests.billing.books import GLOBEX, MADE_UP_ACCOUNT, line, order

_KEY = "order-4711-first-try"


def test_a_repeat_with_its_key_gets_the_first_answer_byte_for_byte(kit: Kit) -> None:
    """B4: one quote, whether the key comes in the arguments or beside them."""
    first = kit.call("quote_create", order(), key=_KEY)
    again = kit.call("quote_create", {**order(), "idempotency_key": _KEY})

    assert isinstance(first.outcome, Done)
    assert isinstance(again.outcome, Done)
    assert again.outcome.structured == first.outcome.structured
    assert (again.outcome.text, again.operation_id) == (first.outcome.text, first.operation_id)
    assert (first.replayed, again.replayed, kit.writes) == (False, True, 1)


def test_thirty_calls_of_one_key_make_one_quote(kit: Kit) -> None:
    """B4: at once, as a client does that lost its patience."""
    answers = kit.together([("quote_create", order())] * 30, key=_KEY)

    assert {answer.structured.get("quote_id") for answer in answers if answer.ok} == {"Q-000001"}
    assert {answer.code for answer in answers if not answer.ok} <= {"in_progress", "too_busy"}
    assert kit.writes == 1


def test_a_key_with_other_arguments_is_a_conflict(kit: Kit) -> None:
    """B4: it never answers one order with the quote of another."""
    kit.call("quote_create", order(), key=_KEY)
    answer = kit.call("quote_create", order(line(quantity=4)), key=_KEY)

    assert (answer.kind, answer.code, kit.writes) == ("rejected", "idempotency_conflict", 1)


def test_a_repeat_without_a_key_is_asked_about_and_names_the_first(kit: Kit) -> None:
    """B4: a later twin by accident, and how to say that it is meant."""
    first = kit.call("quote_create", order())
    twin = kit.call("quote_create", order())

    assert (twin.code, twin.operation_id, kit.writes) == ("possible_duplicate", first.operation_id, 1)
    assert twin.fault is not None
    assert "new idempotency_key" in twin.fault.next_step


def test_keyless_twins_at_once_make_one_quote(kit: Kit) -> None:
    """B4: the arguments stand for the key."""
    answers = kit.together([("quote_create", order())] * 8)

    assert sum(answer.ok for answer in answers) == 1
    assert {answer.code for answer in answers if not answer.ok} == {"possible_duplicate"}
    assert kit.writes == 1


def test_an_intended_second_quote_is_made_under_a_new_key(kit: Kit) -> None:
    """B4: it runs, and says which operation it looks like."""
    first = kit.call("quote_create", order())
    second = kit.call("quote_create", order(), key=_KEY)

    assert second.structured["quote_id"] == "Q-000002"
    assert isinstance(second.outcome, Done)
    assert second.outcome.twin_of == first.operation_id


def test_a_twin_is_one_only_for_ten_minutes(kit: Kit) -> None:
    """B4: the same order next week is a new order."""
    kit.call("quote_create", order())
    kit.clock.advance(600.001)

    assert kit.call("quote_create", order()).structured["quote_id"] == "Q-000002"


def test_another_caller_makes_no_twin(kit: Kit) -> None:
    """B4, B18: neither a colleague with the same key, nor another company without one."""
    kit.call("quote_create", order(), key=_KEY)
    colleague = kit.call("quote_create", order(), key=_KEY, by=caller("colleague@acme"))
    theirs = kit.call("quote_create", order(), by=GLOBEX)

    assert colleague.structured["quote_id"] == "Q-000002"
    assert theirs.code == "unknown_account"


def test_a_domain_fault_is_repeated_under_its_key_without_running(kit: Kit) -> None:
    """A4, B4: a final answer stays final; a corrected order is a new intent with a new key."""
    refused = kit.call("quote_create", order(line(price=1)), key=_KEY)
    again = kit.call("quote_create", order(line(price=1)), key=_KEY)

    assert (refused.code, again.code, again.replayed) == ("price_below_hard_floor", "price_below_hard_floor", True)
    assert kit.call("quote_create", order(line(price=2_500)), key=_KEY).code == "idempotency_conflict"
    assert kit.call("quote_create", order(line(price=2_500)), key="order-4711-better").ok


def test_an_unknown_account_settles_nothing(kit: Kit) -> None:
    """B4, B18: with its key the call may be made again once the account is there."""
    assert kit.call("quote_create", order(account=MADE_UP_ACCOUNT), key=_KEY).code == "unknown_account"
    assert kit.call("quote_create", order(), key=_KEY).ok
