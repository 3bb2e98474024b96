"""`SystemClock`: the machine's own time. Tests use a fixed clock instead."""

from __future__ import annotations

import time

__all__ = ["SystemClock"]


class SystemClock:
    """Wall time from the operating system, durations from its monotonic clock (ports.Clock)."""

    def now_ms(self) -> int:
        """Milliseconds since the epoch, UTC."""
        return time.time_ns() // 1_000_000

    def ticks(self) -> float:
        """Seconds from an arbitrary start, never going back."""
        return time.monotonic()
