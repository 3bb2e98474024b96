"""A rate that is looked at again and again: an interval that holds at all looks together."""

from __future__ import annotations

from dataclasses import dataclass, field
from math import inf, lgamma, log
from typing import Literal

from fourfold.stats.rates import Interval, clopper_pearson, solved

__all__ = ["Turn", "Watch", "always_valid"]

_ALPHA = 0.005

Turn = Literal["", "fell", "rose"]


@dataclass(slots=True)
class Watch:
    """Looks at a rate again and again, and says when it has turned.

    Two intervals meet: that of all looks so far, which holds at every look (`always_valid`), and that of a look alone,
    whose confidence grows with the number of looks, so that all its chances to be wrong add up to half a per cent
    (1/2 + 1/6 + 1/12 + … = 1). While nothing changes both hold the rate at all looks together with 99 %, so that they
    part in one history of a hundred at most, however long it is.

    Attributes:
        passed, trials: of all looks together.
        looks: how many there were.
        open: what the intervals of all looks so far have in common.
    """

    passed: int = 0
    trials: int = 0
    looks: int = 0
    open: Interval = field(default_factory=lambda: Interval(0.0, 1.0))

    def look(self, passed: int, trials: int) -> tuple[Interval, Turn]:
        """The interval of all looks with this one, and whether this one is out of what was left open before it."""
        self.looks += 1
        # The look is judged by what was open before it, and becomes a part of it only then.
        spent = _ALPHA / (self.looks * (self.looks + 1))
        alone = clopper_pearson(passed, trials, confidence=1 - spent)
        turn: Turn = "fell" if alone.high < self.open.low else "rose" if alone.low > self.open.high else ""
        self.passed, self.trials = self.passed + passed, self.trials + trials
        found = always_valid(self.passed, self.trials, confidence=1 - _ALPHA)
        self.open = Interval(max(self.open.low, found.low), min(self.open.high, found.high))
        return found, turn


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

    # On each side of the observed rate the ratio rises with the distance, so that halving finds the one end there is.
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
