"""`invoice_get`: one invoice by the reference that users know."""

from __future__ import annotations

from typing import Any

import pytest

from fourfold.testing import Kit
from tests.billing.books import GLOBEX, arrange, drafted, finalized, invoice_line

_SMALL = {"by": "percent", "kind": "charge", "reason": "x", "percent": "1"}


def test_an_invoice_is_read_by_its_reference(kit: Kit) -> None:
    """B3, C8: with the version that a change of it has to name."""
    answer = kit.call("invoice_get", {"invoice_reference": "INV-2026-0089"})

    assert answer.structured == {
        "invoice_reference": "INV-2026-0089",
        "state": "final",
        "status": "overdue",
        "version": "1",
        "allowed_actions": ["invoice_plan_send", "credit_note_create"],
        "customer_reference": "C-000003",
        "customer_name": "Harbour Supplies",
        "issued_on": "2026-07-27",
        "due_on": "2026-10-25",
        "currency": "EUR",
        "amount_minor": 87_291,
        "credited_minor": 0,
        "operation_type": "service",
        "irpf_rate": "0",
        "lines": [
            {
                "description": "Work on order 89",
                "quantity": "1",
                "unit_price": "872.91",
                "base_quantity": 1,
                "category": "O",
                "adjustments": [],
                "net_minor": 87_291,
            }
        ],
        "adjustments": [],
        "taxes": [
            {
                "category": "O",
                "taxable_minor": 87_291,
                "tax_minor": 0,
                "mention": "No sujeta a IVA, art. 69.Uno.1.º Ley 37/1992",
            }
        ],
        "totals": {
            "lines_minor": 87_291,
            "allowances_minor": 0,
            "charges_minor": 0,
            "without_tax_minor": 87_291,
            "tax_minor": 0,
            "with_tax_minor": 87_291,
            "withheld_minor": 0,
            "prepaid_minor": 0,
        },
    }


def test_a_draft_is_read_with_what_may_be_done_with_it(kit: Kit) -> None:
    """C8, C3: it has neither a number nor a day of issue, and it is not overdue, because nobody owes it."""
    answer = kit.call("invoice_get", {"invoice_reference": drafted(kit)})
    read = answer.structured

    assert (read["invoice_reference"], read["state"], read["version"]) == ("DRAFT-000161", "draft", "1")
    assert read["allowed_actions"] == ["invoice_update_draft", "invoice_finalize", "invoice_plan_delete_draft"]
    assert {"issued_on", "status"}.isdisjoint(read)


def test_the_reference_of_a_draft_stays_good(kit: Kit) -> None:
    """C3: what the user was told first finds the invoice that it became, by its number."""
    number = finalized(kit)
    answer = kit.call("invoice_get", {"invoice_reference": "DRAFT-000161"})

    assert answer.structured["invoice_reference"] == number == "INV-2026-0161"
    assert answer.structured == kit.call("invoice_get", {"invoice_reference": number}).structured


@pytest.mark.parametrize(
    ("count", "line"),
    [
        (200, {"description": "x", "quantity": "9999999.9999", "unit_price": "1", "tax_rate": "general"}),
        (150, invoice_line("999", "999", adjustments=[_SMALL] * 5)),
        (25, invoice_line(description="\U0001f4a1" * 200)),
    ],
    ids=["most lines", "most adjustments", "longest words"],
)
def test_the_largest_invoices_that_can_be_drafted_can_be_read(kit: Kit, count: int, line: dict[str, Any]) -> None:
    """B19, C3: what fits into the arguments of the write fits into the result of the read, which says more of it."""
    reference = drafted(kit, *[line] * count)

    assert len(kit.call("invoice_get", {"invoice_reference": reference}).structured["lines"]) == count


@pytest.mark.parametrize(
    ("reference", "status"), [("INV-2026-0001", "paid"), ("INV-2026-0090", "overdue"), ("INV-2026-0091", "open")]
)
def test_the_status_follows_from_payment_and_due_date(kit: Kit, reference: str, status: str) -> None:
    """B17: nobody sets it."""
    assert kit.call("invoice_get", {"invoice_reference": reference}).structured["status"] == status


def test_a_change_of_the_invoice_changes_its_version(kit: Kit) -> None:
    """C8: what was decided on the old one can be told from the new one."""
    arrange(
        kit,
        "UPDATE invoice SET paid_on = '2026-11-01', version = version + 1 WHERE invoice_reference = 'INV-2026-0089'",
    )
    answer = kit.call("invoice_get", {"invoice_reference": "INV-2026-0089"})

    assert (answer.structured["status"], answer.structured["version"]) == ("paid", "2")


def test_one_reference_is_another_invoice_in_each_tenant(kit: Kit) -> None:
    """B18: both companies have an INV-2026-0130."""
    mine = kit.call("invoice_get", {"invoice_reference": "INV-2026-0130"})
    theirs = kit.call("invoice_get", {"invoice_reference": "INV-2026-0130"}, by=GLOBEX)

    assert (mine.structured["customer_name"], mine.structured["due_on"]) == ("Harbour Supplies North", "2026-12-21")
    assert (theirs.structured["customer_name"], theirs.structured["due_on"]) == ("Meridian Foods", "2026-10-25")


@pytest.mark.parametrize(
    "reference", ["inv-2026-0089", "INV-2026-89", "INV-2026-00891", "INV-２０２６-0089", "DRAFT-1", "", 89]
)
def test_what_is_no_reference_is_refused_by_its_path(kit: Kit, reference: object) -> None:
    """A2, B2: the shape is in the schema, so it costs no look-up."""
    answer = kit.call("invoice_get", {"invoice_reference": reference})

    assert (answer.kind, answer.paths) == ("invalid", ["invoice_reference"])


def test_a_run_names_the_customer_of_the_invoice(kit: Kit) -> None:
    """A9: the caller named an invoice, the books know whose it is."""
    kit.call("invoice_get", {"invoice_reference": "INV-2026-0089"})

    assert kit.runs()[0].subject == "C-000003"
