"""How long calls took, kept as counts in fixed buckets, and the quantiles that can be read from those. Pure."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Mapping
from math import ceil, sqrt

from fourfold.model.run import Closing, Run

__all__ = ["BOUNDS_US", "ERROR", "bucket_of", "quantile_us", "total_us"]

_STEP = 1.2
_FIRST_US, _LAST_US = 100, 600_000_000


def _bounds() -> tuple[int, ...]:
    found = [_FIRST_US]
    while found[-1] < _LAST_US:
        found.append(round(found[-1] * _STEP))
    return tuple(found)


BOUNDS_US = _bounds()
"""The longest time of each bucket, in microseconds: from 0.1 ms on each is a fifth longer, up to ten minutes.

Fixed: sums that are stored have the numbers of the buckets. One more bucket has whatever took longer.
"""

ERROR = 0.1
"""How far a quantile can be from the true one, as a share of it. Below 0.1 ms, it is 0.1 ms at most."""


def total_us(run: Run, closing: Closing | None) -> int:
    """How long a call took, in microseconds: as its closing has it, else what its stages took together."""
    return sum(run.stage_us.values()) if closing is None else closing.total_us


def bucket_of(us: int) -> int:
    """The number of the bucket that a time of `us` microseconds is in."""
    return bisect_left(BOUNDS_US, us)


def quantile_us(buckets: Mapping[int, int], share: float) -> int | None:
    """The time that `share` of the calls did not exceed, in microseconds; `None` without calls.

    `buckets` has how many calls are in each. The time is the geometric middle of the bucket that the call is in, which
    is off by `ERROR` at most. It is the nearest-rank quantile (Hyndman and Fan 1996, definition 1).
    """
    # Rounded first: a share of 0.07 of 100 is a little more than 7 in binary.
    rank = max(1, ceil(round(share * sum(buckets.values()), 6)))
    for bucket, calls in sorted(buckets.items()):
        rank -= calls
        if rank <= 0:
            return _middle(bucket)
    return None


def _middle(bucket: int) -> int:
    if bucket == 0:
        return BOUNDS_US[0]
    if bucket == len(BOUNDS_US):
        return BOUNDS_US[-1]
    return round(sqrt(BOUNDS_US[bucket - 1] * BOUNDS_US[bucket]))
