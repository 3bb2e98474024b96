"""Sums over the run records, by the hour and the day, and the logical operations behind retry rates."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, Protocol

from fourfold.ports.units import Unit

__all__ = ["ChargeSum", "FillSum", "OperationBy", "OperationSum", "SumFilter", "Tallies", "UsageBy", "UsageSum"]

OperationBy = Literal["hour_ms", "tenant", "principal", "tool", "contract_version", "code"]
"""What operations can be counted by."""

UsageBy = Literal["day_ms", "tenant", "subject", "tool", "code", "outcome"]
"""What runs and charges can be counted by."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SumFilter:
    """Which sums are asked for. Empty fields do not restrict; times are half-open, in milliseconds.

    A time inside an hour, or inside a day where sums are kept by the day, means all of it. `principal` is known of
    operations alone, `subject` and `failed` of runs and charges alone.
    """

    tenant: str | None = None
    principal: str = ""
    subject: str = ""
    tool: str = ""
    code: str = ""
    failed: bool = False
    since_ms: int | None = None
    until_ms: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class OperationSum:
    """Operations that share a key, how many of them took more than one attempt, and attempts of all of them."""

    key: tuple[str | int, ...]
    operations: int
    retried: int
    attempts: int


@dataclass(frozen=True, slots=True, kw_only=True)
class UsageSum:
    """Runs that share a key, and what they took; tokens are estimates. `failed` are those that did not succeed."""

    key: tuple[str | int, ...]
    runs: int
    failed: int
    tokens_in: int
    tokens_out: int
    tokens_definition: int
    last_ms: int


@dataclass(frozen=True, slots=True, kw_only=True)
class ChargeSum:
    """What other systems charged for the runs that share a key, in minor units."""

    key: tuple[str | int, ...]
    currency: str
    amount_minor: int


@dataclass(frozen=True, slots=True, kw_only=True)
class FillSum:
    """How many results of a day had a field, and in how many of them it held something."""

    day_ms: int
    tool: str
    field: str
    results: int
    filled: int


class Tallies(Protocol):
    """Keeps the sums, and reads them. Functions over a unit, as the other records are."""

    def fold(self, unit: Unit, *, until_ms: int, limit: int) -> int:
        """Add runs that arrived before `until_ms` and are in no sum yet, oldest first; how many there were."""
        ...

    def begin_again(self, unit: Unit) -> None:
        """Forget the sums of all days of which runs are kept, and have those runs added anew."""
        ...

    def prune(self, unit: Unit, *, before_ms: int, limit: int) -> int:
        """Drop about `limit` of the oldest runs from before `before_ms`; how many. What they add to sums stays."""
        ...

    def operations(self, unit: Unit, where: SumFilter, *, by: Sequence[OperationBy]) -> Sequence[OperationSum]:
        """Operations by the hour of their first run and by what that run was, in the order of their keys."""
        ...

    def usage(self, unit: Unit, where: SumFilter, *, by: Sequence[UsageBy]) -> Sequence[UsageSum]:
        """Runs and what they took, in the order of their keys."""
        ...

    def charges(self, unit: Unit, where: SumFilter, *, by: Sequence[UsageBy]) -> Sequence[ChargeSum]:
        """What other systems charged, in the order of their keys."""
        ...

    def fill(self, unit: Unit, where: SumFilter, *, field: str = "") -> Sequence[FillSum]:
        """How often each output field held anything, by the day, in the order of days, tools and fields."""
        ...
