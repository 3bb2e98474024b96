"""`Limit`: when a piece of work has to stop. Shared by every store; each has its own way of stopping a statement."""

from __future__ import annotations

from collections.abc import Callable

__all__ = ["NO_LIMIT", "Limit"]


class Limit:
    """When work has to stop: at its deadline, or at once when its caller has gone."""

    __slots__ = ("_deadline", "_ticks")

    def __init__(self, ticks: Callable[[], float], deadline: float) -> None:
        self._ticks = ticks
        self._deadline = deadline

    def passed(self) -> bool:
        """Whether the work has to stop now."""
        return self._ticks() > self._deadline

    def left(self) -> float:
        """Seconds until the work has to stop; infinite without a deadline, never negative."""
        return max(0.0, self._deadline - self._ticks())

    def stop(self) -> None:
        """Stop the work at the next check; safe from any thread."""
        self._deadline = float("-inf")


NO_LIMIT = Limit(lambda: 0.0, float("inf"))
"""For statements that must finish whatever they take, such as COMMIT."""
