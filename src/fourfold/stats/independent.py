"""Before and after, over different operations: two rates that share no trial."""

from __future__ import annotations

from dataclasses import dataclass
from math import hypot

from fourfold.stats.rates import Interval, wilson

__all__ = ["Rate", "newcombe_independent"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Rate:
    """How many of how many."""

    successes: int
    trials: int

    @property
    def share(self) -> float:
        """The rate; 0 without trials."""
        return self.successes / self.trials if self.trials else 0.0


def newcombe_independent(after: Rate, before: Rate, *, confidence: float = 0.95) -> Interval:
    """The interval of the difference of two independent rates, after less before. Everything if one has no trials.

    Method 10 of Newcombe 1998, "Interval estimation for the difference between independent proportions: comparison
    of eleven methods", Statistics in Medicine 17.

    Raises:
        ValueError: the counts are no counts, or `confidence` is no share.
    """
    one = wilson(after.successes, after.trials, confidence=confidence)
    other = wilson(before.successes, before.trials, confidence=confidence)
    if not after.trials or not before.trials:
        return Interval(-1.0, 1.0)
    difference = after.share - before.share
    return Interval(
        difference - hypot(after.share - one.low, other.high - before.share),
        difference + hypot(one.high - after.share, before.share - other.low),
    )
