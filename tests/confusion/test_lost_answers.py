"""A refund that was paid while the answer got lost: once, whatever the caller does next."""

from __future__ import annotations

import pytest

from fourfold.testing import caller
from payment_gateway import Trouble
from tests.adapters.gateway import Gateway
from tests.confusion.calls import CALLS, Desk, somebody_new
from tests.confusion.over_store import StoreKit

_REFUND = "payment_execute_refund"

_ATTEMPTS = 5
"""Requests that one call makes before it gives up."""


@pytest.fixture
def desk(books: StoreKit) -> Desk:
    """Somebody who has had nothing paid back yet."""
    return somebody_new(books)


@pytest.mark.parametrize("trouble", ["lose_answer", "hang_up"])
def test_a_refund_whose_answer_is_lost_is_paid_once(desk: Desk, gateway: Gateway, trouble: Trouble) -> None:
    """C4, D1, C9: a timeout after the side effect, asked again with the same key; then it replays."""
    plan = desk.agreed(_REFUND)
    gateway.trouble(trouble)
    done, again = desk.execute(_REFUND, plan), desk.execute(_REFUND, plan)

    assert (done.ok, again.replayed, again.structured) == (True, True, done.structured)
    assert gateway.counts == (2, 1, 1)


def test_a_refund_that_nobody_was_told_of_is_found_by_a_repeat(aging: StoreKit, gateway: Gateway) -> None:
    """C4, D1, C9: given up after it was paid; two days later the same plan asks with the same key."""
    desk = Desk(aging, caller())
    plan = desk.agreed(_REFUND)
    gateway.trouble("hang_up", times=_ATTEMPTS)
    lost = desk.execute(_REFUND, plan)
    aging.clock.advance(2 * 86_400)
    aging.purge()
    done, again = desk.execute(_REFUND, plan), desk.execute(_REFUND, plan)

    assert (lost.code, lost.operation_id) == ("upstream_unavailable", done.operation_id)
    assert (done.ok, again.replayed, again.structured) == (True, True, done.structured)
    assert gateway.counts == (_ATTEMPTS + 1, 1, 1)


def test_a_refund_in_doubt_is_neither_planned_nor_stolen(aging: StoreKit, gateway: Gateway) -> None:
    """C4, C7, D1, C9: its money is set aside, and the same call of a colleague is no repeat."""
    desk, colleague = Desk(aging, caller()), somebody_new(aging)
    plan = desk.agreed(_REFUND, amount_minor=100_000_000)
    gateway.trouble("hang_up", times=_ATTEMPTS)
    lost = desk.execute(_REFUND, plan)
    more = colleague.call("payment_plan_refund", CALLS["payment_plan_refund"](colleague))
    stolen = colleague.execute(_REFUND, plan)

    assert (lost.code, more.code, stolen.code) == ("upstream_unavailable", "refund_exceeds_payment", "plan_mismatch")
    assert (desk.execute(_REFUND, plan).ok, gateway.counts) == (True, (_ATTEMPTS + 1, 1, 1))
