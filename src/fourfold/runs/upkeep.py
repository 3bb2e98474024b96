"""The job that keeps the sums up to date, and the one that drops old runs. Owns when; what is stored is the store's."""

from __future__ import annotations

import logging
from collections.abc import Callable
from random import Random, SystemRandom
from typing import Protocol

import anyio

from fourfold.errors import StoreError
from fourfold.ports.clock import Clock
from fourfold.ports.tallies import Tallies
from fourfold.ports.units import Unit, Units
from fourfold.runs.sums import day_of

__all__ = ["BATCH", "Summed", "drop_runs", "fold_all", "fold_by_the_minute", "sum_again"]

BATCH = 200
"""Runs of one transaction, so that no call waits long behind it."""

SETTLE_MS = 2_000
"""How old a run is before a server counts it: one that is stored after a later one would miss its operation."""

_BATCH_S = 30.0

_log = logging.getLogger(__name__)


class Summed(Protocol):
    """The part of a store that is summed up."""

    @property
    def units(self) -> Units:
        """Transactions."""
        ...

    @property
    def tallies(self) -> Tallies:
        """The sums."""
        ...


async def fold_all(store: Summed, *, clock: Clock, settle_ms: int = 0, batch: int = BATCH) -> int:
    """Add every run that is in no sum yet and is older than `settle_ms`; how many there were.

    Raises:
        StoreError: a batch could not be added; those before it are.
    """
    until = clock.now_ms() - settle_ms + 1
    return await _in_batches(
        store, lambda unit: store.tallies.fold(unit, until_ms=until, limit=batch), clock=clock, batch=batch
    )


async def sum_again(store: Summed, *, clock: Clock) -> int:
    """Make the sums anew from the runs that are kept; how many there were. Days of which none is kept stay.

    Raises:
        StoreError: it could not be done; what is missing is added by the next `fold_all`.
    """
    await store.units.write(lambda found: store.tallies.begin_again(found.unit), deadline=float("inf"))
    return await fold_all(store, clock=clock)


async def drop_runs(store: Summed, *, clock: Clock, before_ms: int, batch: int = BATCH) -> int:
    """Drop runs from before the day of `before_ms`, once they are in the sums; how many. The sums keep them.

    Raises:
        StoreError: a batch could not be dropped; those before it are gone.
    """
    day = day_of(before_ms)
    await fold_all(store, clock=clock)
    return await _in_batches(
        store, lambda unit: store.tallies.prune(unit, before_ms=day, limit=batch), clock=clock, batch=batch
    )


async def fold_by_the_minute(
    store: Summed, *, clock: Clock, period_s: float = 60, random: Random | None = None
) -> None:
    """Keep the sums up to date until cancelled. Replicas that start together drift apart."""
    chance = random or SystemRandom()
    while True:
        await anyio.sleep(period_s * chance.uniform(0.5, 1.5))
        try:
            await fold_all(store, clock=clock, settle_ms=SETTLE_MS)
        except StoreError as error:
            _log.warning("the sums over the runs are behind; it is tried again", exc_info=error)


async def _in_batches(store: Summed, work: Callable[[Unit], int], *, clock: Clock, batch: int) -> int:
    total, done = 0, batch
    while done >= batch:
        done = await store.units.write(lambda found: work(found.unit), deadline=clock.ticks() + _BATCH_S)
        total += done
    return total
