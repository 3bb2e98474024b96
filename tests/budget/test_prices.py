"""The dated price table."""

from __future__ import annotations

from datetime import date
from decimal import Decimal

import pytest

from fourfold.budget.prices import Price, custom_price, price_of, prices
from fourfold.errors import ConfigError


@pytest.mark.parametrize("price", prices(), ids=lambda price: price.model)
def test_every_price_has_a_day_and_a_source(price: Price) -> None:
    """A10: nobody has to believe a number whose origin is unknown."""
    found = price_of(price.model)

    assert found is price
    assert found.as_of is not None
    assert date(2026, 1, 1) < found.as_of
    assert found.sources
    assert all(source.startswith("https://") for source in found.sources)
    assert found.context_tokens >= 100_000
    assert found.cached is not None
    assert found.cached < found.input <= found.cache_write


def test_no_model_stands_twice_in_the_table() -> None:
    """A10: one name, one price."""
    names = [price.model for price in prices()]

    assert sorted({*names}) == sorted(names)


def test_a_price_is_exact() -> None:
    """A10: money is never a binary fraction."""
    assert price_of("gemini-4-hydrogen").cached == Decimal("0.075")
    assert custom_price("2.50").input == Decimal("2.50")


def test_an_unknown_model_is_answered_with_the_nearest() -> None:
    """And with the way to name any other price."""
    with pytest.raises(ConfigError, match=r"did you mean gpt-4o.*--price"):
        price_of("gpt-4")
    with pytest.raises(ConfigError, match="it has claude-opus-5-5, "):
        price_of("zzz")


@pytest.mark.parametrize("text", ["", "free", "-1", "NaN", "Infinity", "1e9", "2,50"])
def test_what_is_no_amount_is_refused(text: str) -> None:
    """With what an amount looks like."""
    with pytest.raises(ConfigError, match=r"such as 2\.50"):
        custom_price(text)
