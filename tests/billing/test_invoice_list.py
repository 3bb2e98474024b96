"""`invoice_list`: unpaid invoices of the caller's tenant, in pages that neither skip nor repeat."""

from __future__ import annotations

from typing import Any

import pytest

from fourfold.testing import Answer, Kit, caller
from tests.billing.books import GLOBEX, arrange, drafted, finalized

_READER = caller("reader@acme")


def _references(answer: Answer) -> list[str]:
    return [item["invoice_reference"] for item in answer.structured["items"]]


def _walk(kit: Kit, arguments: dict[str, Any]) -> list[Answer]:
    """Every page, in order."""
    pages = [kit.call("invoice_list", arguments)]
    while pages[-1].structured["has_more"]:
        pages.append(kit.call("invoice_list", {**arguments, "cursor": pages[-1].structured["next_cursor"]}))
    return pages


def _issue(kit: Kit, reference: str, *, due_on: str) -> None:
    sql = """
    INSERT INTO invoice (tenant, draft_reference, invoice_reference, state, customer_reference, account_id, currency,
      amount_minor, without_tax_minor, with_tax_minor, issued_on, issued_ms, due_on, paid_on, document, version)
    SELECT tenant, ?, ?, state, customer_reference, account_id, currency, amount_minor,
      without_tax_minor, with_tax_minor, issued_on, issued_ms, ?, paid_on, document, version
    FROM invoice WHERE tenant = 'acme' AND invoice_reference = 'INV-2026-0031'
    """
    arrange(kit, sql, (reference, reference, due_on))


def test_a_page_holds_fifty_invoices_the_earliest_due_first(kit: Kit) -> None:
    """B17: bounded without being asked, each with its own currency and no sum over them."""
    page = kit.call("invoice_list").structured

    assert (page["returned"], len(page["items"]), page["has_more"]) == (50, 50, True)
    assert page["items"][0] == {
        "invoice_reference": "INV-2026-0031",
        "customer_name": "Kestrel Analytics",
        "status": "overdue",
        "due_on": "2026-05-04",
        "currency": "USD",
        "amount_minor": 77_989,
    }
    assert {item["currency"] for item in page["items"]} == {"EUR", "USD", "CNY"}
    assert set(page) == {"items", "returned", "has_more", "next_cursor", "source", "as_of"}


def test_a_walk_meets_every_unpaid_invoice_once_and_in_order(kit: Kit) -> None:
    """B17, A16: 130 of them; nothing stops at a limit without saying so, and the end has no cursor."""
    pages = _walk(kit, {})

    assert [page.structured["returned"] for page in pages] == [50, 50, 30]
    assert [found for page in pages for found in _references(page)] == [f"INV-2026-{n:04}" for n in range(31, 161)]
    assert "next_cursor" not in pages[-1].structured


@pytest.mark.parametrize("limit", [1, 7, 50])
def test_a_walk_is_the_same_in_pages_of_any_size(kit: Kit, limit: int) -> None:
    """B17: pages end between two invoices that are due on one day, too."""
    pages = _walk(kit, {"status": "overdue", "limit": limit})

    assert [found for page in pages for found in _references(page)] == [f"INV-2026-{n:04}" for n in range(31, 91)]
    assert all(page.structured["returned"] <= limit for page in pages)


def test_open_and_overdue_do_not_overlap(kit: Kit) -> None:
    """B17: 60 were due before 1 November 2026, 70 are due from then on; the 30 that are paid are in neither."""
    overdue = _walk(kit, {"status": "overdue"})
    still_open = _walk(kit, {"status": "open"})

    assert sum(len(_references(page)) for page in overdue) == 60
    assert sum(len(_references(page)) for page in still_open) == 70
    assert {item["status"] for page in overdue for item in page.structured["items"]} == {"overdue"}
    assert {item["status"] for page in still_open for item in page.structured["items"]} == {"open"}


def test_an_invoice_is_overdue_from_the_day_after_it_is_due(kit: Kit) -> None:
    """B17: INV-2026-0091 is due on 3 November; the day ends at midnight in Madrid, where acme is."""
    first_open = {"status": "open", "limit": 1}
    kit.clock.ms = 1_793_746_799_999
    assert _references(kit.call("invoice_list", first_open)) == ["INV-2026-0091"]

    kit.clock.ms = 1_793_746_800_000
    assert _references(kit.call("invoice_list", first_open)) == ["INV-2026-0092"]


def test_invoices_that_are_added_on_the_way_shift_no_page(kit: Kit) -> None:
    """B17, B10: one before the cursor is not met, one behind it is, and nothing comes twice."""
    first = kit.call("invoice_list", {"status": "overdue"})
    _issue(kit, "INV-2026-9001", due_on="2026-05-05")
    _issue(kit, "INV-2026-9002", due_on="2026-10-25")
    second = kit.call("invoice_list", {"status": "overdue", "cursor": first.structured["next_cursor"]})

    assert _references(second) == [*(f"INV-2026-{n:04}" for n in range(81, 91)), "INV-2026-9002"]


def test_an_invoice_that_is_paid_on_the_way_shifts_no_page(kit: Kit) -> None:
    """B17: not even the one that the cursor stands on."""
    first = kit.call("invoice_list", {"status": "overdue"})
    arrange(
        kit, "UPDATE invoice SET paid_on = '2026-11-01' WHERE invoice_reference IN ('INV-2026-0080', 'INV-2026-0081')"
    )
    second = kit.call("invoice_list", {"status": "overdue", "cursor": first.structured["next_cursor"]})

    assert _references(second)[0] == "INV-2026-0082"
    assert len(_references(second)) == 9


def test_another_tenant_sees_its_own_invoices_and_no_others(kit: Kit) -> None:
    """B17, B18: some references exist in both; the amounts show whose they are."""
    page = kit.call("invoice_list", by=GLOBEX)

    assert _references(page) == [f"INV-2026-{n:04}" for n in range(125, 145)]
    assert {item["customer_name"] for item in page.structured["items"]} == {"Meridian Foods"}


def test_a_cursor_is_good_for_its_caller_and_its_filter_alone(kit: Kit) -> None:
    """B10: another tenant, a colleague, another filter, another tool; the answers are the same."""
    cursor = kit.call("invoice_list", {"status": "overdue", "limit": 10}).structured["next_cursor"]
    foreign = [
        kit.call("invoice_list", {"status": "overdue", "limit": 10, "cursor": cursor}, by=GLOBEX),
        kit.call("invoice_list", {"status": "overdue", "limit": 10, "cursor": cursor}, by=_READER),
        kit.call("invoice_list", {"status": "open", "limit": 10, "cursor": cursor}),
        kit.call("invoice_list", {"limit": 10, "cursor": cursor}),
        kit.call("account_find", {"query": "harbour", "cursor": cursor}),
    ]

    assert {answer.code for answer in foreign} == {"cursor_invalid"}
    assert len({repr(answer.fault) for answer in foreign}) == 1


def test_a_cursor_takes_another_page_size(kit: Kit) -> None:
    """B10: it binds the filter and the position, not the limit."""
    cursor = kit.call("invoice_list", {"limit": 1}).structured["next_cursor"]
    page = kit.call("invoice_list", {"limit": 2, "cursor": cursor})

    assert _references(page) == ["INV-2026-0032", "INV-2026-0033"]


def test_a_cursor_that_was_changed_is_refused(kit: Kit) -> None:
    """B10: sealed, so that nobody starts where they like."""
    cursor = kit.call("invoice_list").structured["next_cursor"]
    changed = [cursor[:-2] + "AA", cursor + "A", cursor.upper(), "2026-05-04", " "]

    assert {kit.call("invoice_list", {"cursor": each}).code for each in changed} == {"cursor_invalid"}


def test_a_cursor_expires_after_a_day(kit: Kit) -> None:
    """B10: and the answer says how to go on."""
    cursor = kit.call("invoice_list").structured["next_cursor"]
    kit.clock.advance(24 * 3_600 + 1)
    answer = kit.call("invoice_list", {"cursor": cursor})

    assert answer.paths == ["cursor"]
    assert answer.fault is not None
    assert answer.fault.next_step == "Leave cursor out to start at the first page"


@pytest.mark.parametrize(
    ("arguments", "path"),
    [
        ({"limit": 0}, "limit"),
        ({"limit": 51}, "limit"),
        ({"limit": "10"}, "limit"),
        ({"status": "paid"}, "status"),
        ({"status": "Overdue"}, "status"),
        ({"tenant": "globex"}, "tenant"),
    ],
)
def test_a_list_outside_the_contract_is_refused(kit: Kit, arguments: dict[str, object], path: str) -> None:
    """A2, B17, B19: at most 50 a page, and two words for the filter."""
    assert kit.call("invoice_list", arguments).paths == [path]


def test_books_without_unpaid_invoices_are_an_empty_page(kit: Kit) -> None:
    """B17: nothing overdue is an answer, not a fault."""
    arrange(kit, "UPDATE invoice SET paid_on = due_on WHERE tenant = 'acme'")

    assert kit.call("invoice_list").structured == {
        "items": [],
        "returned": 0,
        "has_more": False,
        "source": "the company's books",
        "as_of": "2026-11-01T00:00:00Z",
    }


def test_a_page_says_as_of_when_it_was_true(kit: Kit) -> None:
    """B17, B3: two pages of one walk may be of two instants, and each says its own."""
    first = kit.call("invoice_list", {"limit": 1})
    kit.clock.advance(90)
    second = kit.call("invoice_list", {"limit": 1, "cursor": first.structured["next_cursor"]})

    assert [page.structured["as_of"] for page in (first, second)] == ["2026-11-01T00:00:00Z", "2026-11-01T00:01:30Z"]


def test_a_draft_is_in_no_list_until_it_is_final(kit: Kit) -> None:
    """B17, C3: a draft is owed by nobody."""
    drafted(kit, due_on="2026-11-02")
    before = kit.call("invoice_list", {"status": "open", "limit": 1})
    number = finalized(kit, due_on="2026-11-02")
    after = kit.call("invoice_list", {"status": "open", "limit": 1})

    assert (_references(before), _references(after)) == (["INV-2026-0091"], [number])
