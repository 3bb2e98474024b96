"""`Traffic`: calls of a span of time in numbers, put together from the sums. Pure."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TypeVar

from fourfold.ports.tallies import ChargeSum, LatencySum, OperationSum, UsageSum
from fourfold.runs.latency import quantile_us
from fourfold.runs.spending import Tokens

__all__ = ["Key", "Moment", "Sums", "Traffic", "traffic_by"]

A = TypeVar("A", UsageSum, LatencySum, OperationSum, ChargeSum)

Key = tuple[str | int, ...]
"""What sums are gathered by."""


_NO_TOKENS = Tokens(arguments=0, result=0, definition=0)


@dataclass(frozen=True, slots=True, kw_only=True)
class Traffic:
    """Calls, what became of them, how long they took and what they cost.

    Attributes:
        runs, failed: calls, and those that did not succeed; a question to a person is no failure.
        operations, retried: logical operations that began, and those that took more than one attempt.
        p50_us, p99_us: how long calls took, in microseconds (`runs.latency.ERROR`); `None` without calls.
        tokens: estimates.
        charges: minor units by currency.
    """

    runs: int = 0
    failed: int = 0
    operations: int = 0
    retried: int = 0
    p50_us: int | None = None
    p99_us: int | None = None
    tokens: Tokens = _NO_TOKENS
    charges: Mapping[str, int] = field(default_factory=dict[str, int])

    @property
    def failure_rate(self) -> float:
        """The share of calls that did not succeed; 0 without calls."""
        return self.failed / self.runs if self.runs else 0.0

    @property
    def retry_rate(self) -> float:
        """The share of operations that took more than one attempt; 0 without operations."""
        return self.retried / self.operations if self.operations else 0.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Moment:
    """An hour or a day, by its beginning in milliseconds, and its traffic."""

    at_ms: int
    traffic: Traffic


@dataclass(frozen=True, slots=True, kw_only=True)
class Sums:
    """What traffic is put together from; each list by the same keys."""

    usage: Sequence[UsageSum]
    latencies: Sequence[LatencySum]
    operations: Sequence[OperationSum]
    charges: Sequence[ChargeSum] = ()


def traffic_by(sums: Sums, key: Callable[[Key], Key]) -> Mapping[Key, Traffic]:
    """The traffic of each key, in the order of the keys. `key` makes one of what the sums are kept by."""
    usage = _gathered(sums.usage, key)
    latencies = _gathered(sums.latencies, key)
    operations = _gathered(sums.operations, key)
    charges = _gathered(sums.charges, key)
    return {
        each: _traffic(usage[each], latencies[each], operations[each], charges=charges[each])
        for each in sorted({*usage, *latencies, *operations, *charges})
    }


def _gathered(sums: Iterable[A], key: Callable[[Key], Key]) -> defaultdict[Key, list[A]]:
    found: defaultdict[Key, list[A]] = defaultdict(list)
    for each in sums:
        found[key(each.key)].append(each)
    return found


def _traffic(
    usage: Sequence[UsageSum],
    latencies: Sequence[LatencySum],
    operations: Sequence[OperationSum],
    *,
    charges: Sequence[ChargeSum],
) -> Traffic:
    buckets: Counter[int] = Counter()
    for each in latencies:
        buckets[each.bucket] += each.runs
    charged: Counter[str] = Counter()
    for charge in charges:
        charged[charge.currency] += charge.amount_minor
    return Traffic(
        runs=sum(each.runs for each in usage),
        failed=sum(each.failed for each in usage),
        operations=sum(each.operations for each in operations),
        retried=sum(each.retried for each in operations),
        p50_us=quantile_us(buckets, 0.5),
        p99_us=quantile_us(buckets, 0.99),
        tokens=Tokens(
            arguments=sum(each.tokens_in for each in usage),
            result=sum(each.tokens_out for each in usage),
            definition=sum(each.tokens_definition for each in usage),
        ),
        charges=dict(sorted(charged.items())),
    )
