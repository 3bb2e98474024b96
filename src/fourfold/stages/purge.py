"""Purging: what is past its time goes, in batches; what is owned or unknown stays, however old."""

from __future__ import annotations

import logging
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from random import Random
from typing import Protocol

from fourfold.model.retention import Retention
from fourfold.ports.claims import Claims
from fourfold.ports.clock import Clock
from fourfold.ports.handles import HandleRecords
from fourfold.ports.outbox import Messages
from fourfold.ports.plans import Plans
from fourfold.ports.runs import Runs
from fourfold.ports.units import Unit, Units
from fourfold.stages.periodic import periodically

__all__ = ["Purgeable", "Purged", "purge", "purge_by_the_hour"]

BATCH = 500
"""Rows of one transaction, so that no call waits long behind it."""

_BATCH_S = 30.0

_log = logging.getLogger(__name__)


class Purgeable(Protocol):
    """The part of a store that is purged."""

    @property
    def units(self) -> Units:
        """Transactions."""
        ...

    @property
    def claims(self) -> Claims:
        """Claims."""
        ...

    @property
    def plans(self) -> Plans:
        """Plans."""
        ...

    @property
    def messages(self) -> Messages:
        """The outbox."""
        ...

    @property
    def handles(self) -> HandleRecords:
        """Records of handles."""
        ...

    @property
    def runs(self) -> Runs:
        """Run records, and what is kept beside them."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Purged:
    """How many rows went, lost their outcome, or were given up."""

    claims: int
    plans: int
    messages: int
    handles: int
    kept: int


async def purge(store: Purgeable, *, clock: Clock, retention: Retention, batch: int = BATCH) -> Purged:
    """Turn old outcomes into tombstones, and drop old tombstones, plans, sent messages, handles and kept arguments.

    Operations of processes that died, and that no call came back for in that time, become unknown.

    Raises:
        StoreError: a batch could not be dropped; those before it are gone.
    """
    now = clock.now_ms()
    claims, plans, messages, handles = store.claims, store.plans, store.messages, store.handles
    buried = now + retention.tombstone_ms

    async def all_of(drop: Callable[[Unit], int]) -> int:
        total = dropped = await _written(store.units, clock, drop)
        while dropped >= batch:
            dropped = await _written(store.units, clock, drop)
            total += dropped
        return total

    given_up = await all_of(lambda unit: claims.give_up(unit, now_ms=now, limit=batch))
    if given_up:
        _log.warning("%d operations whose process died are unknown now: fourfold claims list --state unknown", given_up)
    purged = await all_of(lambda unit: claims.purge(unit, now_ms=now, tombstone_until_ms=buried, limit=batch))
    return Purged(
        claims=given_up + purged,
        # No plan goes before the outcome of its operation: whoever executes it again is told what happened.
        plans=await all_of(lambda unit: plans.purge(unit, before_ms=now - retention.outcome_ms, limit=batch)),
        messages=await all_of(lambda unit: messages.purge(unit, before_ms=now - retention.message_ms, limit=batch)),
        handles=await all_of(lambda unit: handles.purge(unit, before_ms=now, limit=batch)),
        kept=await all_of(lambda unit: store.runs.purge_kept(unit, before_ms=now, limit=batch)),
    )


async def purge_by_the_hour(
    store: Purgeable, *, clock: Clock, retention: Retention, period_s: float = 3_600, random: Random | None = None
) -> None:
    """Purge once a period until cancelled."""
    job = partial(purge, store, clock=clock, retention=retention)
    await periodically(job, period_s=period_s, random=random, trouble="the store was not purged")


async def _written(units: Units, clock: Clock, drop: Callable[[Unit], int]) -> int:
    return await units.write(lambda found: drop(found.unit), deadline=clock.ticks() + _BATCH_S)
