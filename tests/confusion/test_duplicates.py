"""The same call once more: by accident, under a new key, and because it is meant."""

from __future__ import annotations

from dataclasses import replace

import pytest

from fourfold import Create
from fourfold.model.outcome import Done
from tests.adapters.gateway import Gateway
from tests.confusion.calls import CALLS, CREATES, Arguments, Desk, changed, repeatable, somebody_new, stranger_to
from tests.confusion.over_store import StoreKit

_OTHERWISE: dict[str, Arguments] = {
    "credit_note_create": {"amount_minor": 2},
    "customer_create": {"name": "Somebody else"},
    "invoice_create": {"due_on": "2026-12-24"},
    "quote_create": {"currency": "USD"},
}
"""Another intent."""


@pytest.mark.parametrize("tool", CREATES)
def test_two_keys_are_two_effects_and_the_second_is_pointed_out(books: StoreKit, tool: str) -> None:
    """D1, C9: two intended equal operations stay two, and each key replays its own to the byte."""
    desk = somebody_new(books)
    arguments, keys = repeatable(tool, desk), (books.key(), books.key())
    first, second = (desk.call(tool, arguments, key=key).outcome for key in keys)
    again = [desk.call(tool, arguments, key=key) for key in keys]

    assert isinstance(first, Done)
    assert isinstance(second, Done)
    assert (first.twin_of, second.twin_of) == (None, first.operation_id)
    assert first.structured != second.structured
    assert [answer.outcome for answer in again] == [replace(each, replayed=True) for each in (first, second)]
    assert [answer.writes for answer in again] == [0, 0]


@pytest.mark.parametrize("tool", CREATES)
def test_a_keyless_twin_is_told_of_the_first_until_its_time_is_up(books: StoreKit, tool: str) -> None:
    """D1, C9: for ten minutes, to the millisecond; after that the same call is meant."""
    desk = somebody_new(books)
    arguments = repeatable(tool, desk)
    first = desk.call(tool, arguments)
    books.clock.ms += 600_000 - 1
    twin = desk.call(tool, arguments)
    books.clock.ms += 1
    later = desk.call(tool, arguments)

    assert (twin.code, twin.operation_id, twin.writes) == ("possible_duplicate", first.operation_id, 0)
    assert (first.ok, later.ok, later.structured != first.structured) == (True, True, True)


@pytest.mark.parametrize("tool", CREATES)
def test_a_twin_is_seen_with_and_without_a_key(books: StoreKit, tool: str) -> None:
    """D1, C9: without one after one with, it is refused; with one, it was meant, and is flagged."""
    desk = somebody_new(books)
    arguments = repeatable(tool, desk)
    keyed = desk.call(tool, arguments, key=books.key())
    without = desk.call(tool, arguments)
    meant = desk.call(tool, arguments, key=books.key())

    assert (without.code, without.operation_id, without.writes) == ("possible_duplicate", keyed.operation_id, 0)
    assert isinstance(meant.outcome, Done)
    assert meant.outcome.twin_of == keyed.operation_id


@pytest.mark.parametrize("tool", CREATES)
def test_a_key_is_of_one_intent(books: StoreKit, tool: str) -> None:
    """D1: with other arguments it is a conflict and not the first result."""
    desk, key = somebody_new(books), books.key()
    arguments = repeatable(tool, desk)
    first = desk.call(tool, arguments, key=key)
    other = desk.call(tool, arguments | _OTHERWISE[tool], key=key)

    assert (other.code, other.operation_id, other.writes) == ("idempotency_conflict", first.operation_id, 0)


@pytest.mark.parametrize("tool", ["invoice_finalize", "invoice_update_draft"])
def test_a_key_is_of_one_object(books: StoreKit, tool: str) -> None:
    """D1, C9: an update under a key that another object was updated with changes neither."""
    desk, key = somebody_new(books), books.key()
    first, other = (CALLS[tool](desk) for _ in range(2))
    done = desk.call(tool, first, key=key)
    crossed = desk.call(tool, other, key=key)

    assert (crossed.code, crossed.operation_id, crossed.writes) == ("idempotency_conflict", done.operation_id, 0)
    assert desk.call(tool, other, key=books.key()).ok


def test_a_tool_may_refuse_a_twin_under_any_key(books: StoreKit) -> None:
    """D1, B4: what `duplicates="refuse"` is for; the key that was refused is free for what is meant later."""
    strict = books.replica(changed("quote_create", effect=Create(duplicates="refuse")))
    desk = Desk(strict, somebody_new(books).by)
    arguments, key = desk.order(), books.key()
    first = desk.call("quote_create", arguments, key=books.key())
    twin = desk.call("quote_create", arguments, key=key)
    strict.clock.advance(600)

    assert (twin.code, twin.operation_id, twin.writes) == ("possible_duplicate", first.operation_id, 0)
    assert desk.call("quote_create", arguments, key=key).ok


def test_one_key_of_three_callers_is_three_keys(books: StoreKit) -> None:
    """D1, B18: a colleague's and another tenant's neither replay it nor meet it."""
    key, desk = books.key(), somebody_new(books)
    desks = [desk, stranger_to(desk, "acme"), stranger_to(desk, "globex")]
    made = [desk.call("quote_create", desk.order(), key=key) for desk in desks]
    again = [desk.call("quote_create", desk.order(), key=key) for desk in desks]

    assert [(answer.ok, answer.replayed) for answer in made] == [(True, False)] * 3
    assert len({answer.operation_id for answer in made}) == 3
    assert [answer.outcome for answer in again] == [_replayed(answer.outcome) for answer in made]


def test_two_plans_of_one_refund_are_one_refund(books: StoreKit, gateway: Gateway) -> None:
    """C7, D1, C9: planned twice by accident, agreed to twice; a second one that is meant is planned on what is left."""
    desk = somebody_new(books)
    plans = [desk.agreed("payment_execute_refund") for _ in range(2)]
    first, second = (desk.execute("payment_execute_refund", plan) for plan in plans)

    assert (first.ok, second.code, second.writes, gateway.counts) == (True, "plan_mismatch", 0, (1, 1, 1))
    meant = desk.agreed("payment_execute_refund", expected_version=first.structured["version"])
    assert desk.execute("payment_execute_refund", meant).structured["refund_id"] != first.structured["refund_id"]
    assert gateway.counts == (2, 2, 2)


def _replayed(outcome: object) -> Done:
    assert isinstance(outcome, Done)
    return replace(outcome, replayed=True)
