"""Before and after, over the same cases: only the cases whose verdict changed say anything."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass
from math import comb, sqrt

from fourfold.stats.rates import Interval, at_most, wilson

__all__ = ["Pairs", "holm", "mcnemar", "newcombe", "smallest_seen"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Pairs:
    """How many cases passed both times, were fixed, were broken, and failed both times."""

    both: int
    fixed: int
    broken: int
    neither: int

    @property
    def trials(self) -> int:
        """How many cases there are."""
        return self.both + self.fixed + self.broken + self.neither

    @property
    def difference(self) -> float:
        """The rate after less the rate before; 0 without cases."""
        return (self.fixed - self.broken) / self.trials if self.trials else 0.0


def mcnemar(fixed: int, broken: int) -> float:
    """The exact two-sided p-value of a change (McNemar 1947, Psychometrika 12), that is a sign test of the changed."""
    changed = fixed + broken
    return min(1.0, 2 * at_most(min(fixed, broken), changed, rate=0.5)) if changed else 1.0


def newcombe(pairs: Pairs, *, confidence: float = 0.95) -> Interval:
    """The interval of the difference of two paired rates, after less before.

    Method 10 of Newcombe 1998, "Improved confidence intervals for the difference between binomial proportions based
    on paired data", Statistics in Medicine 17.
    """
    if not pairs.trials:
        return Interval(-1.0, 1.0)
    after, before = pairs.both + pairs.fixed, pairs.both + pairs.broken
    high, low = wilson(after, pairs.trials, confidence=confidence), wilson(before, pairs.trials, confidence=confidence)
    rate_after, rate_before = after / pairs.trials, before / pairs.trials
    correlation = _correlation(pairs)
    down, up = rate_after - high.low, low.high - rate_before
    other_up, other_down = high.high - rate_after, rate_before - low.low
    return Interval(
        pairs.difference - _root(down, up, correlation), pairs.difference + _root(other_up, other_down, correlation)
    )


def holm(p_values: Sequence[float]) -> tuple[float, ...]:
    """The p-values adjusted for being several, in their order (Holm 1979, Scandinavian Journal of Statistics 6)."""
    adjusted = [0.0] * len(p_values)
    highest = 0.0
    for rank, index in enumerate(sorted(range(len(p_values)), key=p_values.__getitem__)):
        highest = max(highest, min(1.0, p_values[index] * (len(p_values) - rank)))
        adjusted[index] = highest
    return tuple(adjusted)


def smallest_seen(trials: int, *, churn: float, power: float = 0.8, alpha: float = 0.05) -> float | None:
    """The smallest fall of a rate that `mcnemar` would find significant in `power` of all runs.

    Args:
        trials: how many cases there are.
        churn: the share of cases that are fixed by chance while others break.
        power: how often it should be found.
        alpha: the largest p-value that counts as significant.

    Returns:
        The fall as a share, to 0.01; `None` if no fall would be seen often enough.
    """
    critical = _critical(trials, alpha)
    # The power rises with the fall, so that the first that suffices is found by halving.
    falls = [each / 100 for each in range(1, 101) if each / 100 + 2 * churn <= 1]
    first = bisect_left(falls, power, key=lambda fall: _power(critical, broken=fall + churn, fixed=churn))
    return falls[first] if first < len(falls) else None


def _critical(trials: int, alpha: float) -> tuple[int, ...]:
    """For each number of changed cases, how many of them may be fixed so that the fall is significant; -1: none."""
    most, found = -1, [-1]
    for changed in range(1, trials + 1):
        while mcnemar(most + 1, changed - most - 1) <= alpha:
            most += 1
        found.append(most)
    return tuple(found)


def _power(critical: Sequence[int], *, broken: float, fixed: float) -> float:
    """How often the exact test is significant with more broken than fixed, summed over how many cases change."""
    trials, changing = len(critical) - 1, broken + fixed
    share = fixed / changing
    return sum(
        _at(changed, trials, changing) * at_most(most, changed, rate=share)
        for changed, most in enumerate(critical)
        if most >= 0
    )


def _at(successes: int, trials: int, rate: float) -> float:
    return comb(trials, successes) * rate**successes * (1 - rate) ** (trials - successes)


def _correlation(pairs: Pairs) -> float:
    """Of the two verdicts of a case, with the continuity correction of the method."""
    rows = (pairs.both + pairs.fixed) * (pairs.broken + pairs.neither)
    columns = (pairs.both + pairs.broken) * (pairs.fixed + pairs.neither)
    if not rows or not columns:
        return 0.0
    product = float(pairs.both * pairs.neither - pairs.fixed * pairs.broken)
    if product > 0:
        product = max(product - pairs.trials / 2, 0.0)
    return product / sqrt(rows * columns)


def _root(one: float, other: float, correlation: float) -> float:
    return sqrt(max(0.0, one * one - 2 * correlation * one * other + other * other))
