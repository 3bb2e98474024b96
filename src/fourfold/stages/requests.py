"""How many requests this process may make to other systems: leased in small slices from what all replicas share."""

from __future__ import annotations

from dataclasses import dataclass, field

import anyio

from fourfold.ports.clock import Clock
from fourfold.ports.handles import Budgets
from fourfold.ports.units import Units

__all__ = ["CallRequests", "LeasedRequests"]

SLICES = 20
"""A lease is this part of the whole: few enough transactions, and little that a process which ends leaves unused."""


@dataclass(slots=True)
class _Slice:
    """What is left of a lease, in the window that it was granted for."""

    window_ms: int
    left: int


@dataclass(slots=True, kw_only=True)
class LeasedRequests:
    """The leases of one process. Nothing of a window is carried into the next, so that none has more than it may."""

    units: Units
    budgets: Budgets
    clock: Clock
    _slices: dict[str, _Slice] = field(default_factory=dict[str, _Slice])
    _leasing: anyio.Lock = field(default_factory=anyio.Lock)

    async def take(self, name: str, *, most: int, window_s: int, deadline: float) -> float:
        """0.0 if one request may be made now, else the seconds until the next window.

        Raises:
            StoreError: the store did not answer by `deadline`.
        """
        async with self._leasing:
            now, length = self.clock.now_ms(), window_s * 1000
            window = now - now % length
            held = self._slices.get(name)
            if held is None or held.window_ms != window or held.left == 0:
                granted = await self._lease(name, most=most, window_ms=length, deadline=deadline)
                held = self._slices[name] = _Slice(window, granted)
            if held.left == 0:
                return (window + length - now) / 1000
            held.left -= 1
            return 0.0

    async def _lease(self, name: str, *, most: int, window_ms: int, deadline: float) -> int:
        want, now = max(1, most // SLICES), self.clock.now_ms()
        return await self.units.write(
            lambda transaction: self.budgets.lease(
                transaction.unit, name, want=want, most=most, window_ms=window_ms, now_ms=now
            ),
            deadline=deadline,
        )


@dataclass(frozen=True, slots=True)
class CallRequests:
    """`RequestBudget` for one call, whose deadline it knows."""

    leased: LeasedRequests
    deadline: float

    def seconds_left(self) -> float:
        """Seconds until the call's deadline, never below zero."""
        return max(self.deadline - self.leased.clock.ticks(), 0.0)

    async def take(self, name: str, *, most: int, window_s: int = 60) -> float:
        """Take one request from a budget; `ports.upstream.RequestBudget` says more."""
        return await self.leased.take(name, most=most, window_s=window_s, deadline=self.deadline)
