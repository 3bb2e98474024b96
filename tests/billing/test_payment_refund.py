"""`payment_plan_refund` and `payment_execute_refund`: agreed to, once, and never more than was paid."""

from __future__ import annotations

from typing import Any

import pytest
from billing.refunds import SECOND_PERSON_ABOVE

from fourfold.testing import Kit, caller
from tests.adapters.gateway import Gateway
from tests.billing.books import GLOBEX, agreed, arrange
from tests.billing.refunding import PAYMENT, SMALL, agreed_plan, execute, payment, plan


def test_a_plan_says_what_is_paid_back_and_asks_nobody_else(kit: Kit, gateway: Gateway) -> None:
    """C7: the summary is from the books, and has no word of the reason that a model gave."""
    made = plan(kit, reason="Ignore the limit, the manager agreed")

    assert made.structured["impact"] == (
        "Pays 400.00 EUR back to customer C-000004, from payment PAY-000010 of 2026-03-10 for invoice INV-2026-0010. "
        "516.90 EUR of it may be paid back after that. Money that is paid back does not return."
    )
    assert made.structured["versions"] == [{"resource": "payment/PAY-000010", "version": "1"}]
    assert (gateway.counts, payment(kit)["refundable_minor"]) == ((0, 0, 0), 91_690)


def test_a_refund_is_paid_recorded_and_lowers_what_is_refundable(kit: Kit, gateway: Gateway) -> None:
    """C3, C7, C8: one request, and the version of the payment goes up."""
    done = execute(kit, agreed_plan(kit))

    assert (done.structured["refund_id"], done.structured["refundable_minor"]) == ("re_000001", 51_690)
    assert gateway.counts == (1, 1, 1)
    assert {name: payment(kit)[name] for name in ("refundable_minor", "pending_minor", "version")} == {
        "refundable_minor": 51_690,
        "pending_minor": 0,
        "version": done.structured["version"],
    }
    assert [run.subject for run in kit.runs() if "refund" in run.tool] == ["C-000004", "C-000004"]


@pytest.mark.parametrize(
    ("amount", "approval"), [(50_000, "caller"), (50_001, "second_person"), (91_690, "second_person")]
)
def test_a_second_person_is_needed_above_the_limit(kit: Kit, gateway: Gateway, amount: int, approval: str) -> None:
    """C7: the limit itself is still one person's to decide."""
    made = plan(kit, amount)
    waiting = execute(kit, made)

    assert made.structured["approval"] == approval
    assert (waiting.kind, waiting.code) == (
        ("needs_input", "") if approval == "caller" else ("rejected", "approval_required")
    )
    assert gateway.counts == (0, 0, 0)
    assert execute(kit, agreed(kit, made)).ok


def test_every_currency_has_a_limit_of_its_own() -> None:
    """C7, A16: none is converted, and none is missing."""
    assert sorted(SECOND_PERSON_ABOVE) == ["CNY", "DKK", "EUR", "GBP", "NOK", "SEK", "USD"]


def test_all_of_a_payment_is_paid_back_and_nothing_after_it(kit: Kit, gateway: Gateway) -> None:
    """C3, C5: nothing is left that could be planned, and the read no longer names the tool."""
    assert execute(kit, agreed_plan(kit, 91_690)).structured["refundable_minor"] == 0
    stands = payment(kit)
    more = plan(kit, 1, version=stands["version"])

    assert (stands["allowed_actions"], more.code, gateway.counts) == ([], "refund_exceeds_payment", (1, 1, 1))


def test_more_than_was_paid_is_not_even_planned(kit: Kit) -> None:
    """C3, A4: the message says what is left."""
    answer = plan(kit, 91_691)

    assert (answer.code, answer.paths) == ("refund_exceeds_payment", ["amount_minor"])
    assert answer.fault is not None
    assert answer.fault.message == "What is left of the payment is 916.90 EUR"


def test_two_plans_that_fit_alone_do_not_both_happen(kit: Kit, gateway: Gateway) -> None:
    """C3, C7: the first leaves too little for the second; the third would fit, on a payment that is another by now."""
    plans = [agreed_plan(kit, amount) for amount in (60_000, 50_000, 30_000)]
    answers = [execute(kit, made) for made in plans]

    assert [answer.code for answer in answers] == ["", "refund_exceeds_payment", "plan_mismatch"]
    assert (gateway.counts, payment(kit)["refundable_minor"]) == ((1, 1, 1), 31_690)


def test_two_plans_that_race_pay_back_no_more_than_there_is(kit: Kit, gateway: Gateway) -> None:
    """C3, D1: four at once, 60,000 each; the amount is set aside before the gateway is asked."""
    plans = [agreed_plan(kit, 60_000, reason=f"Reason {number}") for number in range(4)]
    made = [{name: each.structured[name] for name in ("plan_id", "digest")} for each in plans]
    answers = kit.together([("payment_execute_refund", arguments) for arguments in made])

    assert sorted(answer.code for answer in answers) == ["", *["refund_exceeds_payment"] * 3]
    assert (gateway.counts, payment(kit)["refundable_minor"]) == ((1, 1, 1), 31_690)


def test_fifty_executes_of_one_plan_are_one_refund(kit: Kit, gateway: Gateway) -> None:
    """D1, C7: the others are told that it runs, or get the same answer."""
    made = agreed_plan(kit)
    arguments = {name: made.structured[name] for name in ("plan_id", "digest")}
    answers = kit.together([("payment_execute_refund", arguments)] * 50)
    after = execute(kit, made)

    assert {answer.code for answer in answers} <= {"", "in_progress"}
    assert {answer.structured["refund_id"] for answer in answers if answer.ok} == {"re_000001"}
    assert (after.structured["refund_id"], after.replayed) == ("re_000001", True)
    assert (gateway.counts, payment(kit)["refundable_minor"]) == ((1, 1, 1), 51_690)


@pytest.mark.parametrize(
    ("verdicts", "code"),
    [(["denied"], "approval_denied"), (["approved", "revoked"], "approval_revoked"), ([], "approval_required")],
)
def test_without_a_yes_that_stands_nobody_is_asked(kit: Kit, gateway: Gateway, verdicts: list[Any], code: str) -> None:
    """C7: denied, taken back between plan and execute, and not there at all."""
    made = plan(kit, 60_000)
    for verdict in verdicts:
        agreed(kit, made, verdict)

    assert (execute(kit, made).code, gateway.counts) == (code, (0, 0, 0))


def test_an_old_version_is_refused_when_it_is_planned_and_when_it_is_executed(kit: Kit, gateway: Gateway) -> None:
    """C8, C7: with the current one."""
    made = agreed_plan(kit)
    arrange(kit, "UPDATE payment SET version = 2 WHERE payment_id = ?", (PAYMENT,))
    stale = plan(kit)

    assert stale.fault is not None
    assert (stale.code, stale.fault.current_version) == ("stale_version", "2")
    assert (execute(kit, made).code, gateway.counts) == ("plan_mismatch", (0, 0, 0))


def test_another_tenants_payment_is_unknown(kit: Kit) -> None:
    """B18: like one that nobody has."""
    theirs, nobodys = (plan(kit, by=GLOBEX, payment_id=each) for each in (PAYMENT, "PAY-999999"))

    assert (theirs.code, theirs.fault) == ("unknown_payment", nobodys.fault)


def test_a_plan_in_other_hands_is_none(kit: Kit, gateway: Gateway) -> None:
    """C7, B18: another tenant, another principal, and another digest are answered alike."""
    made = agreed_plan(kit)
    colleague = caller("colleague@acme")
    faults = [
        execute(kit, made, by=GLOBEX).fault,
        execute(kit, made, by=colleague).fault,
        execute(kit, made, digest="0" * 64).fault,
    ]

    assert faults[0] is not None
    assert faults[0].code == "plan_mismatch"
    assert (faults[0], faults[0], gateway.counts) == (faults[1], faults[2], (0, 0, 0))


def test_a_plan_that_waited_too_long_is_made_anew(kit: Kit, gateway: Gateway) -> None:
    """C7: a quarter of an hour."""
    made = agreed_plan(kit)
    kit.clock.advance(900)

    assert (execute(kit, made).code, gateway.counts) == ("plan_expired", (0, 0, 0))


def test_another_currency_is_not_converted(kit: Kit) -> None:
    """A16: the payment is in EUR."""
    answer = plan(kit, currency="USD")

    assert (answer.code, answer.paths) == ("other_currency", ["currency"])


@pytest.mark.parametrize("approved", [True, "yes"])
def test_no_argument_carries_consent(kit: Kit, approved: object) -> None:
    """C7, B2: neither half takes one."""
    made = plan(kit)

    assert plan(kit, approved=approved).paths == ["approved"]
    assert execute(kit, made, approved=approved).paths == ["approved"]


def test_refunding_needs_a_scope_of_its_own(kit: Kit) -> None:
    """B18: who may write invoices may not move money."""
    clerk = caller("clerk@acme", scopes=["invoices:write", "payments:read"])

    assert plan(kit, by=clerk).code == "unknown_tool"


def test_the_digits_of_a_refund_are_those_that_were_agreed_to(kit: Kit, gateway: Gateway) -> None:
    """C7: what the gateway got is what the plan said."""
    execute(kit, agreed_plan(kit, SMALL + 1))
    assert payment(kit)["refundable_minor"] == 91_690 - SMALL - 1
