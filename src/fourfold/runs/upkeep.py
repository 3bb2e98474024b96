"""The jobs that keep sums and seals up to date, and the one that drops old runs. Owns when; storing is the store's."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from random import Random
from typing import Protocol

from fourfold.errors import StoreContended
from fourfold.ports.clock import Clock
from fourfold.ports.seals import Seals
from fourfold.ports.signer import Signer
from fourfold.ports.tallies import Tallies
from fourfold.ports.units import Unit, Units
from fourfold.runs.sealing import Sealed, record_prune, seal_all
from fourfold.runs.sum_keys import day_of
from fourfold.stages.periodic import periodically

__all__ = [
    "BATCH",
    "Prunable",
    "Summed",
    "drop_runs",
    "fold_all",
    "fold_by_the_minute",
    "seal_by_the_minute",
    "sum_again",
]

BATCH = 200
"""Runs of one transaction, so that no call waits long behind it."""

SETTLE_MS = 2_000
"""How old a run is before a server counts it: one that is stored after a later one would miss its operation."""

_BATCH_S = 30.0

_QUICK_S, _SLOW_S = 0.05, 0.2
_LARGEST = 5_000


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


class Prunable(Summed, Protocol):
    """The part of a store that runs are dropped from."""

    @property
    def seals(self) -> Seals:
        """The chain of seals."""
        ...


async def fold_all(store: Summed, *, clock: Clock, settle_ms: int = 0, batch: int = BATCH) -> int:
    """Add every run that is in no sum yet and is older than `settle_ms`; how many there were.

    Raises:
        StoreError: a batch could not be added; those before it are.
    """
    until = clock.now_ms() - settle_ms + 1
    total, next_batch = 0, batch
    while next_batch:
        began, limit = clock.ticks(), next_batch
        done = await _fold(store, until_ms=until, limit=limit, deadline=began + _BATCH_S)
        total += done
        next_batch = _next_batch(limit, least=batch, took_s=clock.ticks() - began) if done == limit else 0
    return total


async def _fold(store: Summed, *, until_ms: int, limit: int, deadline: float) -> int:
    return await store.units.write(
        lambda found: store.tallies.fold(found.unit, until_ms=until_ms, limit=limit), deadline=deadline
    )


async def sum_again(store: Summed, *, clock: Clock) -> int:
    """Make the sums anew from the runs that are kept; how many there were. Days of which none is kept stay.

    Raises:
        StoreError: it could not be done; what is missing is added by the next `fold_all`.
    """
    await store.units.write(lambda found: store.tallies.begin_again(found.unit), deadline=float("inf"))
    return await fold_all(store, clock=clock)


async def drop_runs(
    store: Prunable, *, clock: Clock, before_ms: int, signer: Signer | None = None, batch: int = BATCH
) -> int:
    """Drop runs from before the day of `before_ms`, once they are in the sums; how many. The sums keep them.

    The day of the newest run stays, so that SQLite gives no number twice. Where runs are sealed, the rest is sealed
    first, and that they are dropped becomes an entry of the chain.

    Raises:
        ConfigError: runs are sealed, and there is no `signer`.
        StoreError: a batch could not be dropped; those before it are gone.
    """
    await fold_all(store, clock=clock)
    if signer is not None:
        await seal_all(store, clock=clock, signer=signer)
    newest = await store.units.write(lambda found: store.seals.newest_run(found.unit), deadline=float("inf"))
    if newest is None:
        return 0
    day = min(day_of(before_ms), day_of(newest.at_ms))
    to_seq = await record_prune(store, clock=clock, signer=signer, before_ms=day)

    def drop(unit: Unit) -> int:
        store.seals.alone(unit)
        if to_seq is None and store.seals.newest(unit) is not None:
            raise StoreContended("a server has begun to seal these runs, so the rest has to be recorded: prune again")
        return store.tallies.prune(unit, before_ms=day, to_seq=newest.seq if to_seq is None else to_seq, limit=batch)

    return await _in_batches(store, drop, clock=clock, batch=batch)


async def fold_by_the_minute(
    store: Summed, *, clock: Clock, period_s: float = 60, random: Random | None = None
) -> None:
    """Keep the sums up to date until cancelled."""
    job = partial(fold_all, store, clock=clock, settle_ms=SETTLE_MS)
    await periodically(job, period_s=period_s, random=random, trouble="the sums over the runs are behind")


async def seal_by_the_minute(
    store: Sealed, *, clock: Clock, signer: Signer, period_s: float = 60, random: Random | None = None
) -> None:
    """Seal what was stored until cancelled."""
    job = partial(seal_all, store, clock=clock, signer=signer)
    await periodically(job, period_s=period_s, random=random, trouble="the newest runs are not sealed yet")


def _next_batch(batch: int, *, least: int, took_s: float) -> int:
    """More, as long as a transaction is so quick, its wait for others with it, that nobody waits behind it."""
    if took_s < _QUICK_S:
        return max(least, min(2 * batch, _LARGEST))
    return max(least, batch // 2) if took_s > _SLOW_S else batch


async def _in_batches(store: Summed, work: Callable[[Unit], int], *, clock: Clock, batch: int) -> int:
    total, done = 0, batch
    while done >= batch:
        done = await store.units.write(lambda found: work(found.unit), deadline=clock.ticks() + _BATCH_S)
        total += done
    return total
