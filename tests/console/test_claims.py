"""The pages of claims: operations of which nobody knows, and settling them with evidence."""

from __future__ import annotations

import json
from collections.abc import Generator

import pytest

from fourfold.testing import Answer, caller
from tests.console.desk import Browser, Desk, open_desk, operator
from tests.stages.bank import PAYMENT, Bank, catalog_of
from tests.stages.behind import inside

KEY = "k" * 16


@pytest.fixture
def bank() -> Bank:
    """A bank that pays and whose answer is lost."""
    return Bank(mood="loses answers")


@pytest.fixture
def desk(bank: Bank) -> Generator[Desk]:
    """The console of refunds at the bank."""
    with open_desk(catalog_of(bank, kind="blind")) as opened:
        yield opened


def refund(desk: Desk, *, tenant: str = "acme") -> Answer:
    """Ask for one refund, with the same key each time."""
    return desk.kit.call("refund_create", {"payment_id": PAYMENT}, by=caller(tenant=tenant), key=KEY)


def unknown(desk: Desk, *, tenant: str = "acme") -> str:
    """A refund of which nobody knows; its operation id."""
    fault = refund(desk, tenant=tenant).fault
    assert fault is not None
    assert fault.code == "outcome_unknown"
    assert fault.operation_id is not None
    return fault.operation_id


def settle(browser: Browser, operation_id: str, **fields: str) -> tuple[int, str]:
    """Send the form of an operation's page; the status, and what the page says."""
    seen = browser.submit(f"/claims/{operation_id}", **fields)
    return seen.status, seen.words


def test_unknown_operations_are_what_the_page_begins_with(desk: Desk) -> None:
    """D5, D2: with the way to the run, and what to do first."""
    operation_id = unknown(desk)
    browser = desk.deciding()
    assert operation_id in browser.get("/claims").words
    words = browser.get(f"/claims/{operation_id}").words
    assert "It may or may not have happened. Look in the other system first" in words
    assert "Effect external_blind" in words
    assert "Nobody has decided anything about it." in words


def test_what_happened_is_settled_with_what_it_returned(desk: Desk, bank: Bank) -> None:
    """D5, D2: a repeat is answered with it, and the bank is not asked again."""
    operation_id = unknown(desk)
    browser = desk.deciding()
    status, _ = settle(
        browser, operation_id, said="happened", evidence="re-1 in the bank's list", result='{"refund": "re-1"}'
    )
    assert status == 303
    assert (
        "claim_settled by boss@acme: happened: re-1 in the bank's list" in browser.get(f"/claims/{operation_id}").words
    )
    assert "Of every operation it is known whether it happened." in browser.get("/claims").words
    assert (refund(desk).structured, bank.requests) == ({"refund": "re-1"}, 1)


def test_what_did_not_happen_is_done_by_the_next_call_with_its_key(desk: Desk, bank: Bank) -> None:
    """D5, D2."""
    operation_id = unknown(desk)
    assert settle(desk.deciding(), operation_id, said="missed", evidence="not in the list")[0] == 303
    bank.mood = "calm"
    assert (refund(desk).structured, bank.requests) == ({"refund": "re-2"}, 2)


def test_what_never_will_happen_is_told_to_its_repeats(desk: Desk, bank: Bank) -> None:
    """D5, D2."""
    operation_id = unknown(desk)
    assert settle(desk.deciding(), operation_id, said="never", evidence="the customer withdrew")[0] == 303
    answer = refund(desk)
    assert (answer.code, bank.requests) == ("upstream_rejected", 1)


@pytest.mark.parametrize(
    ("fields", "why"),
    [
        ({"said": "happened", "evidence": "  "}, "say how you know"),
        ({"said": "", "evidence": "seen"}, "say whether it happened"),
        ({"said": "maybe", "evidence": "seen"}, "say whether it happened"),
        ({"said": "happened", "evidence": "seen", "result": "{"}, "that is no result of refund_create"),
        ({"said": "happened", "evidence": "seen", "result": '{"refund": 3}'}, "that is no result of refund_create"),
        ({"said": "happened", "evidence": "x" * 2_001}, "a reason has at most 2000 characters"),
    ],
)
def test_a_settlement_that_says_too_little_settles_nothing(desk: Desk, fields: dict[str, str], why: str) -> None:
    """D5, D2: nothing is changed, and the page says what is missing."""
    operation_id = unknown(desk)
    status, words = settle(desk.deciding(), operation_id, **fields)
    assert (status, why in words) == (409, True)
    assert refund(desk).code == "outcome_unknown"


def test_a_settled_operation_is_not_settled_again(desk: Desk) -> None:
    """D5: a page that is older than the decision."""
    operation_id = unknown(desk)
    browser = desk.deciding()
    csrf = browser.get(f"/claims/{operation_id}").field("csrf")
    for status in (303, 409):
        seen = browser.post(f"/claims/{operation_id}", csrf=csrf, said="happened", evidence="seen")
        assert seen.status == status


def test_somebody_who_only_looks_settles_nothing(desk: Desk) -> None:
    """D5: nor does an operator without the permission."""
    operation_id = unknown(desk)
    looking = desk.signed_in()
    page = looking.get(f"/claims/{operation_id}")
    assert "You see this operation and do not settle it." in page.words
    assert looking.post(f"/claims/{operation_id}", csrf=page.field("csrf"), said="missed", evidence="x").status == 403
    powerless = desk.deciding(operator("ana@acme", permissions=frozenset()))
    csrf = powerless.get("/claims").field("csrf")
    assert powerless.post(f"/claims/{operation_id}", csrf=csrf, said="missed", evidence="x").status == 409
    assert refund(desk).code == "outcome_unknown"


def test_an_operation_of_another_tenant_is_not_there(desk: Desk) -> None:
    """D5, B18: neither in the list, nor by its id, nor to be settled."""
    operation_id = unknown(desk, tenant="globex")
    browser = desk.deciding()
    csrf = browser.get("/claims").field("csrf")
    assert operation_id not in browser.get("/claims", state="all").text
    assert browser.get(f"/claims/{operation_id}").status == 404
    assert browser.post(f"/claims/{operation_id}", csrf=csrf, said="missed", evidence="x").status == 404
    assert browser.get("/claims/op_made_up").status == 404


def test_without_the_catalog_only_what_needs_no_contract_can_be_said(bank: Bank) -> None:
    """D5: no result is taken that nobody could check."""
    with open_desk(catalog_of(bank, kind="blind"), catalog=None) as desk:
        operation_id = unknown(desk)
        browser = desk.deciding()
        page = browser.get(f"/claims/{operation_id}")
        assert ('name="result"' in page.text, 'value="never"' in page.text) == (False, False)
        status, words = settle(browser, operation_id, said="never", evidence="seen")
        assert (status, "start the console with module:catalog" in words) == (409, True)
        assert settle(browser, operation_id, said="missed", evidence="seen")[0] == 303


def test_the_key_and_the_sealed_outcome_are_on_no_page(desk: Desk) -> None:
    """D5, B18: whoever has the key could ask for the outcome."""
    operation_id = unknown(desk)
    browser = desk.deciding()
    settle(browser, operation_id, said="happened", evidence="seen", result=json.dumps({"refund": "re-1"}))
    stored = inside(desk.kit, lambda at: desk.console.store.claims.operation(at.unit, operation_id))
    assert stored is not None
    assert stored.outcome is not None
    text = browser.get(f"/claims/{operation_id}").text + browser.get("/claims", state="all").text
    assert (KEY in text, stored.outcome in text) == (False, False)


def test_more_than_a_page_of_operations_is_shown_a_page_at_a_time(desk: Desk, bank: Bank) -> None:
    """D5: fifty, and a link to more."""
    bank.mood = "calm"
    for number in range(51):
        desk.kit.call("refund_create", {"payment_id": f"pay-{number}"}, key=f"key-{number:012}")
    browser = desk.signed_in()
    page = browser.get("/claims", state="done")
    assert page.text.count('<td class="time">') == 50
    assert "/claims?state=done&amp;rows=100" in page.text
    assert browser.get("/claims", state="done", rows="100").text.count('<td class="time">') == 51
    for rows in ("nonsense", "-1", "99999999999999999999", "²"):
        assert browser.get("/claims", state="done", rows=rows).status == 200
