"""The first page: what went on in the last hours, what waits for a person, and what failed last."""

from __future__ import annotations

from collections.abc import Generator
from decimal import Decimal

import pytest

from fourfold.adapters.sql.unit import own
from fourfold.runs.spending import TokenPrice
from fourfold.testing import caller
from tests.console.desk import Desk, open_desk
from tests.console.records import put, recent
from tests.stages.bank import PAYMENT, Bank, catalog_of
from tests.stages.behind import inside
from tests.stages.vault import vault
from tests.stores.records import message_of

PRICES = {"sage-1": TokenPrice(input=Decimal(5))}
ALONE = {"operation_id": "", "trace_id": "", "retry": ""}


@pytest.fixture
def desk() -> Generator[Desk]:
    """The console of the vault, with a price list."""
    with open_desk(vault(approval="second_person"), prices=PRICES) as opened:
        yield opened


def test_a_store_without_runs_says_so(desk: Desk) -> None:
    """D5."""
    words = desk.signed_in().get("/").words

    assert "Since 2026-10-31 01:00:00, as of 2026-11-01 00:00:00. No call in the last 24 hours." in words
    assert "Waits for a person Nothing. Newest failures None." in words


def test_calls_failures_times_retries_and_tokens_are_figures_with_a_line_each(desk: Desk) -> None:
    """A9, A14, D5: of the last day, by the hour."""
    slow = {"stage_us": {"invoke": 90_000}, **ALONE}
    fast = {"stage_us": {"invoke": 800}, **ALONE}
    repeated = {**fast, "outcome": "invalid", "code": "invalid_arguments", "retry": "after_fix"}
    put(desk, recent(desk, 7_300, **fast), recent(desk, 7_260, **fast), recent(desk, 20, **repeated))
    put(desk, recent(desk, 10, **slow), recent(desk, 90_000, **slow))

    seen = desk.signed_in().get("/")

    assert "Calls 4 up to 2 an hour" in seen.words
    assert "Failures 1 25.0 % of calls" in seen.words
    assert "p50 817 µs half of calls" in seen.words
    assert "p99 93.5 ms 99 of 100 calls" in seen.words
    assert "Retry rate 33.3 % 1 of 3" in seen.words
    assert "Tokens 800 estimated" in seen.words
    assert "Charged 100 EUR minor" in seen.words
    assert 'aria-label="Calls, each hour since 2026-10-31 01:00:00"' in seen.text
    assert seen.text.count("<polyline") == 6


def test_a_week_is_a_choice(desk: Desk) -> None:
    """D5."""
    put(desk, recent(desk, 10, **ALONE), recent(desk, 90_000, **ALONE))

    assert "Since 2026-10-25 01:00:00, as of 2026-11-01 00:00:00. Calls 2" in desk.signed_in().get("/?since=7d").words


def test_tokens_have_a_price_once_a_model_is_chosen(desk: Desk) -> None:
    """A9: 60 of the result and 110 of the definition, at five dollars a million; it stays an estimate."""
    put(desk, recent(desk, 10))
    browser = desk.signed_in()

    assert "Tokens 200 estimated" in browser.get("/").words
    assert "Tokens 200 $0.0008 estimated" in browser.get("/?model=sage-1").words
    assert "Tokens 200 estimated" in browser.get("/?model=nobody").words


def test_runs_that_no_sum_has_yet_are_counted(desk: Desk) -> None:
    """A9: so that nobody takes a late figure for a quiet hour."""
    desk.kit.call("document_get", {"document_id": "doc-1"})
    desk.kit.runs()

    words = desk.signed_in().get("/").words

    assert "as of 2026-11-01 00:00:00; 1 newer call is not in the sums yet." in words


def test_what_waits_for_a_person_is_counted(desk: Desk) -> None:
    """D5: a plan within its time, and a message that was never delivered."""
    desk.kit.call("document_plan_delete", {"document_id": "doc-1", "expected_version": "1"})
    messages = desk.kit.service.ports.messages
    inside(desk.kit, lambda found: messages.add(found.unit, message_of("msg-1")))
    inside(desk.kit, lambda found: messages.failed(found.unit, "msg-1", next_ms=None, error="refused"))
    browser = desk.signed_in()

    words = browser.get("/").words
    assert "1 plan waits for approval 1 message was never delivered: fourfold outbox list --state dead" in words

    desk.kit.clock.advance(3_600)
    assert "plan waits" not in browser.get("/").words


def test_an_unknown_operation_waits_for_a_person() -> None:
    """D5, D2."""
    with open_desk(catalog_of(Bank(mood="loses answers"), kind="blind")) as desk:
        desk.kit.call("refund_create", {"payment_id": PAYMENT}, key="k" * 16)

        words = desk.signed_in().get("/").words

    assert "1 operation is unknown: somebody has to find out whether it happened" in words


def test_many_that_wait_are_counted_up_to_a_hundred(desk: Desk) -> None:
    """D5: a page costs the same however many there are."""
    messages = desk.kit.service.ports.messages
    for number in range(102):
        inside(desk.kit, lambda found, number=number: messages.add(found.unit, message_of(f"msg-{number}")))
    inside(desk.kit, lambda found: own(found.unit).execute("UPDATE fourfold_message SET state = 'dead'"))

    assert "more than 100 messages were never delivered" in desk.signed_in().get("/").words


def test_the_five_newest_failures_lead_to_their_runs(desk: Desk) -> None:
    """A9."""
    failed = {"outcome": "rejected", "code": "credit_limit", **ALONE}
    put(desk, *[recent(desk, number, subject=f"acct-{number}", **failed) for number in range(1, 8)])
    put(desk, recent(desk, 0, subject="acct-0", **ALONE))

    text = desk.signed_in().get("/").text

    shown = [number for number in range(8) if f"acct-{number}<" in text]
    assert shown == [1, 2, 3, 4, 5]
    assert '<a href="/runs/run_0001"><time datetime="2026-10-31T23:59:59Z">2026-10-31 23:59:59</time></a>' in text
    assert 'href="/runs?failed=yes&amp;since=24h"' in text


def test_a_tenant_sees_its_own_figures_alone(desk: Desk) -> None:
    """D5, B18: calls, failures and what waits."""
    put(desk, recent(desk, 1, **ALONE), recent(desk, 2, tenant="globex", outcome="failed", code="internal", **ALONE))
    desk.kit.call("document_plan_delete", {"document_id": "doc-1", "expected_version": "1"}, by=caller(tenant="acme"))

    theirs = desk.tenant("globex").get("/").words

    assert "Calls 1 up to 1 an hour Failures 1" in theirs
    assert "Waits for a person Nothing." in theirs
    assert "internal" not in desk.tenant("acme").get("/").words
