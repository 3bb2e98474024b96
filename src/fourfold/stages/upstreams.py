"""What an operation gives its handler to reach outside: `Keyed`, `Probe` and `Blind` for one claim."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Literal

from fourfold.model.claim import Claim
from fourfold.model.fault import Fault
from fourfold.model.upstream import derived_key

__all__ = ["BlindUpstream", "KeyedUpstream"]


@dataclass(frozen=True, slots=True)
class KeyedUpstream:
    """Keys of one operation, for `Keyed` and for `Probe`."""

    claim: Claim

    @property
    def attempt(self) -> int:
        """1 the first time; more after a crash or a fault that may be repeated."""
        return self.claim.attempt

    def key(self, step: str = "") -> str:
        """The key to send: the same in each attempt of this operation, another for each `step`."""
        return derived_key(self.claim.operation_id, step)


@dataclass(slots=True)
class BlindUpstream:
    """One request that cannot be repeated. `begin` stores that it begins, before it does."""

    begin: Callable[[], Awaitable[None]]
    state: Literal["untouched", "open", "sent"] = "untouched"

    @asynccontextmanager
    async def once(self) -> AsyncGenerator[None]:
        """Surround the one request with it."""
        if self.state != "untouched":
            raise RuntimeError("once() is for one request of an operation")
        await self.begin()
        self.state = "open"
        try:
            yield
        except Fault as fault:
            # A final fault is the other system's refusal: it says itself that nothing happened.
            self.state = "untouched" if fault.retry.settles else "open"
            raise
        self.state = "sent"
