"""What goes on now: the traffic of the last hours, from the sums that are kept by the hour."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from fourfold.ports.tallies import SumFilter, Waiting
from fourfold.ports.units import Unit
from fourfold.runs.asking import AskedStore, ask
from fourfold.runs.sum_keys import HOUR_MS, hour_of
from fourfold.runs.traffic import Key, Moment, Sums, Traffic, traffic_by

__all__ = ["MOST_WAITING", "Now", "now"]

HOURS = 24

MOST_WAITING = 1_000
"""Up to how many runs are counted that no sum has yet."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Now:
    """The last hours, the current one with them.

    Attributes:
        since_ms, until_ms: the span, from the beginning of an hour to now.
        total: all of it.
        hours: each hour of it, oldest first, those without calls too.
        waiting: runs that are stored and not in these numbers yet, at most `MOST_WAITING` of them.
    """

    since_ms: int
    until_ms: int
    total: Traffic
    hours: Sequence[Moment]
    waiting: Waiting

    @property
    def as_of_ms(self) -> int:
        """Up to when every call is in the numbers."""
        return self.until_ms if self.waiting.first_ms is None else min(self.until_ms, self.waiting.first_ms)


async def now(store: AskedStore, *, tenant: str | None, now_ms: int, hours: int = HOURS) -> Now:
    """The traffic of the last `hours` hours of a tenant, or of all.

    Raises:
        StoreError: the database refused or failed.
    """
    since = hour_of(now_ms) - (hours - 1) * HOUR_MS
    where = SumFilter(tenant=tenant, since_ms=since)

    def question(unit: Unit) -> tuple[Sums, Waiting]:
        tallies = store.tallies
        sums = Sums(
            usage=tallies.usage(unit, where, by=("hour_ms",)),
            latencies=tallies.latencies(unit, where, by=("hour_ms",)),
            operations=tallies.operations(unit, where, by=("hour_ms",)),
            charges=tallies.charges(unit, where, by=("hour_ms",)),
        )
        return sums, tallies.waiting(unit, tenant=tenant, limit=MOST_WAITING)

    sums, waiting = await ask(store, question, tenant=tenant)
    by_hour = traffic_by(sums, _itself)
    return Now(
        since_ms=since,
        until_ms=now_ms,
        total=traffic_by(sums, _nothing).get((), Traffic()),
        hours=[
            Moment(at_ms=at_ms, traffic=by_hour.get((at_ms,), Traffic())) for at_ms in range(since, now_ms + 1, HOUR_MS)
        ],
        waiting=waiting,
    )


def _itself(key: Key) -> Key:
    return key


def _nothing(_: Key) -> Key:
    return ()
