"""How many runs are summed up in one transaction."""

from __future__ import annotations

from dataclasses import replace
from itertools import cycle

import pytest

from fourfold.adapters.memory.store import open_memory
from fourfold.adapters.sql.tallies import SqlTallies
from fourfold.ports.units import Unit
from fourfold.runs.upkeep import fold_all
from tests.stores.clocks import SteppedClock
from tests.stores.records import NOON_MS, run_at

pytestmark = pytest.mark.anyio


class _Timed(SqlTallies):
    """Sums that take their time, and keep how much each transaction was given."""

    def __init__(self, clock: SteppedClock, *seconds: float) -> None:
        self._clock, self._seconds = clock, cycle(seconds)
        self.limits: list[int] = []

    def fold(self, unit: Unit, *, until_ms: int, limit: int) -> int:
        """Add runs, as the store does."""
        self.limits.append(limit)
        self._clock.advance(next(self._seconds))
        return super().fold(unit, until_ms=until_ms, limit=limit)


@pytest.fixture
def anyio_backend() -> str:
    """A store in memory runs on asyncio."""
    return "asyncio"


@pytest.mark.parametrize(
    ("seconds", "limits"),
    [(0.01, [4, 8, 16, 32]), (0.1, [4] * 8), (1.0, [4] * 8)],
)
async def test_a_transaction_takes_more_runs_while_that_is_quick(seconds: float, limits: list[int]) -> None:
    """A9, A14: nobody waits long behind it, and a million runs do not need thousands of transactions."""
    clock = SteppedClock(now_ms=NOON_MS + 10**9)
    timed = _Timed(clock, seconds)
    store = replace(open_memory(clock=clock), tallies=timed)
    for number in range(29):
        store.runs.append(run_at(number))

    assert await fold_all(store, clock=clock, batch=4) == 29
    assert timed.limits == limits


async def test_a_transaction_takes_fewer_runs_again_when_others_wait() -> None:
    """A9: down to what it began with at most."""
    clock = SteppedClock(now_ms=NOON_MS + 10**9)
    timed = _Timed(clock, 0.01, 0.01, 0.3)
    store = replace(open_memory(clock=clock), tallies=timed)
    for number in range(700):
        store.runs.append(run_at(number))

    await fold_all(store, clock=clock, batch=100)

    assert timed.limits == [100, 200, 400, 200]
