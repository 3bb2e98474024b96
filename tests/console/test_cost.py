"""The page of costs: tokens, dollars, charges, by whatever is asked for."""

from __future__ import annotations

import re
from collections.abc import Generator
from decimal import Decimal
from typing import Any

import pytest

from fourfold.model.cost import Charge
from fourfold.model.run import Run
from fourfold.runs.spending import TokenPrice
from tests.console.desk import Desk, open_desk
from tests.console.past import HOSTILE, escaped, failed, past_run
from tests.console.records import put
from tests.stages.shop import shop

PRICES = {
    "small": TokenPrice(input=Decimal("2.00")),
    "large": TokenPrice(input=Decimal("10.00"), output=Decimal("50.00")),
}


@pytest.fixture
def desk() -> Generator[Desk]:
    """The console of a shop, with the prices of two models."""
    with open_desk(shop(), prices=PRICES) as opened:
        yield opened


def spent(number: int, **facts: Any) -> Run:
    """A run of 1,000 tokens of arguments, 2,000 of results and 3,000 of definitions."""
    return past_run(number, **{"tokens_in": 1_000, "tokens_out": 2_000, "tokens_definition": 3_000, **facts})


def fee(minor: int, currency: str = "EUR") -> tuple[Charge, ...]:
    """What another system charged."""
    return (Charge(what="fee", amount_minor=minor, currency=currency),)


def test_totals_are_tokens_dollars_and_charges(desk: Desk) -> None:
    """A9, D5: estimated tokens say so, dollars name their price, and charges are real and by currency."""
    put(desk, spent(1, charges=fee(25)), spent(2, charges=fee(1_200, "JPY")))
    words = desk.signed_in().get("/cost").words
    assert "Calls 2 0 did not succeed" in words
    assert "Tokens at the price of small $0.0200 $2.00 a million tokens in; arguments are not in it" in words
    assert "Tokens, estimated 12,000 6,000 of them definitions" in words
    assert "Charged by other systems 25 EUR, minor units 1,200 JPY, minor units" in words
    assert "no provider counted them" in words


def test_a_model_with_a_price_of_output_prices_arguments_too(desk: Desk) -> None:
    """A9, D5: 5,000 tokens at 10 and 1,000 at 50 dollars a million."""
    put(desk, spent(1))
    words = desk.signed_in().get("/cost", model="large").words
    assert "Tokens at the price of large $0.1000 $10.00 a million tokens in Tokens, estimated" in words


def test_accounts_come_with_the_most_calls_first(desk: Desk) -> None:
    """A9, D5: who caused it, with a link to the runs behind it."""
    put(desk, spent(1), spent(2, subject="acct-2", charges=fee(7)), failed(3, "sold_out", subject="acct-2"))
    seen = desk.signed_in().get("/cost")
    assert "acct-2 2 1 1,030 2,060 3,110 $0.0103 7 EUR minor acct-1 1 0 1,000 2,000 3,000 $0.0100 –" in seen.words
    assert '<a href="/runs?account=acct-2">acct-2</a>' in seen.text


def test_the_table_is_by_tool_code_or_day_when_asked(desk: Desk) -> None:
    """A9, D5: the same numbers, told by something else."""
    put(desk, spent(1, tool="order_count"), spent(2, hours_ago=30), failed(3, "sold_out", tokens_in=5))
    browser = desk.signed_in()
    assert "quote_create 2 1 1,005 2,060 3,110" in browser.get("/cost", by="tool").words
    assert "success 2 0 2,000 4,000 6,000" in browser.get("/cost", by="code").words
    assert "2026-10-30 1 0 1,000 2,000 3,000" in browser.get("/cost", by="day").words


def test_a_day_has_a_bar_and_a_day_without_calls_has_none(desk: Desk) -> None:
    """A9, D5: eight days of which two had calls, each with its numbers as text."""
    put(desk, spent(1, hours_ago=1), spent(2, hours_ago=25), spent(3, hours_ago=26))
    page = desk.signed_in().get("/cost", since="7d")
    heights = re.findall(r'<rect [^>]*height="([0-9.]+)"><title>([^<]*)</title>', page.text)
    assert heights[-3:] == [
        ("100.00", "2026-10-30: $0.0200, 12,000 tokens"),
        ("50.00", "2026-10-31: $0.0100, 6,000 tokens"),
        ("0.00", "2026-11-01: 0 tokens"),
    ]
    assert len(heights) == 8


def test_without_prices_there_are_tokens_alone() -> None:
    """A9, D5: nothing is priced by a guess."""
    with open_desk(shop()) as desk:
        put(desk, spent(1))
        words = desk.signed_in().get("/cost").words
    assert "$" not in words
    assert "Tokens by the day Most in a day: 6,000 tokens, 2026-10-31" in words


def test_tool_account_and_code_restrict_totals_too(desk: Desk) -> None:
    """A9, D5: what did this account's refusals cost?"""
    put(desk, spent(1), failed(2, "sold_out", tokens_in=7), failed(3, "sold_out", subject="acct-9"))
    words = desk.signed_in().get("/cost", account="acct-1", code="sold_out", tool="quote_create").words
    assert "Calls 1 1 did not succeed" in words
    assert "No call is like that in the last 30 days." in desk.signed_in().get("/cost", tool="none_such").words


def test_a_tenant_sees_its_own_costs_alone(desk: Desk) -> None:
    """D5: neither names nor sums of another tenant."""
    put(desk, spent(1), spent(2, tenant="umbra", subject="acct-umbra", charges=fee(99)))
    browser = desk.tenant("acme")
    for by in ("account", "tool", "code", "day"):
        words = browser.get("/cost", by=by).words
        assert "Calls 1 0 did not succeed" in words
        assert "umbra" not in words
        assert "99" not in words
    assert browser.get("/cost", tenant="umbra").status == 404


@pytest.mark.parametrize(("field", "by"), [("subject", "account"), ("tool", "tool"), ("code", "code")])
def test_hostile_text_stays_text(desk: Desk, field: str, by: str) -> None:
    """D5: what a caller sent as a name is shown, and never obeyed; nor is what stands in the address."""
    facts: dict[str, Any] = {"outcome": "rejected", "code": "sold_out", field: HOSTILE}
    put(desk, past_run(1, **facts))
    browser = desk.signed_in()
    assert escaped(browser.get("/cost", by=by).text)
    assert escaped(browser.get("/cost", account=HOSTILE, model=HOSTILE, by=HOSTILE).text)


def test_an_empty_store_says_so(desk: Desk) -> None:
    """A9, D5: no bars of nothing."""
    seen = desk.signed_in().get("/cost")
    assert "No call is like that in the last 30 days." in seen.words
    assert "<svg" not in seen.text
