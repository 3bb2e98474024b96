"""The run records: put in as calls end, asked by people on call."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from fourfold.model.run import Closing, Run, RunFilter
from fourfold.ports.units import Unit

__all__ = ["Count", "RunRecord", "Runs"]


@dataclass(frozen=True, slots=True, kw_only=True)
class RunRecord:
    """A stored run with its closing row, if that has come."""

    run: Run
    closing: Closing | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Count:
    """How many runs share a key, such as `(account, tool, code)`; `last_ms` is the newest of them."""

    key: tuple[str, ...]
    runs: int
    last_ms: int


class Runs(Protocol):
    """Stores runs and answers questions about them."""

    def insert(self, unit: Unit, run: Run) -> None:
        """Insert `run` inside the effect's transaction."""
        ...

    def append(self, run: Run) -> None:
        """Queue `run`; it is stored within 100 ms. Never blocks, never raises for a full disk (it is logged)."""
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

    async def show(self, run_id: str) -> RunRecord | None:
        """One run by its id, or by the reference that an `internal` answer gave."""
        ...

    async def failures(self, where: RunFilter, *, limit: int) -> Sequence[Count]:
        """Runs that did not succeed, counted by subject, tool and code; most frequent first."""
        ...

    async def counts(self, where: RunFilter, *, field: str = "", limit: int) -> Sequence[Count]:
        """How often each declared output value was returned, by tool, field and value."""
        ...
