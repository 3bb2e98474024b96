"""A rate that is looked at again and again: an interval that holds at all looks together."""

from __future__ import annotations

from math import inf, lgamma, log

from fourfold.stats.rates import Interval, solved

__all__ = ["always_valid"]


def always_valid(successes: int, trials: int, *, confidence: float = 0.95) -> Interval:
    """The beta-binomial confidence sequence of a rate (Robbins 1970, Annals of Mathematical Statistics 41).

    With the stated confidence the rate lies in the interval after every trial, however often one looks. Wider than
    `wilson`, which holds at one look. The mixture is uniform.
    """
    if not 0 <= successes <= trials:
        raise ValueError(f"{successes} successes of {trials} trials")
    if not trials:
        return Interval(0.0, 1.0)
    rate, bound = successes / trials, -log(1 - confidence)

    def excess(at: float) -> float:
        return _log_ratio(successes, trials, at) - bound

    low = 0.0 if excess(0.0) <= 0 else solved(lambda share: -excess(share * rate)) * rate
    high = 1.0 if excess(1.0) <= 0 else rate + solved(lambda share: excess(rate + share * (1 - rate))) * (1 - rate)
    return Interval(low, high)


def _log_ratio(successes: int, trials: int, at: float) -> float:
    """How much better all rates together explain the trials than one does, as a logarithm."""
    failures = trials - successes
    if (at <= 0 and successes) or (at >= 1 and failures):
        return inf
    mixed = lgamma(successes + 1) + lgamma(failures + 1) - lgamma(trials + 2)
    alone = (successes * log(at) if successes else 0.0) + (failures * log(1 - at) if failures else 0.0)
    return mixed - alone
