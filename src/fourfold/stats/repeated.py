"""Several samples of each case: how often all of them pass, and intervals that count cases and not samples."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import comb
from random import Random

from fourfold.stats.rates import Interval

__all__ = ["flip_rate", "pass_hat_k", "resampled"]

_RESAMPLES = 2_000


def pass_hat_k(passed: Sequence[int], *, samples: int, k: int) -> float:
    """The chance that `k` samples of one case all pass, on the average over cases (Yao et al. 2024, tau-bench).

    Args:
        passed: of each case, how many of its samples passed.
        samples: how many there are of each case.
        k: how many of them have to pass together.

    Raises:
        ValueError: there are no cases, or more are asked for than there are samples.
    """
    if not passed or not 1 <= k <= samples:
        raise ValueError(f"pass^{k} of {len(passed)} cases with {samples} samples each")
    return sum(comb(each, k) / comb(samples, k) for each in passed) / len(passed)


def flip_rate(passed: Sequence[int], *, samples: int) -> float:
    """The share of cases whose samples don't agree; 0 without cases."""
    return sum(0 < each < samples for each in passed) / len(passed) if passed else 0.0


def resampled(
    passed: Sequence[int],
    measure: Callable[[Sequence[int]], float],
    *,
    seed: int,
    confidence: float = 0.95,
) -> Interval:
    """The percentile interval of `measure` over cases drawn anew (Efron 1979). Samples of a case stay together.

    The same seed gives the same interval. Needs at least one case.
    """
    dice = Random(seed)  # noqa: S311  # no secret hangs on it
    found = sorted(measure(dice.choices(passed, k=len(passed))) for _ in range(_RESAMPLES))
    cut = round((1 - confidence) / 2 * (_RESAMPLES - 1))
    return Interval(found[cut], found[-1 - cut])
