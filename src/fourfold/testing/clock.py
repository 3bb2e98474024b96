"""A clock that moves only when a test says so."""

from __future__ import annotations

from dataclasses import dataclass

__all__ = ["FixedClock"]


@dataclass(slots=True)
class FixedClock:
    """A `Clock` that stands still at `ms` (milliseconds since the epoch; 2026-11-01T00:00:00Z by default)."""

    ms: int = 1_793_491_200_000

    def now_ms(self) -> int:
        """Milliseconds since the epoch."""
        return self.ms

    def ticks(self) -> float:
        """Seconds, moving with `advance`."""
        return self.ms / 1000

    def advance(self, seconds: float) -> None:
        """Move time on."""
        self.ms += round(seconds * 1000)
