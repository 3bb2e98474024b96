"""`credit_note_create`: what is taken back of an issued invoice, never more than it came to, to the last cent."""

from __future__ import annotations

from typing import Any

import pytest
from billing.arithmetic import Category
from billing.credit_notes import taken_back
from billing.invoice_model import TaxRow
from hypothesis import given
from hypothesis import strategies as st

from fourfold.testing import Answer, Kit
from tests.billing.books import GLOBEX, SOL, arrange, drafted, finalized, invoice_line, read

_KEY = "credit-for-the-november-one"


def _credit(kit: Kit, reference: str, amount_minor: Any, *, currency: str = "EUR", key: str | None = None) -> Answer:
    arguments = {
        "invoice_reference": reference,
        "currency": currency,
        "amount_minor": amount_minor,
        "reason": "Two hours too many",
    }
    return kit.call("credit_note_create", arguments, key=key)


def test_a_whole_invoice_is_taken_back(kit: Kit) -> None:
    """C3, A15: 486.75 and 102.22 of tax; nobody owes anything any more, and nothing can be credited again."""
    number = finalized(kit)
    note = _credit(kit, number, 58_897)
    after = read(kit, number)

    assert note.structured == {
        "credit_note_reference": "CN-2026-0001",
        "invoice_reference": "INV-2026-0161",
        "customer_reference": SOL,
        "issued_on": "2026-11-01",
        "currency": "EUR",
        "amount_minor": 58_897,
        "without_tax_minor": 48_675,
        "taxes": [{"category": "S", "percent": "21", "taxable_minor": 48_675, "tax_minor": 10_222}],
        "left_minor": 0,
        "invoice_version": "3",
    }
    assert (after["status"], after["credited_minor"], after["version"]) == ("paid", 58_897, "3")
    assert after["allowed_actions"] == ["invoice_plan_send"]
    assert note.writes == 3


def test_the_parts_of_an_invoice_add_up_to_it(kit: Kit) -> None:
    """A15: two rates; 100.00 at 21 % and 33.33 at 10 % make 157.66, taken back in three notes of odd amounts."""
    number = finalized(kit, invoice_line("1", "100"), invoice_line("1", "33.33", tax_rate="reduced"))
    notes = [_credit(kit, number, amount).structured for amount in (5_001, 1, 10_764)]

    assert [note["left_minor"] for note in notes] == [10_765, 10_764, 0]
    sums = {
        percent: tuple(
            sum(row[name] for note in notes for row in note["taxes"] if row["percent"] == percent)
            for name in ("taxable_minor", "tax_minor")
        )
        for percent in ("21", "10")
    }
    assert sums == {"21": (10_000, 2_100), "10": (3_333, 333)}


def test_a_draft_has_nothing_to_take_back(kit: Kit) -> None:
    """C5, C3: by the words of the requirement, and with the tool that comes first."""
    answer = _credit(kit, drafted(kit), 100)

    assert (answer.code, answer.writes) == ("wrong_state", 0)
    assert answer.fault is not None
    assert answer.fault.message == (
        "The invoice is draft: finalize the invoice before issuing a credit note (invoice_finalize comes first)"
    )


@pytest.mark.parametrize(("first", "second", "left"), [(0, 58_898, "588.97 EUR"), (58_800, 98, "0.97 EUR")])
def test_never_more_is_taken_back_than_is_left(kit: Kit, first: int, second: int, left: str) -> None:
    """C3, A4: the message says how much that is."""
    number = finalized(kit)
    if first:
        assert _credit(kit, number, first).ok
    answer = _credit(kit, number, second)

    assert (answer.code, answer.paths, answer.writes) == ("credit_exceeds_invoice", ["amount_minor"], 0)
    assert answer.fault is not None
    assert answer.fault.message == f"What is left of the invoice is {left}"


def test_two_notes_at_once_take_back_no_more_than_there_is(kit: Kit) -> None:
    """C3, D1: each fits alone; ten of them do not."""
    number = finalized(kit)
    wanted = {"invoice_reference": number, "currency": "EUR", "reason": "Reduction"}
    answers = kit.together([("credit_note_create", {**wanted, "amount_minor": 20_000 + n}) for n in range(10)])

    assert sorted({answer.code for answer in answers}) == ["", "credit_exceeds_invoice"]
    assert sum(answer.ok for answer in answers) == 2
    assert read(kit, number)["credited_minor"] <= 58_897


def test_a_repeat_with_its_key_is_one_note(kit: Kit) -> None:
    """D1: and one without a key is asked about."""
    number = finalized(kit)
    first, again = (_credit(kit, number, 100, key=_KEY) for _ in range(2))
    keyless = _credit(kit, number, 100)

    assert (again.structured, again.replayed, again.writes) == (first.structured, True, 0)
    assert (keyless.code, read(kit, number)["credited_minor"]) == ("possible_duplicate", 100)


def test_another_currency_is_not_converted(kit: Kit) -> None:
    """A16: the invoice is in EUR."""
    answer = _credit(kit, finalized(kit), 100, currency="USD")

    assert (answer.code, answer.paths) == ("other_currency", ["currency"])


def test_another_tenants_invoice_is_unknown(kit: Kit) -> None:
    """B18: like one that nobody has."""
    wanted = {"currency": "EUR", "amount_minor": 1, "reason": "x"}
    answers = [
        kit.call("credit_note_create", {**wanted, "invoice_reference": reference}, by=GLOBEX)
        for reference in (finalized(kit), "INV-1999-0001")
    ]

    assert (answers[0].code, answers[0].fault) == ("unknown_invoice", answers[1].fault)


@pytest.mark.parametrize("amount", [0, -1, 1.5, "100", 10**13])
def test_an_amount_is_above_zero_and_whole(kit: Kit, amount: object) -> None:
    """A1, C1: in minor units; what is taken back is not negative."""
    answer = _credit(kit, "INV-2026-0089", amount)

    assert (answer.code, answer.paths) == ("invalid_arguments", ["amount_minor"])


def test_revenue_is_less_by_what_was_taken_back(kit: Kit) -> None:
    """A15, A16: without tax, on the day of the note, and below zero where nothing else was invoiced."""
    number = finalized(kit)
    arrange(kit, "UPDATE invoice SET issued_ms = issued_ms - 864000000 WHERE invoice_reference = ?", (number,))
    _credit(kit, number, 12_100)
    report = kit.call(
        "revenue_report",
        {"first_day": "2026-11-01", "before": "2026-11-02", "time_zone": "UTC", "group_by": "day"},
    ).structured

    assert report["totals"] == [{"currency": "EUR", "revenue_minor": -10_000, "invoices": 0}]


def test_a_customers_credit_is_free_again_by_what_was_taken_back(kit: Kit) -> None:
    """A6: Harbour Supplies owes 1,062,217 in EUR; its limit is 3,000,000."""
    harbour = {"account_id": "19ca14e7-ea63-48a4-ae0d-5c8e3b6f7a22", "currency": "EUR"}
    order = {**harbour, "lines": [{"sku": "SRV-0100", "quantity": 14, "unit_price_minor": 140_000}]}
    held = kit.call("quote_preview", order).structured["flags"]
    _credit(kit, "INV-2026-0089", 87_291)

    assert ("credit_hold" in held, "credit_hold" in kit.call("quote_preview", order).structured["flags"]) == (
        True,
        False,
    )


_ROWS = st.lists(
    st.builds(
        TaxRow,
        category=st.just(Category("S")),
        percent=st.just("21"),
        taxable_minor=st.integers(0, 10**9),
        tax_minor=st.integers(0, 10**8),
    ),
    min_size=1,
    max_size=5,
)


@given(_ROWS, st.lists(st.integers(1, 10**9), max_size=8))
def test_notes_of_any_amounts_leave_no_cent_behind(rows: list[TaxRow], wanted: list[int]) -> None:
    """A15: after each of them, what was taken and what is left are what there was, and none of it is below zero."""
    there = [(row.taxable_minor, row.tax_minor) for row in rows]
    gone = [(0, 0) for _ in rows]
    left, rest = rows, sum(map(sum, there))
    for most in [*wanted, rest]:
        amount = min(most, sum(row.taxable_minor + row.tax_minor for row in left))
        if not amount:
            break
        split = taken_back(left, amount)
        assert sum(row.taxable_minor + row.tax_minor for row in split.taken) == amount
        assert all(min(row.taxable_minor, row.tax_minor) >= 0 for row in (*split.taken, *split.left))
        gone = [(a + row.taxable_minor, b + row.tax_minor) for (a, b), row in zip(gone, split.taken, strict=True)]
        left = split.left
    assert gone == there
