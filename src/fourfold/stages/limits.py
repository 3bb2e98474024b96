"""`Guard`: call rate, concurrency, and repeated failures, per caller and tool, in this process.

Each table is bounded: the least recently used entry goes first, so that nobody fills the memory with names.
"""

from __future__ import annotations

import math
from collections import Counter, OrderedDict
from collections.abc import Callable, Hashable
from dataclasses import dataclass, field
from typing import Generic, TypeVar

from fourfold.model.caller import Caller
from fourfold.model.contract import Limits

__all__ = ["Guard", "Key", "key_of"]

Key = tuple[str, str, str]
"""Tenant, principal, tool."""

_ROUNDING = 1e-6
"""A part of a call: what floating-point time may add to a bucket that has leaked just enough."""

_MAX_ENTRIES = 10_000
_MAX_FAILURES = 100

K = TypeVar("K", bound=Hashable)
V = TypeVar("V")


@dataclass(slots=True)
class _Recent(Generic[K, V]):
    """A bounded table of the most recently used entries."""

    make: Callable[[], V]
    entries: OrderedDict[K, V] = field(default_factory=OrderedDict[K, V])

    def get(self, key: K) -> V:
        """The entry of `key`, made if it is new."""
        if key not in self.entries:
            self.entries[key] = self.make()
            if len(self.entries) > _MAX_ENTRIES:
                self.entries.popitem(last=False)
        self.entries.move_to_end(key)
        return self.entries[key]


@dataclass(slots=True)
class _Bucket:
    """A token bucket: `spent` calls leak away at the allowed rate."""

    spent: float = 0.0
    at: float = 0.0

    def take(self, now: float, per_minute: int) -> int:
        """0 if a call is allowed now, else the milliseconds to wait."""
        self.spent = max(0.0, self.spent - (now - self.at) * per_minute / 60)
        self.at = now
        over = self.spent + 1 - per_minute
        if over > _ROUNDING:
            return math.ceil(over * 60_000 / per_minute)
        self.spent += 1
        return 0


@dataclass(slots=True)
class Guard:
    """The limits of this process. Used on one event loop; no locks."""

    rates: _Recent[Key, _Bucket] = field(default_factory=lambda: _Recent[Key, _Bucket](_Bucket))
    failures: _Recent[Key, Counter[bytes]] = field(default_factory=lambda: _Recent[Key, Counter[bytes]](Counter))
    running: dict[Key, int] = field(default_factory=dict[Key, int])

    def wait_ms(self, key: Key, limits: Limits, *, now: float) -> int:
        """Count a call: 0 if it is within the rate, else the milliseconds to wait before the next."""
        return self.rates.get(key).take(now, limits.calls_per_minute)

    def enter(self, key: Key, limits: Limits) -> bool:
        """Take a place among the running calls; `False` if all are taken. Give it back with `leave`."""
        count = self.running.get(key, 0)
        if count >= limits.concurrency:
            return False
        self.running[key] = count + 1
        return True

    def leave(self, key: Key) -> None:
        """Give a place back."""
        count = self.running[key] - 1
        if count:
            self.running[key] = count
        else:
            del self.running[key]

    def failed(self, key: Key, digest: bytes) -> int:
        """Count one more failure of the same call by the same caller; how many there were in a row."""
        counts = self.failures.get(key)
        counts[digest] += 1
        if len(counts) > _MAX_FAILURES:
            del counts[next(iter(counts))]
        return counts[digest]

    def has_failed(self, key: Key) -> bool:
        """Whether any call of that caller and tool is counted as failing."""
        return bool(self.failures.entries.get(key))

    def succeeded(self, key: Key, digest: bytes) -> None:
        """Forget the failures of a call."""
        self.failures.get(key).pop(digest, None)


def key_of(caller: Caller, tool: str) -> Key:
    """Whom and what a limit counts for."""
    return (caller.tenant, caller.principal, tool)
