"""Time, so that no stage reads it on its own."""

from __future__ import annotations

from typing import Protocol

__all__ = ["Clock"]


class Clock(Protocol):
    """Wall and monotonic time."""

    def now_ms(self) -> int:
        """Milliseconds since the epoch, UTC."""
        ...

    def ticks(self) -> float:
        """Seconds from an arbitrary start, never going back; for durations and deadlines."""
        ...
