"""The rules for prices and credit as arithmetic: exact, whatever the order of the lines."""

from __future__ import annotations

from decimal import Decimal

import pytest
from billing.pricing import OfferedLine, Terms, exceeds_limit, first_under, flags_of, total_of
from hypothesis import given
from hypothesis import strategies as st

_TERMS = Terms(credit_limit_minor=5_000_000, unpaid_minor=0, floor_bps=1_200, hard_floor_bps=2_500)


def _offered(price: int, *, listed: int = 3_000, quantity: int = 1) -> OfferedLine:
    return OfferedLine(quantity=quantity, unit_price_minor=price, list_price_minor=listed)


_LINES = st.lists(
    st.builds(
        OfferedLine,
        quantity=st.integers(1, 10_000),
        unit_price_minor=st.integers(0, 1_000_000_000),
        list_price_minor=st.integers(1, 1_000_000_000),
    ),
    min_size=1,
    max_size=200,
)


@pytest.mark.parametrize(
    ("listed", "lowest"), [(3_000, 2_640), (1, 1), (7, 7), (999, 880), (12_490, 10_992), (1_000_000_000, 880_000_000)]
)
def test_the_floor_is_exact_for_prices_that_do_not_divide(listed: int, lowest: int) -> None:
    """A1: 12 % under 999 is 879.12, so 880 is allowed and 879 is not; nothing is rounded on the way."""
    assert first_under([_offered(lowest, listed=listed)], discount_bps=1_200) is None
    assert first_under([_offered(lowest - 1, listed=listed)], discount_bps=1_200) == 0


def test_the_first_line_under_the_floor_is_named() -> None:
    """A2: by its index in the order."""
    assert first_under([_offered(3_000), _offered(2_639), _offered(1)], discount_bps=1_200) == 1


@given(orders=_LINES.flatmap(lambda lines: st.tuples(st.just(lines), st.permutations(lines))))
def test_the_total_does_not_depend_on_the_order_of_the_lines(
    orders: tuple[list[OfferedLine], list[OfferedLine]],
) -> None:
    """A1: integers add up the same way round and back, and stay exact in JSON."""
    lines, shuffled = orders

    assert total_of(shuffled) == total_of(lines)
    assert total_of(lines) == sum(Decimal(line.quantity) * line.unit_price_minor for line in lines)
    assert total_of(lines) < 2**53


@given(price=st.integers(0, 10**9), listed=st.integers(1, 10**9), bps=st.integers(0, 10_000))
def test_a_price_is_under_exactly_when_the_decimal_says_so(price: int, listed: int, bps: int) -> None:
    """A1: the comparison without division agrees with decimal arithmetic."""
    is_under = first_under([_offered(price, listed=listed)], discount_bps=bps) is not None

    assert is_under == (Decimal(price) < Decimal(listed) * (10_000 - bps) / 10_000)


@given(lines=_LINES, limit=st.integers(0, 10**13), unpaid=st.integers(0, 10**13))
def test_flags_follow_from_each_other(lines: list[OfferedLine], limit: int, unpaid: int) -> None:
    """A6: both of the others bring a review, a review alone means a large total, and the order is fixed."""
    terms = Terms(credit_limit_minor=limit, unpaid_minor=unpaid, floor_bps=1_200, hard_floor_bps=2_500)
    flags = flags_of(lines, terms)

    assert ("manual_review" in flags) == (total_of(lines) >= 1_000_000 or {"below_floor", "credit_hold"} <= set(flags))
    assert list(flags) == [flag for flag in ("below_floor", "credit_hold", "manual_review") if flag in flags]


@pytest.mark.parametrize(
    ("limit", "unpaid", "available"), [(100, 0, 100), (100, 99, 1), (100, 100, 0), (100, 250, 0), (0, 0, 0)]
)
def test_available_credit_is_never_negative(limit: int, unpaid: int, available: int) -> None:
    """A6: who owes more than the limit has none left."""
    terms = Terms(credit_limit_minor=limit, unpaid_minor=unpaid, floor_bps=0, hard_floor_bps=0)

    assert terms.available_minor == available


def test_twice_the_limit_is_allowed_and_one_more_is_not() -> None:
    """A6: whatever is owed; that is what the hold is for."""
    assert not exceeds_limit(10_000_000, _TERMS)
    assert exceeds_limit(10_000_001, _TERMS)
