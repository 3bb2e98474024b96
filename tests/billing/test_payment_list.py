"""`payment_list`: how an invoice was paid, and what may be paid back."""

from __future__ import annotations

from fourfold.testing import Answer, Kit, caller
from tests.billing.books import GLOBEX, arrange

_INSERT = """
INSERT INTO payment (tenant, payment_id, draft_reference, currency, amount_minor, received_on, version)
VALUES ('acme', ?, 'DRAFT-000002', 'EUR', 100, ?, 1)
"""


def _list(kit: Kit, reference: str, **page: object) -> Answer:
    return kit.call("payment_list", {"invoice_reference": reference, **page})


def test_a_payment_is_listed_with_its_version_and_what_may_be_done(kit: Kit) -> None:
    """C8, B3: the refund tool takes this version, and is named because there is something to pay back."""
    assert _list(kit, "INV-2026-0002").structured == {
        "items": [
            {
                "payment_id": "PAY-000002",
                "invoice_reference": "INV-2026-0002",
                "received_on": "2026-03-02",
                "currency": "EUR",
                "amount_minor": 28_338,
                "refundable_minor": 28_338,
                "pending_minor": 0,
                "version": "1",
                "allowed_actions": ["payment_plan_refund"],
            }
        ],
        "returned": 1,
        "has_more": False,
    }
    assert kit.runs()[0].tool == "payment_list"


def test_an_invoice_without_payments_has_an_empty_page(kit: Kit) -> None:
    """B3: it is known, and nobody paid it; the reference of its draft finds the same."""
    assert _list(kit, "INV-2026-0031").structured == {"items": [], "returned": 0, "has_more": False}
    assert _list(kit, "DRAFT-000002").structured["returned"] == 1


def test_many_payments_come_in_pages_by_day(kit: Kit) -> None:
    """B3, B10: at most 20; a walk meets each of them once."""
    for number in range(900_001, 900_046):
        arrange(kit, _INSERT, (f"PAY-{number}", f"2026-04-{1 + number % 3:02}"))
    found: list[str] = []
    cursor: dict[str, object] = {}
    while True:
        page = _list(kit, "INV-2026-0002", **cursor).structured
        found += [f"{item['received_on']} {item['payment_id']}" for item in page["items"]]
        if not page["has_more"]:
            break
        cursor = {"cursor": page["next_cursor"]}

    assert (len(found), len(set(found)), found) == (46, 46, sorted(found))


def test_a_foreign_and_a_made_up_invoice_are_unknown(kit: Kit) -> None:
    """B18: globex has no INV-2026-0002."""
    answers = [
        kit.call("payment_list", {"invoice_reference": reference}, by=GLOBEX)
        for reference in ("INV-2026-0002", "INV-1999-0002")
    ]

    assert (answers[0].code, answers[0].fault) == ("unknown_invoice", answers[1].fault)


def test_payments_need_a_scope_of_their_own(kit: Kit) -> None:
    """B18: who may read invoices may not read how they were paid."""
    reader = caller("reader@acme", scopes=["invoices:read"])

    assert kit.call("payment_list", {"invoice_reference": "INV-2026-0002"}, by=reader).code == "unknown_tool"
