"""Keeps what telemetry is told (ports.Telemetry), for tests of what the stages tell."""

from __future__ import annotations

from dataclasses import dataclass, field

from fourfold.ports.telemetry import EndedCall, EndedRequest, StoreWork, Waiting

__all__ = ["Heard"]


@dataclass(slots=True)
class Heard:
    """Everything that was told, in order."""

    calls: list[EndedCall] = field(default_factory=list[EndedCall])
    requests: list[EndedRequest] = field(default_factory=list[EndedRequest])
    store: list[tuple[StoreWork, str]] = field(default_factory=list[tuple[StoreWork, str]])
    waiting: list[Waiting] = field(default_factory=list[Waiting])

    def request_ended(self, request: EndedRequest) -> None:
        """Keep it."""
        self.requests.append(request)

    def call_ended(self, call: EndedCall) -> None:
        """Keep it."""
        self.calls.append(call)

    def store_worked(self, work: StoreWork, *, seconds: float, error: str = "") -> None:
        """Keep what it was and how it ended."""
        assert seconds >= 0
        self.store.append((work, error))

    def waits(self, waiting: Waiting) -> None:
        """Keep it."""
        self.waiting.append(waiting)
