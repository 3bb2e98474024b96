"""A clock that moves only when a test says so."""

from __future__ import annotations

__all__ = ["SteppedClock"]


class SteppedClock:
    """Starts at the given time; `advance` moves both of its hands."""

    def __init__(self, now_ms: int = 1_700_000_000_000) -> None:
        self._now_ms = now_ms
        self._ticks = 100.0
        self.step = 0.0
        """Seconds that pass with every look at `ticks`, so that a running statement sees time go by."""

    def now_ms(self) -> int:
        """Milliseconds since the epoch."""
        return self._now_ms

    def ticks(self) -> float:
        """Seconds since some start."""
        self._ticks += self.step
        return self._ticks

    def advance(self, seconds: float) -> None:
        """Let time go by."""
        self._now_ms += int(seconds * 1_000)
        self._ticks += seconds
