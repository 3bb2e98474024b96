"""Intervals of a rate: what `successes` out of `trials` can say about the rate behind them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from math import exp, lgamma, log, log1p, sqrt
from statistics import NormalDist

__all__ = ["Interval", "at_most", "clopper_pearson", "solved", "wilson"]

_HALVINGS = 200
_STEPS = 2_000
_TINY = 1e-300
_PRECISE = 1e-15


@dataclass(frozen=True, slots=True)
class Interval:
    """The values that the data leave open, both ends included."""

    low: float
    high: float


def wilson(successes: int, trials: int, *, confidence: float = 0.95) -> Interval:
    """The score interval of a rate (Wilson 1927, "Probable inference", JASA 22). Everything if there were no trials.

    Raises:
        ValueError: the counts are no counts, or `confidence` is no share.
    """
    _check(successes, trials, confidence)
    if not trials:
        return Interval(0.0, 1.0)
    z = NormalDist().inv_cdf((1 + confidence) / 2)
    rate, scale = successes / trials, 1 + z * z / trials
    middle = (rate + z * z / (2 * trials)) / scale
    half = z * sqrt(rate * (1 - rate) / trials + z * z / (4 * trials * trials)) / scale
    return Interval(
        0.0 if successes == 0 else max(0.0, middle - half), 1.0 if successes == trials else min(1.0, middle + half)
    )


def clopper_pearson(successes: int, trials: int, *, confidence: float = 0.95) -> Interval:
    """The exact interval of a rate (Clopper and Pearson 1934, Biometrika 26): never covers less than it says.

    For promises, such as "at most 1 % wrong refunds"; wider than `wilson`.

    Raises:
        ValueError: the counts are no counts, or `confidence` is no share.
    """
    _check(successes, trials, confidence)
    tail = (1 - confidence) / 2
    low, high = 0.0, 1.0
    if successes:
        low = solved(lambda rate: 1 - at_most(successes - 1, trials, rate=rate) - tail)
    if successes < trials:
        high = solved(lambda rate: tail - at_most(successes, trials, rate=rate))
    return Interval(low, high)


def at_most(successes: int, trials: int, *, rate: float) -> float:
    """The probability of so many successes or fewer."""
    if successes >= trials or rate <= 0:
        return 1.0
    return _beta(trials - successes, successes + 1, 1 - rate) if rate < 1 else 0.0


def solved(rising: Callable[[float], float]) -> float:
    """Where a rising function of a rate crosses zero, by halving."""
    low, high = 0.0, 1.0
    for _ in range(_HALVINGS):
        middle = (low + high) / 2
        if middle in (low, high):
            break
        low, high = (low, middle) if rising(middle) > 0 else (middle, high)
    return (low + high) / 2


def _beta(a: float, b: float, x: float) -> float:
    """The regularised incomplete beta function (NIST DLMF 8.17), which sums binomial probabilities."""
    if x <= 0 or x >= 1:
        return float(x >= 1)
    front = exp(lgamma(a + b) - lgamma(a) - lgamma(b) + a * log(x) + b * log1p(-x))
    # The fraction converges fast on this side of the mean; the other one is the complement.
    if x > (a + 1) / (a + b + 2):
        return 1 - front * _fraction(b, a, 1 - x) / b
    return front * _fraction(a, b, x) / a


def _fraction(a: float, b: float, x: float) -> float:
    """The continued fraction of DLMF 8.17.22, by the method of Lentz (Thompson and Barnett 1986)."""
    value = d = 1 / (1 - (a + b) * x / (a + 1) or _TINY)
    c = 1.0
    for step in range(2, _STEPS):
        part = _part(step, a=a, b=b, x=x)
        d = 1 / (1 + part * d or _TINY)
        c = 1 + part / c or _TINY
        value *= c * d
        if abs(c * d - 1) < _PRECISE:
            break
    return value


def _part(step: int, *, a: float, b: float, x: float) -> float:
    half = step // 2
    scale = x / ((a + step - 1) * (a + step))
    return -(a + half) * (a + b + half) * scale if step % 2 else half * (b - half) * scale


def _check(successes: int, trials: int, confidence: float) -> None:
    if not 0 <= successes <= trials:
        raise ValueError(f"{successes} successes of {trials} trials")
    if not 0 < confidence < 1:
        raise ValueError(f"a confidence of {confidence} is not between 0 and 1")
