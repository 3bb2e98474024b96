"""The same figures from other libraries, scipy and statsmodels, with types."""

from __future__ import annotations

from collections.abc import Sequence
from importlib import import_module
from typing import Any

from scipy import stats

__all__ = ["cumulated", "difference", "holm", "interval", "mcnemar", "p_value"]

_STATS: Any = stats
# By name, since statsmodels has no types to be checked.
_PROPORTION: Any = import_module("statsmodels.stats.proportion")
_MULTIPLE: Any = import_module("statsmodels.stats.multitest")
_TABLES: Any = import_module("statsmodels.stats.contingency_tables")


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


def difference(one: tuple[int, int], other: tuple[int, int], *, confidence: float) -> tuple[float, float]:
    """Newcombe's interval of the difference of two independent rates, each `(successes, trials)`, by statsmodels."""
    found = _PROPORTION.confint_proportions_2indep(*one, *other, method="newcomb", compare="diff", alpha=1 - confidence)
    return float(found[0]), float(found[1])


def holm(p_values: Sequence[float]) -> list[float]:
    """Holm's adjusted p-values by statsmodels."""
    return [float(each) for each in _MULTIPLE.multipletests(p_values, method="holm")[1]]


def mcnemar(fixed: int, broken: int) -> float:
    """The exact p-value of paired changes by statsmodels."""
    return float(_TABLES.mcnemar([[0, fixed], [broken, 0]], exact=True).pvalue)
