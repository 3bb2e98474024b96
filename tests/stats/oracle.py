"""The same figures from another library, with types."""

from __future__ import annotations

from typing import Any

from scipy import stats

__all__ = ["cumulated", "interval", "p_value"]

_STATS: Any = stats


def interval(successes: int, trials: int, *, confidence: float, method: str) -> tuple[float, float]:
    """The interval of a rate by scipy; `method` is `wilson` or `exact`."""
    found = _STATS.binomtest(successes, trials).proportion_ci(confidence, method=method)
    return float(found.low), float(found.high)


def p_value(successes: int, trials: int) -> float:
    """The two-sided p-value of a fair coin by scipy."""
    return float(_STATS.binomtest(successes, trials).pvalue)


def cumulated(successes: int, trials: int, rate: float) -> float:
    """The probability of so many successes or fewer, by scipy."""
    return float(_STATS.binom.cdf(successes, trials, rate))
