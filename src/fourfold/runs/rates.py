"""Retry rates: by the bucket of time, and before and after a change. Pure; the counts come from the sums."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime

from fourfold.ports.tallies import OperationSum
from fourfold.runs.sum_keys import DAY_MS, HOUR_MS, hour_of
from fourfold.stats.independent import Rate, newcombe_independent
from fourfold.stats.rates import Interval, wilson

__all__ = ["BUCKETS", "Bucket", "Change", "RetryRate", "Window", "bucketed", "change", "windows"]


@dataclass(frozen=True, slots=True, kw_only=True)
class RetryRate:
    """How many operations of a key there are, how many took more than one attempt, and attempts of all of them."""

    key: str
    operations: int
    retried: int
    attempts: int

    @property
    def share(self) -> float:
        """The retry rate; 0 without operations."""
        return self.retried / self.operations if self.operations else 0.0

    @property
    def interval(self) -> Interval:
        """What the rate behind it may be, with 95 % confidence."""
        return wilson(self.retried, self.operations)


@dataclass(frozen=True, slots=True, kw_only=True)
class Window:
    """A span of time, half-open, in milliseconds."""

    since_ms: int
    until_ms: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Change:
    """The retry rate before and after a moment. `interval` is of after less before, with 95 % confidence."""

    before: RetryRate
    after: RetryRate
    interval: Interval

    @property
    def difference(self) -> float:
        """After less before."""
        return self.after.share - self.before.share

    @property
    def could_be_chance(self) -> bool:
        """Whether no difference at all is among what the counts leave open."""
        return self.interval.low <= 0 <= self.interval.high


Bucket = Callable[[int], str]
"""What an hour is called in a table."""


def _hour(at_ms: int) -> str:
    return f"{_moment(at_ms):%Y-%m-%dT%H:00Z}"


def _day(at_ms: int) -> str:
    return f"{_moment(at_ms):%Y-%m-%d}"


def _week(at_ms: int) -> str:
    year, week, _ = _moment(at_ms).isocalendar()
    return f"{year}-W{week:02}"


def _moment(at_ms: int) -> datetime:
    return datetime.fromtimestamp(at_ms // 1000, UTC)


BUCKETS: Mapping[str, Bucket] = {"hour": _hour, "day": _day, "week": _week}
"""Spans that a table can go by: in UTC, weeks as ISO 8601 counts them."""


def bucketed(sums: Iterable[OperationSum], bucket: Bucket) -> Sequence[RetryRate]:
    """The sums by the hour, gathered by `bucket`, in the order of time. Each sum has the hour as its only key."""
    found: dict[str, list[OperationSum]] = {}
    for each in sorted(sums, key=lambda each: each.key):
        found.setdefault(bucket(int(each.key[0])), []).append(each)
    return [_together(name, each) for name, each in found.items()]


def windows(around_ms: int, *, days: int, now_ms: int) -> tuple[Window, Window]:
    """As many days before the hour of `around_ms` as after it, as far as they have been."""
    middle, length = hour_of(around_ms), days * DAY_MS
    end = min(middle + length, hour_of(now_ms) + HOUR_MS)
    return Window(since_ms=middle - length, until_ms=middle), Window(since_ms=middle, until_ms=max(middle, end))


def change(before: Sequence[OperationSum], after: Sequence[OperationSum]) -> Change:
    """The two rates, and what their difference may be."""
    one, other = _together("before", before), _together("after", after)
    return Change(before=one, after=other, interval=newcombe_independent(_rate(other), _rate(one)))


def _rate(found: RetryRate) -> Rate:
    return Rate(successes=found.retried, trials=found.operations)


def _together(key: str, sums: Sequence[OperationSum]) -> RetryRate:
    return RetryRate(
        key=key,
        operations=sum(each.operations for each in sums),
        retried=sum(each.retried for each in sums),
        attempts=sum(each.attempts for each in sums),
    )
