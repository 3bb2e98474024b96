"""The run records: put in as calls end, asked by people on call."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple, Protocol

from fourfold.model.kept import Kept
from fourfold.model.run import Closing, Run, RunFilter
from fourfold.ports.units import Unit

__all__ = ["RunCount", "RunPlace", "RunRecord", "RunStretch", "Runs"]


@dataclass(frozen=True, slots=True, kw_only=True)
class RunRecord:
    """A stored run with its closing row, if that has come."""

    run: Run
    closing: Closing | None = None


class RunPlace(NamedTuple):
    """Where a run stands among all: by when it arrived, and of those of one millisecond, by its id."""

    at_ms: int
    run_id: str


@dataclass(frozen=True, slots=True, kw_only=True)
class RunStretch:
    """Runs on one side of a place, nearest first. `reached` is where looking for more ended before the last of them.

    It is `None` when as many were found as were asked for, and when all were looked at.
    """

    records: Sequence[RunRecord]
    reached: RunPlace | None


@dataclass(frozen=True, slots=True, kw_only=True)
class RunCount:
    """How many runs there are, or at least, where counting ended before the last of them."""

    runs: int
    at_least: bool


class Runs(Protocol):
    """Stores runs and answers questions about them."""

    def insert(self, unit: Unit, run: Run, *, kept: Kept | None = None) -> None:
        """Insert `run`, and what is kept of its call, inside the effect's transaction."""
        ...

    def append(self, run: Run, *, kept: Kept | None = None) -> None:
        """Queue `run`, and what is kept of its call; it is stored within 100 ms.

        Never blocks, never raises for a full disk (it is logged).
        """
        ...

    def close(self, closing: Closing) -> None:
        """Queue the closing row of a run that was inserted with its effect."""
        ...

    async def flush(self) -> None:
        """Return when everything queued so far is stored."""
        ...

    async def list(self, where: RunFilter, *, limit: int) -> Sequence[RunRecord]:
        """The newest runs first."""
        ...

    async def following(self, where: RunFilter, *, after: RunRecord | None, limit: int) -> Sequence[RunRecord]:
        """The oldest runs first, those after `after` in that order."""
        ...

    async def beside(
        self, where: RunFilter, *, place: RunPlace | None, older: bool, limit: int, reach: int
    ) -> RunStretch:
        """Runs that are older or newer than `place`; without one, from the newest or the oldest on.

        At most about `reach` runs are looked at, however few of them `where` lets through.
        """
        ...

    async def count(self, where: RunFilter, *, limit: int, reach: int) -> RunCount:
        """How many runs `where` lets through, counted up to `limit` and among about the newest `reach` of them."""
        ...

    async def show(self, run_id: str) -> RunRecord | None:
        """One run by its id, or by the reference that an `internal` answer gave."""
        ...

    async def these(self, run_ids: Sequence[str], *, tenant: str | None) -> Sequence[RunRecord]:
        """The runs of these ids that are kept and are the tenant's, oldest first."""
        ...

    async def kept(self, run_id: str, *, tenant: str) -> Kept | None:
        """What is kept of the call of that run, sealed; `None` if nothing is, or not any more."""
        ...

    def purge_kept(self, unit: Unit, *, before_ms: int, limit: int) -> int:
        """Drop what was to be kept until then and no longer; how many. The runs stay."""
        ...
