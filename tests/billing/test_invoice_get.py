"""`invoice_get`: one invoice by the reference that users know."""

from __future__ import annotations

import pytest

from fourfold.testing import Kit
from tests.billing.books import GLOBEX, OWING, arrange


def test_an_invoice_is_read_by_its_reference(kit: Kit) -> None:
    """B3, C8: with the version that a change of it has to name."""
    answer = kit.call("invoice_get", {"invoice_reference": "INV-2026-0089"})

    assert answer.structured == {
        "invoice_reference": "INV-2026-0089",
        "account_id": OWING,
        "account_name": "Harbour Supplies",
        "status": "overdue",
        "issued_on": "2026-07-27",
        "due_on": "2026-10-25",
        "currency": "EUR",
        "amount_minor": 87_291,
        "version": "1",
    }


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

    assert (mine.structured["account_name"], mine.structured["due_on"]) == ("Harbour Supplies North", "2026-12-21")
    assert (theirs.structured["account_name"], theirs.structured["due_on"]) == ("Meridian Foods", "2026-10-25")


@pytest.mark.parametrize("reference", ["inv-2026-0089", "INV-2026-89", "INV-2026-00891", "INV-２０２６-0089", "", 89])
def test_what_is_no_reference_is_refused_by_its_path(kit: Kit, reference: object) -> None:
    """A2, B2: the shape is in the schema, so it costs no look-up."""
    answer = kit.call("invoice_get", {"invoice_reference": reference})

    assert (answer.kind, answer.paths) == ("invalid", ["invoice_reference"])


def test_a_run_names_the_account_of_the_invoice(kit: Kit) -> None:
    """A9: the caller named an invoice, the books know whose it is."""
    kit.call("invoice_get", {"invoice_reference": "INV-2026-0089"})

    assert kit.runs()[0].subject == OWING
