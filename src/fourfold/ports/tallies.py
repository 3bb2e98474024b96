"""Sums over the run records, by the hour and the day, and the logical operations behind retry rates."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, Protocol

from fourfold.ports.units import Unit

__all__ = [
    "ChargeSum",
    "CountSum",
    "FailureBy",
    "FailureSum",
    "FillSum",
    "LatencyBy",
    "LatencySum",
    "OperationBy",
    "OperationSum",
    "SumFilter",
    "Tallies",
    "UsageBy",
    "UsageSum",
    "Waiting",
]

OperationBy = Literal["hour_ms", "day_ms", "tenant", "principal", "tool", "contract_version", "code"]
"""What operations can be counted by."""

UsageBy = Literal["hour_ms", "day_ms", "tenant", "subject", "tool", "contract_version", "code", "outcome"]
"""What runs and charges can be counted by.

An hour is known beside tenant, tool, contract version and outcome; a contract version is not known beside a subject.
Charges have no contract version.
"""

LatencyBy = Literal["hour_ms", "day_ms", "tenant", "tool", "contract_version"]
"""What the times that calls took can be counted by."""

FailureBy = Literal["hour_ms", "tenant", "principal", "subject", "tool", "code"]
"""What failures can be counted by."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SumFilter:
    """Which sums are asked for. Empty fields do not restrict; times are half-open, in milliseconds.

    A time inside an hour, or inside a day where sums are kept by the day, means all of it. `principal` is known of
    operations and failures, `subject` and `failed` of runs, charges and failures.
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
    """Runs that share a key, and what they took; tokens are estimates. `failed` are those that did not succeed.

    `first_ms` and `last_ms` are when the first and the newest of them arrived, 0 without any.
    """

    key: tuple[str | int, ...]
    runs: int
    failed: int
    tokens_in: int
    tokens_out: int
    tokens_definition: int
    first_ms: int
    last_ms: int


@dataclass(frozen=True, slots=True, kw_only=True)
class LatencySum:
    """Runs that share a key and took about the same time: `bucket` is a number of `runs.latency.BOUNDS_US`."""

    key: tuple[str | int, ...]
    bucket: int
    runs: int


@dataclass(frozen=True, slots=True, kw_only=True)
class ChargeSum:
    """What other systems charged for the runs that share a key, in minor units."""

    key: tuple[str | int, ...]
    currency: str
    amount_minor: int


@dataclass(frozen=True, slots=True, kw_only=True)
class FailureSum:
    """Runs that did not succeed and share a key, when the first and the last came, and the id of the last one.

    A key has `None` where a value is none of those that were named.
    """

    key: tuple[str | int | None, ...]
    runs: int
    first_ms: int
    last_ms: int
    last_run: str


@dataclass(frozen=True, slots=True, kw_only=True)
class CountSum:
    """How often a declared output value was returned, and the time of the newest run that did.

    `day_ms` is the beginning of the day that this is of, where days are asked for, and else 0.
    """

    tool: str
    field: str
    value: str
    runs: int
    last_ms: int
    day_ms: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class FillSum:
    """How many results of a day had a field, and in how many of them it held something."""

    day_ms: int
    tool: str
    field: str
    results: int
    filled: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Waiting:
    """Runs that are stored and in no sum yet, counted up to a limit, and when the first of them arrived."""

    runs: int
    first_ms: int | None


class Tallies(Protocol):
    """Keeps the sums, and reads them. Functions over a unit, as the other records are."""

    def fold(self, unit: Unit, *, until_ms: int, limit: int) -> int:
        """Add runs that arrived before `until_ms` and are in no sum yet, oldest first; how many there were."""
        ...

    def waiting(self, unit: Unit, *, tenant: str | None, limit: int) -> Waiting:
        """The runs that are in no sum yet, at most `limit` of them."""
        ...

    def begin_again(self, unit: Unit) -> None:
        """Forget the sums of all days of which runs are kept, and have those runs added anew."""
        ...

    def prune(self, unit: Unit, *, before_ms: int, to_seq: int, limit: int) -> int:
        """Drop about `limit` of the oldest runs from before `before_ms`, up to the number `to_seq`; how many.

        What they add to sums stays.
        """
        ...

    def attempts(self, unit: Unit, run_id: str, *, limit: int) -> Sequence[str]:
        """The ids of the first runs of the operation that `run_id` belongs to, in the order of their arrival.

        Only `run_id` itself while it is the only one, or in no sum yet.
        """
        ...

    def operations(self, unit: Unit, where: SumFilter, *, by: Sequence[OperationBy]) -> Sequence[OperationSum]:
        """Operations by the hour of their first run and by what that run was, in the order of their keys."""
        ...

    def usage(
        self,
        unit: Unit,
        where: SumFilter,
        *,
        by: Sequence[UsageBy],
        most: Literal["runs", "failed"] | None = None,
        limit: int | None = None,
    ) -> Sequence[UsageSum]:
        """Runs and what they took, in the order of their keys, or those with the most runs or failures first."""
        ...

    def latencies(self, unit: Unit, where: SumFilter, *, by: Sequence[LatencyBy]) -> Sequence[LatencySum]:
        """How long runs took, in the order of their keys and then of the buckets."""
        ...

    def charges(self, unit: Unit, where: SumFilter, *, by: Sequence[UsageBy]) -> Sequence[ChargeSum]:
        """What other systems charged, in the order of their keys."""
        ...

    def failures(
        self,
        unit: Unit,
        where: SumFilter,
        *,
        by: Sequence[FailureBy],
        named: Mapping[FailureBy, Sequence[str]] | None = None,
        limit: int,
    ) -> Sequence[FailureSum]:
        """Runs that did not succeed, most frequent first. With `named`, values of a key that are not in it are one."""
        ...

    def counts(self, unit: Unit, where: SumFilter, *, field: str = "", limit: int) -> Sequence[CountSum]:
        """How often each declared output value was returned, most frequent first."""
        ...

    def counts_by_day(self, unit: Unit, where: SumFilter, *, field: str = "") -> Sequence[CountSum]:
        """The same for each day, in the order of days, tools, fields and values."""
        ...

    def fill(self, unit: Unit, where: SumFilter, *, field: str = "") -> Sequence[FillSum]:
        """How often each output field held anything, by the day, in the order of days, tools and fields."""
        ...
