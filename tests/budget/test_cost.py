"""Tokens times prices: the article's arithmetic, the prompt cache, windows."""

from __future__ import annotations

from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fourfold.budget.cost import Spending, amount, cost, window_shares
from fourfold.budget.prices import Price, custom_price, price_of

_ARTICLE = custom_price("2.50")
_OPUS = price_of("claude-opus-5-5")


@pytest.mark.parametrize(
    ("tokens_per_tool", "month_tokens", "dollars"), [(90, 50_400_000, "126"), (190, 106_400_000, "266")]
)
def test_the_arithmetic_of_the_article(tokens_per_tool: int, month_tokens: int, dollars: str) -> None:
    """A10: 14 tools, 40,000 requests a month, $2.50 a million."""
    spending = Spending(tokens=14 * tokens_per_tool, requests=40_000, turns=10, price=_ARTICLE)

    assert spending.month_tokens == month_tokens
    assert spending.month == Decimal(dollars)


def test_a_conversation_fills_the_cache_once() -> None:
    """A10: 1,000 tokens, 100 requests in conversations of 10: 10 writes at $5, 90 reads at $0.20."""
    spending = Spending(tokens=1_000, requests=100, turns=10, price=_OPUS)

    assert spending.month == Decimal("0.4")
    assert spending.month_cached == Decimal("0.05") + Decimal("0.018")


def test_conversations_that_begin_count_whole() -> None:
    """A10: 11 requests in conversations of 10 are two that fill the cache."""
    spending = Spending(tokens=1_000_000, requests=11, turns=10, price=_OPUS)

    assert spending.month_cached == 2 * Decimal(5) + 9 * Decimal("0.20")


def test_without_a_price_of_cached_tokens_nothing_is_said_about_the_cache() -> None:
    """A10: a discount that nobody has published isn't made up."""
    assert Spending(tokens=1, requests=1, turns=1, price=_ARTICLE).month_cached is None


@given(tokens=st.integers(0, 10**7), requests=st.integers(1, 10**7), turns=st.integers(1, 100))
def test_a_cache_that_is_filled_and_never_read_costs_more(tokens: int, requests: int, turns: int) -> None:
    """A10: of one turn each, every request pays for the write; the longer they are, the less is paid."""
    once = Spending(tokens=tokens, requests=requests, turns=1, price=_OPUS).month_cached
    often = Spending(tokens=tokens, requests=requests, turns=turns, price=_OPUS).month_cached

    assert once is not None
    assert often is not None
    assert once == cost(tokens * requests, price=_OPUS.cache_write)
    assert often <= once


@given(tokens=st.integers(0, 10**12), cents=st.integers(0, 10**6))
def test_a_cost_is_exact(tokens: int, cents: int) -> None:
    """A10: as whole numbers have it."""
    assert cost(tokens, price=Decimal(cents).scaleb(-2)) * 10**8 == tokens * cents


@pytest.mark.parametrize(
    ("value", "text"),
    [
        ("126", "$126.00"),
        ("1234.565", "$1,234.57"),
        ("-2", "-$2.00"),
        ("0", "$0.00"),
        ("0.0031500", "$0.00315"),
        ("-0.001", "-$0.001"),
    ],
)
def test_amounts_are_written_as_people_write_them(value: str, text: str) -> None:
    """A10: cents, and more digits where cents would say nothing."""
    assert amount(Decimal(value)) == text


def test_windows_of_one_size_stand_together_and_no_share_is_nothing() -> None:
    """A10: a permille is rounded up."""
    known = (_window("a", 1_000_000), _window("b", 200_000), _window("c", 1_000_000))

    shares = window_shares(1, known)

    assert [(share.tokens, share.models, share.permille) for share in shares] == [
        (200_000, ("b",), 1),
        (1_000_000, ("a", "c"), 1),
    ]
    assert [share.permille for share in window_shares(50_000, known)] == [250, 50]


def _window(model: str, size: int) -> Price:
    return Price(model=model, input=Decimal(1), cached=None, cache_write=Decimal(1), context_tokens=size)
