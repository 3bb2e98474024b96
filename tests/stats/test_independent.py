"""The interval of the difference of two independent rates."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fourfold.stats.independent import Rate, newcombe_independent
from tests.stats import oracle

PUBLISHED = [
    (56, 70, 48, 80, 0.0524, 0.3339),
    (9, 10, 3, 10, 0.1705, 0.8090),
    (6, 7, 2, 7, 0.0582, 0.8062),
    (5, 56, 0, 29, -0.0381, 0.1926),
    (0, 10, 0, 20, -0.1611, 0.2775),
    (0, 10, 0, 10, -0.2775, 0.2775),
    (10, 10, 0, 20, 0.6791, 1.0),
    (10, 10, 0, 10, 0.6075, 1.0),
]
"""Newcombe 1998, Statistics in Medicine 17, 873-890, Table II, method 10, examples a to h."""


@pytest.mark.parametrize(("one", "of", "other", "of_other", "low", "high"), PUBLISHED)
def test_the_published_examples_come_out(
    one: int, of: int, other: int, of_other: int, *, low: float, high: float
) -> None:
    """A14: to the four digits that were printed."""
    found = newcombe_independent(Rate(successes=one, trials=of), Rate(successes=other, trials=of_other))

    assert (round(found.low, 4), round(found.high, 4)) == (low, high)


@given(
    one=st.integers(0, 60),
    of=st.integers(1, 60),
    other=st.integers(0, 60),
    of_other=st.integers(1, 60),
    confidence=st.sampled_from((0.8, 0.9, 0.95, 0.99)),
)
def test_another_library_gives_the_same_interval(
    one: int, of: int, other: int, *, of_other: int, confidence: float
) -> None:
    """A14: statsmodels to 1e-9, over counts and levels."""
    first, second = (min(one, of), of), (min(other, of_other), of_other)
    found = newcombe_independent(
        Rate(successes=first[0], trials=of), Rate(successes=second[0], trials=of_other), confidence=confidence
    )

    assert (found.low, found.high) == pytest.approx(oracle.difference(first, second, confidence=confidence), abs=1e-9)


def test_without_trials_everything_is_possible() -> None:
    """A14: nothing is known of a week without calls."""
    none, some = Rate(successes=0, trials=0), Rate(successes=3, trials=10)

    found = [newcombe_independent(none, some), newcombe_independent(some, none), newcombe_independent(none, none)]

    assert [(each.low, each.high) for each in found] == [(-1.0, 1.0)] * 3
    assert none.share == 0.0


@pytest.mark.parametrize("rate", [Rate(successes=4, trials=3), Rate(successes=-1, trials=3)])
def test_counts_that_are_none_are_refused(rate: Rate) -> None:
    """A14: a slip must not become a finding."""
    with pytest.raises(ValueError, match="trials"):
        newcombe_independent(rate, Rate(successes=0, trials=0))


@st.composite
def rates(draw: st.DrawFn) -> Rate:
    """Any rate."""
    trials = draw(st.integers(1, 500))
    return Rate(successes=draw(st.integers(0, trials)), trials=trials)


@given(rates(), rates())
def test_the_interval_holds_the_difference_and_mirrors_when_the_two_are_swapped(one: Rate, other: Rate) -> None:
    """A14: it takes no side."""
    there, back = newcombe_independent(one, other), newcombe_independent(other, one)

    assert -1 <= there.low <= one.share - other.share <= there.high <= 1
    assert (back.low, back.high) == pytest.approx((-there.high, -there.low))
