"""What an async handler takes to reach another system. The type that it asks for says how to recover from a crash.

`RequestBudget` stands beside them: how many requests may be made, and how long the call still has.

| type | the other system | after a crash in the middle |
|---|---|---|
| `Keyed` | drops a second request with the same key | it is sent again, with the same key |
| `Probe` | can be asked whether it happened | `reconcile=` asks |
| `Blind` | neither | it is `unknown` once it was begun, and never repeated |
"""

from __future__ import annotations

from contextlib import AbstractAsyncContextManager
from typing import Protocol

__all__ = ["Blind", "Keyed", "Probe", "RequestBudget"]


class Keyed(Protocol):
    """For a system that takes idempotency keys."""

    @property
    def attempt(self) -> int:
        """1 the first time; more after a crash or a fault that may be repeated."""
        ...

    def key(self, step: str = "") -> str:
        """The key to send: the same in each attempt of this operation, another for each `step`."""
        ...


class Probe(Protocol):
    """For a system that can be asked what became of a reference of ours."""

    @property
    def attempt(self) -> int:
        """1 the first time; more after a crash or a fault that may be repeated."""
        ...

    def key(self, step: str = "") -> str:
        """The reference to send and to ask for: the same in each attempt of this operation."""
        ...


class Blind(Protocol):
    """For a system that knows neither keys nor references."""

    def once(self) -> AbstractAsyncContextManager[None]:
        """Surround the one request with it: that it has begun is stored before, so that it is never sent again.

        A fault that will never be otherwise (`Retry.NEVER`) says that nothing happened; anything else that
        comes out of the block leaves the operation `unknown`.
        """
        ...


class RequestBudget(Protocol):
    """The requests that all replicas together may make, and the time that is left of this call (requirement C4)."""

    def seconds_left(self) -> float:
        """Seconds until the call's deadline, never below zero."""
        ...

    async def take(self, name: str, *, most: int, window_s: int = 60) -> float:
        """Take one request from the budget `name`, of which there are `most` in each window.

        Returns 0.0 if the request may be made now, else the seconds until there are more.
        """
        ...
