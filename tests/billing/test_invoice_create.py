"""`invoice_create`: drafts, computed by the rules of the customer's place."""

from __future__ import annotations

from typing import Any

import pytest

from fourfold.testing import Kit
from tests.billing.books import ACCOUNT, GLOBEX, arrange, draft, drafted, invoice_line, order

_KEY = "invoice-for-sol-november"


def _read(kit: Kit, reference: str) -> dict[str, Any]:
    return kit.call("invoice_get", {"invoice_reference": reference}).structured


def test_a_draft_has_its_figures_and_no_number(kit: Kit) -> None:
    """C3, A15: 7.5 hours at 64.90 are 486.75; 21 % of it are 102.2175 and rounded once, half-up."""
    answer = kit.call("invoice_create", draft())

    assert answer.structured == {
        "invoice_reference": "DRAFT-000161",
        "state": "draft",
        "version": "1",
        "allowed_actions": ["invoice_update_draft", "invoice_finalize", "invoice_plan_delete_draft"],
        "customer_reference": "C-000006",
        "customer_name": "Papelería Sol",
        "due_on": "2026-12-01",
        "currency": "EUR",
        "amount_minor": 58_897,
        "credited_minor": 0,
        "totals": {
            "lines_minor": 48_675,
            "allowances_minor": 0,
            "charges_minor": 0,
            "without_tax_minor": 48_675,
            "tax_minor": 10_222,
            "with_tax_minor": 58_897,
            "withheld_minor": 0,
            "prepaid_minor": 0,
        },
    }
    assert answer.writes == 2


def test_everything_that_an_invoice_has_is_in_its_sums(kit: Kit) -> None:
    """C3, A15: line and document adjustments, two rates, a base quantity, withholding, and what is paid already.

    100 kWh at 15.1234 for 10 are 151.234, so 151.23; less 10 % (15.12) and 1.11 are 135.00. 20 at 3 are 60.00. Less 5 %
    of what bears 21 % (6.75) and plus 4.00 that bear 10 %: 128.25 and 64.00 bear 26.93 and 6.40. Withheld are 15 % of
    192.25, 28.84.
    """
    off = {"kind": "allowance", "reason": "Regular customer"}
    energy = invoice_line(
        "100", "15.1234", base_quantity=10,
        adjustments=[{**off, "by": "percent", "percent": "10"}, {**off, "by": "amount", "amount_minor": 111}],
    )  # fmt: skip
    meals = invoice_line("20", "3", tax_rate="reduced")
    freight = {"kind": "charge", "reason": "Freight", "by": "amount", "amount_minor": 400, "tax_rate": "reduced"}
    adjustments = [{**off, "by": "percent", "percent": "5", "tax_rate": "general"}, freight]
    reference = drafted(kit, energy, meals, adjustments=adjustments, irpf_rate="15", prepaid_minor=2_000)
    read = _read(kit, reference)

    assert [line["net_minor"] for line in read["lines"]] == [13_500, 6_000]
    assert [each["amount_minor"] for each in read["lines"][0]["adjustments"]] == [1_512, 111]
    assert [each["amount_minor"] for each in read["adjustments"]] == [675, 400]
    assert read["taxes"] == [
        {"category": "S", "percent": "21", "taxable_minor": 12_825, "tax_minor": 2_693},
        {"category": "S", "percent": "10", "taxable_minor": 6_400, "tax_minor": 640},
    ]
    assert read["totals"] == {
        "lines_minor": 19_500,
        "allowances_minor": 675,
        "charges_minor": 400,
        "without_tax_minor": 19_225,
        "tax_minor": 3_333,
        "with_tax_minor": 22_558,
        "withheld_minor": 2_884,
        "prepaid_minor": 2_000,
    }
    assert read["amount_minor"] == 17_674


@pytest.mark.parametrize(
    ("customer", "operation", "tax"),
    [
        ("C-000006", "service", ("S", 2_100)),
        ("C-000006", "goods", ("S", 2_100)),
        ("C-000005", "service", ("O", 0)),
        ("C-000005", "goods", ("G", 0)),
        ("C-000001", "service", ("AE", 0)),
        ("C-000001", "goods", ("K", 0)),
        ("C-000003", "service", ("O", 0)),
        ("C-000003", "goods", ("G", 0)),
    ],
)
def test_the_tax_follows_from_the_customers_place_and_what_is_supplied(
    kit: Kit, customer: str, operation: str, tax: tuple[str, int]
) -> None:
    """C3: no argument says where the customer is; where nothing is charged, the invoice says why."""
    reference = drafted(kit, invoice_line("1", "100"), customer=customer, operation_type=operation)
    (row,) = _read(kit, reference)["taxes"]

    assert (row["category"], row["tax_minor"]) == tax
    assert ("mention" in row) == (tax[1] == 0)


def test_a_company_in_the_canary_islands_charges_igic(kit: Kit) -> None:
    """C3: where a company supplies from is in the books: a setting of the tenant, and no argument."""
    answer = kit.call("invoice_create", draft(invoice_line("1", "100"), customer="C-000002"), by=GLOBEX)

    assert answer.structured["totals"]["tax_minor"] == 700
    assert answer.structured["amount_minor"] == 10_700


def test_what_the_books_have_no_rule_for_is_refused(kit: Kit) -> None:
    """C3, A4: a person decides, and nothing is guessed."""
    zero = kit.call("invoice_create", draft(invoice_line(tax_rate="zero")))
    abroad = kit.call("invoice_create", draft(customer="C-000001", irpf_rate="15"))

    assert (zero.code, zero.paths) == ("tax_not_covered", ["lines.0.tax_rate"])
    assert zero.problems[0].expected.startswith("must be one of general, reduced")
    assert (abroad.code, abroad.paths) == ("withholding_not_covered", ["irpf_rate"])
    assert kit.writes == 0


@pytest.mark.parametrize(
    "order_",
    [
        draft(invoice_line(adjustments=[{"kind": "allowance", "reason": "x", "by": "amount", "amount_minor": 48_676}])),
        draft(prepaid_minor=58_898),
        draft(invoice_line("99999999.9999", "99999999.999999")),
        draft(*[invoice_line("1", "99999999.99")] * 101),
    ],
    ids=["line below zero", "paid too much", "line too large", "sum too large"],
)
def test_a_figure_out_of_range_is_refused(kit: Kit, order_: dict[str, Any]) -> None:
    """A4, A15: nothing below zero, and nothing that JSON would round."""
    answer = kit.call("invoice_create", order_)

    assert (answer.code, answer.writes) == ("amount_out_of_range", 0)


def test_an_unknown_customer_is_named(kit: Kit) -> None:
    """C3, A4: and the answer says what to do."""
    answer = kit.call("invoice_create", draft(customer="C-000999"))

    assert (answer.code, answer.paths, answer.writes) == ("unknown_customer", ["customer_reference"], 0)
    assert answer.fault is not None
    assert answer.fault.message == "No customer C-000999 is visible to you"
    assert "customer_find" in answer.fault.next_step


def test_a_customer_of_another_tenant_is_as_unknown_as_none(kit: Kit) -> None:
    """B18: but for the reference that was asked for, the two answers are equal."""
    foreign = kit.call("invoice_create", draft(customer="C-000006"), by=GLOBEX)
    made_up = kit.call("invoice_create", draft(customer="C-000999"), by=GLOBEX)

    assert repr(foreign.fault).replace("C-000006", "C-000999") == repr(made_up.fault)
    assert kit.writes == 0


def test_the_same_key_makes_one_draft(kit: Kit) -> None:
    """B9: a repeat gets the first answer; other arguments under the key are a conflict."""
    first = kit.call("invoice_create", draft(), key=_KEY)
    again = kit.call("invoice_create", draft(), key=_KEY)
    other = kit.call("invoice_create", draft(invoice_line("8")), key=_KEY)

    assert (again.structured, again.replayed, again.writes) == (first.structured, True, 0)
    assert (other.code, other.writes) == ("idempotency_conflict", 0)


def test_a_draft_again_without_a_key_is_asked_about(kit: Kit) -> None:
    """B9: two that are meant take two keys, and are two."""
    kit.call("invoice_create", draft())
    twin = kit.call("invoice_create", draft())
    meant = kit.call("invoice_create", draft(), key=_KEY)

    assert (twin.code, twin.writes) == ("possible_duplicate", 0)
    assert meant.structured["invoice_reference"] == "DRAFT-000162"


def test_a_draft_is_changed_by_nothing_that_changes_the_customer(kit: Kit) -> None:
    """C3: what was computed stays, also when the customer moves; the address of a past supply is no news."""
    reference = drafted(kit)
    before = _read(kit, reference)
    arrange(kit, "UPDATE customer SET client_location = 'world' WHERE customer_reference = 'C-000006'")

    assert _read(kit, reference) == before


def test_a_draft_uses_up_no_credit_and_a_final_invoice_does(kit: Kit) -> None:
    """B17, C3: Nordic Outfitters may owe 50,000.00; 49,950.00 and a quote of 75.00 are more."""
    lines = [invoice_line("1", "49950")]
    reference = drafted(kit, *lines, customer="C-000001")
    before = kit.call("quote_preview", order(account=ACCOUNT))
    kit.call("invoice_finalize", {"invoice_reference": reference, "expected_version": "1"})
    after = kit.call("quote_preview", order(account=ACCOUNT))

    assert before.structured["flags"] == ["below_floor"]
    assert after.structured["flags"] == ["below_floor", "credit_hold", "manual_review"]


def test_two_lines_that_are_alike_are_two_lines(kit: Kit) -> None:
    """C3: nobody can tell a mistake from a second delivery, so both are billed and the draft shows it."""
    once, twice = (kit.call("invoice_create", draft(*[invoice_line()] * count)) for count in (1, 2))

    assert (once.structured["totals"]["lines_minor"], twice.structured["totals"]["lines_minor"]) == (48_675, 97_350)


_INFINITE = float("inf")
_NOT_A_NUMBER = float("nan")


@pytest.mark.parametrize(
    ("changes", "path"),
    [
        ({"lines": []}, "lines"),
        ({"lines": [invoice_line()] * 201}, "lines"),
        ({"lines": [invoice_line(7.5)]}, "lines.0.quantity"),
        ({"lines": [invoice_line(_NOT_A_NUMBER)]}, "lines.0.quantity"),
        ({"lines": [invoice_line("NaN")]}, "lines.0.quantity"),
        ({"lines": [invoice_line("Infinity")]}, "lines.0.quantity"),
        ({"lines": [invoice_line("0")]}, "lines.0.quantity"),
        ({"lines": [invoice_line("-1")]}, "lines.0.quantity"),
        ({"lines": [invoice_line("1e3")]}, "lines.0.quantity"),
        ({"lines": [invoice_line("1.00001")]}, "lines.0.quantity"),
        ({"lines": [invoice_line("1,5")]}, "lines.0.quantity"),
        ({"lines": [invoice_line("٣")]}, "lines.0.quantity"),
        ({"lines": [invoice_line("9" * 400)]}, "lines.0.quantity"),
        ({"lines": [invoice_line(price=_INFINITE)]}, "lines.0.unit_price"),
        ({"lines": [invoice_line(price="-0.01")]}, "lines.0.unit_price"),
        ({"lines": [invoice_line(price="1.0000001")]}, "lines.0.unit_price"),
        ({"lines": [invoice_line(base_quantity=0)]}, "lines.0.base_quantity"),
        ({"lines": [invoice_line(tax_rate="21")]}, "lines.0.tax_rate"),
        ({"lines": [invoice_line(description="")]}, "lines.0.description"),
        ({"lines": [invoice_line(description="x" * 201)]}, "lines.0.description"),
        ({"lines": [invoice_line(net_minor=100)]}, "lines.0.net_minor"),
        ({"prepaid_minor": 2**63}, "prepaid_minor"),
        ({"prepaid_minor": 10**12 + 1}, "prepaid_minor"),
        ({"prepaid_minor": 100.75}, "prepaid_minor"),
        ({"prepaid_minor": True}, "prepaid_minor"),
        ({"irpf_rate": "100.01"}, "irpf_rate"),
        ({"irpf_rate": "-1"}, "irpf_rate"),
        ({"irpf_rate": "15 %"}, "irpf_rate"),
        ({"irpf_rate": 15}, "irpf_rate"),
        ({"currency": "JPY"}, "currency"),
        ({"currency": "eur"}, "currency"),
        ({"operation_type": "services"}, "operation_type"),
        ({"customer_reference": "C-００００１"}, "customer_reference"),
        ({"due_on": "2026-02-30"}, "due_on"),
        ({"due_on": "01.12.2026"}, "due_on"),
        ({"supplied_at": "2026-11-01T09:00:00"}, "supplied_at"),
        ({"status": "final"}, "status"),
        ({"client_location": "world"}, "client_location"),
        ({"tenant": "globex"}, "tenant"),
    ],
)
def test_what_is_no_invoice_is_refused_by_its_path(kit: Kit, changes: dict[str, Any], path: str) -> None:
    """A2, A1, C1, B18: before the books are touched."""
    answer = kit.call("invoice_create", draft(**changes))

    assert (answer.kind, answer.paths, answer.writes) == ("invalid", [path], 0)


@pytest.mark.parametrize("rate", ["0", "100", "100.00", "7", "15.5", "0.01"])
def test_a_withholding_from_0_to_100_percent_is_taken(kit: Kit, rate: str) -> None:
    """C3: both ends are rates."""
    assert kit.call("invoice_create", draft(irpf_rate=rate)).ok


@pytest.mark.parametrize("currency", ["EUR", "USD", "GBP", "DKK", "SEK", "NOK", "CNY"])
def test_an_invoice_is_in_the_currency_that_was_said(kit: Kit, currency: str) -> None:
    """C3, A16: seven are known, and none of them is the default."""
    answer = kit.call("invoice_create", draft(currency=currency))

    assert (answer.structured["currency"], answer.structured["amount_minor"]) == (currency, 58_897)


def test_a_currency_is_never_assumed(kit: Kit) -> None:
    """A16: left out, it is asked for."""
    order_ = draft()
    del order_["currency"]

    assert kit.call("invoice_create", order_).paths == ["currency"]
