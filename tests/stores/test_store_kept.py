"""What is kept beside runs (ports.runs.Runs), for every adapter."""

from __future__ import annotations

import pytest

from fourfold.model.kept import Kept
from fourfold.ports.units import Transaction
from fourfold.runs.upkeep import drop_runs
from tests.stores.clocks import SteppedClock
from tests.stores.domain import FAR, Store, own_write
from tests.stores.records import NOON_MS, run_at

pytestmark = pytest.mark.anyio


def kept_of(number: int, **changes: str) -> Kept:
    """What is kept of run `run-<number>`, until as many seconds after noon."""
    until = NOON_MS + number * 1_000
    return Kept(run_id=f"run-{number}", purge_after_ms=until, tenant=changes.get("tenant", "acme"), sealed="v1.sealed")


async def found(store: Store, *numbers: int) -> list[int]:
    """Of which of those runs something is kept."""
    return [number for number in numbers if await store.runs.kept(f"run-{number}", tenant="acme") is not None]


async def test_what_is_kept_comes_back_with_its_run(store: Store) -> None:
    """D7: of a queued run and of one in its effect's transaction; of no other, and for no other tenant."""
    store.runs.append(run_at(1), kept=kept_of(1))
    store.runs.append(run_at(2))
    await store.units.write(lambda at: store.runs.insert(at.unit, run_at(3), kept=kept_of(3)), deadline=FAR)
    await store.runs.flush()

    assert await store.runs.kept("run-1", tenant="acme") == kept_of(1)
    assert await found(store, 1, 2, 3) == [1, 3]
    assert await store.runs.kept("run-1", tenant="globex") is None


async def test_what_is_kept_is_undone_with_its_run(store: Store) -> None:
    """D7, D1: the same transaction."""

    def undone(at: Transaction) -> None:
        store.runs.insert(at.unit, run_at(1), kept=kept_of(1))
        raise LookupError

    with pytest.raises(LookupError):
        await store.units.write(undone, deadline=FAR)

    assert await found(store, 1) == []


async def test_what_is_past_its_time_goes_in_batches(store: Store) -> None:
    """D7: the oldest first; its run stays."""
    for number in range(1, 5):
        store.runs.append(run_at(number), kept=kept_of(number))
    await store.runs.flush()

    async def purged(before_ms: int, limit: int) -> int:
        return await own_write(store, lambda unit: store.runs.purge_kept(unit, before_ms=before_ms, limit=limit))

    assert await purged(NOON_MS + 4_000, 2) == 2
    assert await found(store, 1, 2, 3, 4) == [3, 4]
    assert await purged(NOON_MS + 4_000, 2) == 1
    assert await found(store, 1, 2, 3, 4) == [4]
    assert await store.runs.show("run-1") is not None


async def test_a_run_that_is_dropped_takes_what_was_kept_along(store: Store, clock: SteppedClock) -> None:
    """D7, A9: nothing stays that no run leads to."""
    day_s = 86_400
    store.runs.append(run_at(1), kept=kept_of(1))
    store.runs.append(run_at(day_s), kept=kept_of(day_s))
    await store.runs.flush()

    assert await drop_runs(store, clock=clock, before_ms=NOON_MS + day_s * 1_000) == 1

    assert await found(store, 1, day_s) == [day_s]
