"""Intervals of rates, repeated samples and repeated looks, against published figures and another library."""

from __future__ import annotations

from math import comb
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fourfold.stats.rates import Interval, at_most, clopper_pearson, wilson
from fourfold.stats.repeated import flip_rate, pass_hat_k, resampled
from fourfold.stats.watching import always_valid
from tests.stats import oracle

CLOSE = 1e-9
COUNTS = st.integers(1, 400).flatmap(lambda trials: st.tuples(st.integers(0, trials), st.just(trials)))


def _rounded(interval: Interval) -> tuple[float, float]:
    return round(interval.low, 3), round(interval.high, 3)


@given(counts=COUNTS, confidence=st.sampled_from([0.8, 0.9, 0.95, 0.99]))
def test_wilson_is_what_scipy_computes(counts: tuple[int, int], confidence: float) -> None:
    """B14: over every count up to 400."""
    expected = oracle.interval(*counts, confidence=confidence, method="wilson")
    found = wilson(*counts, confidence=confidence)
    assert (found.low, found.high) == pytest.approx(expected, abs=CLOSE)


@given(counts=COUNTS, confidence=st.sampled_from([0.8, 0.95, 0.99]))
def test_clopper_pearson_is_what_scipy_computes(counts: tuple[int, int], confidence: float) -> None:
    """B14: the interval for promises."""
    expected = oracle.interval(*counts, confidence=confidence, method="exact")
    found = clopper_pearson(*counts, confidence=confidence)
    assert (found.low, found.high) == pytest.approx(expected, abs=CLOSE)


@given(counts=COUNTS, rate=st.floats(0, 1))
def test_the_sum_of_probabilities_is_what_scipy_computes(counts: tuple[int, int], rate: float) -> None:
    """B14."""
    assert at_most(*counts, rate=rate) == pytest.approx(oracle.cumulated(*counts, rate), abs=CLOSE)


def test_large_suites_do_not_overflow() -> None:
    """B14: 4,960 cases are more than a float can count the choices of."""
    expected = oracle.interval(4_006, 4_960, confidence=0.95, method="exact")
    assert clopper_pearson(4_006, 4_960).low == pytest.approx(expected[0], abs=CLOSE)


@pytest.mark.parametrize(
    ("passed", "expected"),
    [(40, (0.912, 1.0)), (38, (0.835, 0.986)), (36, (0.769, 0.96)), (30, (0.598, 0.858)), (0, (0.0, 0.088))],
)
def test_forty_cases_say_this_little(passed: int, expected: tuple[float, float]) -> None:
    """B14: the figures that the documentation shows."""
    assert _rounded(wilson(passed, 40)) == expected


@pytest.mark.parametrize(("successes", "trials"), [(-1, 4), (5, 4)])
def test_counts_that_are_none_are_refused(successes: int, trials: int) -> None:
    """B14."""
    with pytest.raises(ValueError, match=f"{successes} successes of {trials} trials"):
        wilson(successes, trials)


def test_without_trials_everything_is_open() -> None:
    """B14."""
    assert (wilson(0, 0), clopper_pearson(0, 0), always_valid(0, 0)) == (Interval(0, 1),) * 3


@pytest.mark.parametrize("rate", [0.8, 0.9, 0.95, 0.98])
def test_the_interval_covers_the_rate_about_as_often_as_it_says(rate: float) -> None:
    """B14: at 40 cases; computed over all outcomes, not drawn."""
    covered = sum(
        comb(40, k) * rate**k * (1 - rate) ** (40 - k)
        for k in range(41)
        if wilson(k, 40).low <= rate <= wilson(k, 40).high
    )
    assert 0.925 < covered < 0.96


def test_pass_hat_k_is_the_published_one() -> None:
    """B14: of 4 samples, the chance that k of them all pass: 1, then 3 in 6, then 0 for a case with 2 of 4."""
    assert [pass_hat_k([4, 2], samples=4, k=k) for k in (1, 2, 3, 4)] == pytest.approx([0.75, 7 / 12, 0.5, 0.5])
    assert flip_rate([4, 2, 0], samples=4) == pytest.approx(1 / 3)


@pytest.mark.parametrize(("passed", "k"), [([], 1), ([1], 0), ([1], 3)])
def test_more_than_the_samples_cannot_be_asked(passed: list[int], k: int) -> None:
    """B14."""
    with pytest.raises(ValueError, match=r"pass\^"):
        pass_hat_k(passed, samples=2, k=k)


def test_cases_are_resampled_and_not_their_samples() -> None:
    """B14: 40 cases whose four samples agree say no more than 40 cases, whatever 160 samples would."""
    passed = [4] * 30 + [0] * 10

    found = resampled(passed, lambda drawn: pass_hat_k(drawn, samples=4, k=1), seed=7)

    assert _rounded(found) == (0.6, 0.875)
    assert _rounded(wilson(120, 160)) == (0.678, 0.811)
    assert resampled(passed, lambda drawn: pass_hat_k(drawn, samples=4, k=1), seed=7) == found


@pytest.mark.parametrize(
    ("counts", "expected"), [((36, 40), (0.688, 0.988)), ((180, 200), (0.812, 0.957)), ((0, 40), (0.0, 0.154))]
)
def test_an_interval_that_holds_at_every_look_is_wider(counts: tuple[int, int], expected: tuple[float, float]) -> None:
    """B14."""
    assert _rounded(always_valid(*counts)) == expected


def test_fifty_two_looks_at_an_unchanged_model_cry_wolf_in_less_than_one_year_of_a_hundred() -> None:
    """B14: 500 years, a suite of 40 cases a week, a rate of 90 %; Wilson at every look alarms in one of four."""
    dice = Random(11)  # noqa: S311  # no secret hangs on it
    years = 500
    alarms, wilsons = 0, 0
    for _ in range(years):
        passed, outside, outside_wilson = 0, False, False
        for week in range(1, 53):
            passed += sum(dice.random() < 0.9 for _ in range(40))
            outside |= always_valid(passed, 40 * week, confidence=0.99).high < 0.9
            outside_wilson |= wilson(passed, 40 * week).high < 0.9
        alarms += outside
        wilsons += outside_wilson
    assert alarms < years / 100
    assert wilsons > years / 10
