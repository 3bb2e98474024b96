"""Request budgets that answer what a test says, where the store's own would take a service to set up."""

from __future__ import annotations

from dataclasses import dataclass, field

__all__ = ["ScriptedBudget"]


@dataclass(slots=True)
class ScriptedBudget:
    """A `RequestBudget` with a request for each entry of `waits`, and any number after them."""

    waits: list[float] = field(default_factory=list[float])
    left_s: float = 30.0
    taken: list[tuple[str, int, int]] = field(default_factory=list[tuple[str, int, int]])

    def seconds_left(self) -> float:
        """What the test said."""
        return self.left_s

    async def take(self, name: str, *, most: int, window_s: int = 60) -> float:
        """The next wait of the script."""
        self.taken.append((name, most, window_s))
        return self.waits.pop(0) if self.waits else 0.0
