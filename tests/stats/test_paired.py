"""Before and after over the same cases, against published figures and another library."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fourfold.stats.paired import Pairs, holm, mcnemar, newcombe, smallest_seen
from tests.stats import oracle

COUNT = st.integers(0, 60)


@given(fixed=COUNT, broken=COUNT)
def test_the_exact_test_is_a_sign_test(fixed: int, broken: int) -> None:
    """B14: what scipy computes for the changed cases, and statsmodels for the table."""
    expected = oracle.p_value(fixed, fixed + broken) if fixed + broken else 1.0
    assert mcnemar(fixed, broken) == pytest.approx(expected, abs=1e-9)
    if fixed + broken:
        assert mcnemar(fixed, broken) == pytest.approx(oracle.mcnemar(fixed, broken), abs=1e-9)


@pytest.mark.parametrize(
    ("fixed", "broken", "p"), [(6, 0, 0.031), (5, 0, 0.062), (7, 1, 0.07), (9, 2, 0.065), (0, 0, 1.0), (1, 1, 1.0)]
)
def test_six_fixed_and_none_broken_is_the_least_that_counts(fixed: int, broken: int, p: float) -> None:
    """B14."""
    assert mcnemar(fixed, broken) == pytest.approx(p, abs=6e-4)


def test_the_difference_has_the_published_interval() -> None:
    """B14: the example of Newcombe's paper, 36, 12, 2 and 0 of 50."""
    found = newcombe(Pairs(both=36, fixed=12, broken=2, neither=0))
    assert (round(found.low, 4), round(found.high, 4)) == (0.0569, 0.3404)


@given(both=COUNT, fixed=COUNT, broken=COUNT, neither=COUNT)
def test_the_interval_holds_the_difference_and_turns_round_with_it(
    both: int, fixed: int, broken: int, neither: int
) -> None:
    """B14."""
    pairs = Pairs(both=both, fixed=fixed, broken=broken, neither=neither)
    turned = newcombe(Pairs(both=both, fixed=broken, broken=fixed, neither=neither))
    found = newcombe(pairs)
    assert -1 <= found.low <= pairs.difference <= found.high <= 1
    assert (found.low, found.high) == pytest.approx((-turned.high, -turned.low))


def test_several_p_values_are_adjusted_together() -> None:
    """B14: the least times their number, the next one less, never falling."""
    assert holm([0.03, 0.004, 0.04]) == pytest.approx((0.06, 0.012, 0.06))
    assert holm([]) == ()


@pytest.mark.parametrize(
    "values",
    [[0.03], [0.0, 1.0], [0.5, 0.5, 0.5], [0.04, 0.001, 0.2, 0.011, 1e-12], [index / 40 for index in range(12)]],
)
def test_another_library_adjusts_them_the_same_way(values: list[float]) -> None:
    """B14: statsmodels to 1e-9."""
    assert holm(values) == pytest.approx(oracle.holm(values), abs=1e-9)


@given(st.lists(st.floats(0, 1), min_size=1, max_size=12))
def test_adjusting_never_makes_a_p_value_smaller(values: list[float]) -> None:
    """B14."""
    assert all(before <= after <= 1 for before, after in zip(values, holm(values), strict=True))


@pytest.mark.parametrize(
    ("trials", "fall"), [(40, (0.23, 0.28)), (100, (0.11, 0.15)), (200, (0.07, 0.09)), (400, (0.05, 0.06))]
)
def test_what_a_suite_could_have_seen_is_said(trials: int, fall: tuple[float, float]) -> None:
    """B14: with 2 % and 5 % of the cases changing both ways by chance."""
    assert (smallest_seen(trials, churn=0.02), smallest_seen(trials, churn=0.05)) == fall


def test_five_cases_can_see_nothing() -> None:
    """B14."""
    assert smallest_seen(5, churn=0.02) is None
