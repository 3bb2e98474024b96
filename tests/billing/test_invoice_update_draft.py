"""`invoice_update_draft`: a draft says something else, and an issued invoice never does."""

from __future__ import annotations

from typing import Any

import pytest

from fourfold.testing import Answer, Kit
from tests.billing.books import GLOBEX, draft, drafted, finalized, invoice_line, read

_KEY = "change-of-the-november-draft"


def _change(kit: Kit, reference: str, *, version: str = "1", key: str | None = None, **changes: Any) -> Answer:
    arguments = {**draft(**changes), "invoice_reference": reference, "expected_version": version}
    return kit.call("invoice_update_draft", arguments, key=key)


def test_a_draft_is_replaced_and_computed_anew(kit: Kit) -> None:
    """C3, C8: two hours at 100.00 instead, for a customer who bears no tax; its reference stays."""
    reference = drafted(kit)
    line = invoice_line("2", "100", description="Advice")
    answer = _change(kit, reference, lines=[line], customer_reference="C-000001", due_on="2026-12-24", currency="USD")
    after = read(kit, reference)

    assert (answer.structured["version"], answer.structured["amount_minor"]) == ("2", 20_000)
    assert (after["customer_reference"], after["due_on"], after["currency"]) == ("C-000001", "2026-12-24", "USD")
    assert [each["description"] for each in after["lines"]] == ["Advice"]
    assert after["allowed_actions"] == ["invoice_update_draft", "invoice_finalize", "invoice_plan_delete_draft"]
    assert answer.writes == 1


def test_what_was_changed_is_what_is_issued(kit: Kit) -> None:
    """C3, A15: the figures of the last change."""
    reference = drafted(kit)
    _change(kit, reference, prepaid_minor=58_897)
    issued = kit.call("invoice_finalize", {"invoice_reference": reference, "expected_version": "2"}).structured

    assert (issued["amount_minor"], issued["status"]) == (0, "paid")


def test_an_issued_invoice_is_not_changed(kit: Kit) -> None:
    """C5, C3: the message names the action that comes first, and is the same for a customer that there is not."""
    number = finalized(kit)
    for customer in ("C-000006", "C-999999"):
        answer = _change(kit, number, version="2", customer_reference=customer)
        assert (answer.code, answer.writes) == ("wrong_state", 0)
        assert answer.fault is not None
        assert answer.fault.message == (
            "The invoice is final: draft an invoice before changing a draft (invoice_create comes first)"
        )


def test_a_change_of_an_old_version_is_refused_with_the_current_one(kit: Kit) -> None:
    """C8: two people change one draft, and neither loses their work without being told."""
    reference = drafted(kit)
    assert _change(kit, reference).ok
    late = _change(kit, reference, currency="USD")

    assert (late.code, late.writes) == ("stale_version", 0)
    assert late.fault is not None
    assert late.fault.current_version == "2"
    assert read(kit, reference)["currency"] == "EUR"


def test_a_repeat_with_its_key_gets_the_first_answer(kit: Kit) -> None:
    """D1: although the version is another one by then."""
    reference = drafted(kit)
    first, again = (_change(kit, reference, currency="USD", key=_KEY) for _ in range(2))

    assert (again.structured, again.replayed, again.writes) == (first.structured, True, 0)


def test_another_tenants_draft_is_unknown(kit: Kit) -> None:
    """B18: like one that nobody has."""
    arguments = {**draft(customer="C-000002"), "expected_version": "1"}
    theirs, nobodys = (
        kit.call("invoice_update_draft", {**arguments, "invoice_reference": reference}, by=GLOBEX)
        for reference in (drafted(kit), "DRAFT-000999")
    )

    assert (theirs.code, theirs.fault) == ("unknown_invoice", nobodys.fault)


@pytest.mark.parametrize(
    ("changes", "code"),
    [
        ({"customer_reference": "C-000999"}, "unknown_customer"),
        ({"irpf_rate": "15", "customer_reference": "C-000001"}, "withholding_not_covered"),
        ({"prepaid_minor": 58_898}, "amount_out_of_range"),
    ],
)
def test_what_cannot_be_drafted_cannot_be_changed_to(kit: Kit, changes: dict[str, Any], code: str) -> None:
    """C3, A4: the rules of invoice_create, and the draft stays as it was."""
    reference = drafted(kit)
    answer = _change(kit, reference, **changes)

    assert (answer.code, answer.writes, read(kit, reference)["version"]) == (code, 0, "1")


def test_a_change_takes_no_status_and_all_of_the_draft(kit: Kit) -> None:
    """C1, C3: what is left out would be gone, so that it cannot be left out by accident."""
    reference = drafted(kit)
    with_status = _change(kit, reference, status="final")
    short = kit.call("invoice_update_draft", {"invoice_reference": reference, "expected_version": "1"})

    assert (with_status.code, with_status.paths) == ("invalid_arguments", ["status"])
    assert sorted(short.paths) == ["currency", "customer_reference", "due_on", "lines", "operation_type"]
