"""CPU time of small pieces of work in this process, all threads counted."""

from __future__ import annotations

import gc
import time
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass

import anyio

from benchmarks.report import Part

__all__ = ["Stopwatch", "Work"]

_SETTLE_S = 0.12
"""Run records are stored up to 100 ms after their call and belong to it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Work:
    """Something that is done `times` in a round, and how many pieces of work each time is."""

    name: str
    do: Callable[[], Awaitable[object]]
    times: int
    pieces: int = 1


@dataclass(frozen=True, slots=True, kw_only=True)
class Stopwatch:
    """Takes `rounds` times of about `seconds` each."""

    rounds: int
    seconds: float

    def plain(self, name: str, work: Callable[[], object]) -> Part:
        """The CPU time of one `work()`."""
        count = self._count(_timed(work, 10) / 10)
        return Part(name=name, cpu_us=tuple(_timed(work, count) / count * 1e6 for _ in range(self.rounds)))

    async def each(self, name: str, work: Callable[[], Awaitable[object]], *, at_once: int = 1) -> Part:
        """The CPU time of one `work()` on the event loop, what it leaves to other threads included."""
        await _timed_async(work, 10, at_once=1)
        count = self._count(await _timed_async(work, 50, at_once=at_once) / 50)
        start, calls = time.perf_counter(), count * self.rounds
        taken = [await _timed_async(work, count, at_once=at_once) / count * 1e6 for _ in range(self.rounds)]
        rate = calls / (time.perf_counter() - start - _SETTLE_S * self.rounds)
        return Part(name=name, cpu_us=tuple(taken), note=f"{rate:,.0f} a second")

    async def in_turns(self, works: Sequence[Work]) -> list[Part]:
        """The CPU time of one piece of each, all of them in every round, so that their ratios mean something."""
        taken = [[await _timed_work(work) for work in works] for _ in range(self.rounds)]
        return [Part(name=work.name, cpu_us=times) for work, times in zip(works, zip(*taken, strict=True), strict=True)]

    def _count(self, once: float) -> int:
        return max(20, round(self.seconds / max(once, 1e-7)))


async def _timed_work(work: Work) -> float:
    # What the turn before left behind is not this one's; and a server has frozen what it loaded.
    gc.collect()
    gc.freeze()
    return await _timed_async(work.do, work.times, at_once=1) / work.times / work.pieces * 1e6


def _timed(work: Callable[[], object], count: int) -> float:
    before = time.process_time()
    for _ in range(count):
        work()
    return time.process_time() - before


async def _timed_async(work: Callable[[], Awaitable[object]], count: int, *, at_once: int) -> float:
    async def some() -> None:
        for _ in range(-(-count // at_once)):
            await work()

    before = time.process_time()
    async with anyio.create_task_group() as tasks:
        for _ in range(at_once):
            tasks.start_soon(some)
    await anyio.sleep(_SETTLE_S)
    return time.process_time() - before
