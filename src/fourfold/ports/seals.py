"""The chain of seals over the run records, and the rows that it is about. Functions over a unit, as other records."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Protocol

from fourfold.model.seal import SignedSeal
from fourfold.ports.units import Row, Unit

__all__ = ["NewestRun", "Seals", "Waiting"]


@dataclass(frozen=True, slots=True, kw_only=True)
class NewestRun:
    """The stored run with the highest number."""

    seq: int
    at_ms: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Waiting:
    """How many runs are not sealed yet, and when the oldest of them arrived (0 without any)."""

    runs: int
    oldest_ms: int


class Seals(Protocol):
    """Keeps the chain, and reads the rows behind it."""

    def newest_run(self, unit: Unit) -> NewestRun | None:
        """The run with the highest number that this transaction sees."""
        ...

    def writers(self, unit: Unit) -> frozenset[str]:
        """Open transactions that may still add a run below those that are stored, at this moment."""
        ...

    def rows(self, unit: Unit, columns: Iterable[str], *, after_seq: int, to_seq: int, limit: int) -> Sequence[Row]:
        """Those columns of the runs with `after_seq < seq <= to_seq`, in the order of seq."""
        ...

    def row(self, unit: Unit, columns: Iterable[str], *, run_id: str) -> Row | None:
        """Those columns of one run."""
        ...

    def waiting(self, unit: Unit, *, after_seq: int) -> Waiting:
        """What is stored beyond the last range."""
        ...

    def older(self, unit: Unit, *, before_ms: int, to_seq: int) -> bool:
        """Whether a run up to `to_seq` arrived before `before_ms`."""
        ...

    def newest(self, unit: Unit) -> SignedSeal | None:
        """The head of the chain."""
        ...

    def before(self, unit: Unit, no: int, *, limit: int) -> Sequence[SignedSeal]:
        """Entries with a smaller number than `no`, newest first."""
        ...

    def covering(self, unit: Unit, seq: int) -> SignedSeal | None:
        """The entry whose range `seq` is in."""
        ...

    def leaves(self, unit: Unit, no: int) -> bytes:
        """The hashes of the runs of an entry, one after the other, as they were sealed; empty when they are gone."""
        ...

    def add(self, unit: Unit, entry: SignedSeal, *, leaves: bytes) -> bool:
        """Put `entry` behind the head that it names; `False` when that is no longer the head, or its runs are gone."""
        ...

    def alone(self, unit: Unit) -> None:
        """Keep out whoever else adds to the chain or drops runs, until this transaction ends.

        Raises:
            StoreContended: another one went on for longer than the framework waits.
        """
        ...

    def forget_leaves(self, unit: Unit, *, before_ms: int) -> None:
        """Drop the hashes of runs of earlier days, which were dropped themselves."""
        ...
