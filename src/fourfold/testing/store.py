"""The stores that a kit runs on, and how it finds out that something wrote past the call's transaction."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol

from fourfold.errors import StoreBusy
from fourfold.model.run import Run
from fourfold.ports.clock import Clock
from fourfold.ports.sandbox import QueryRunner
from fourfold.ports.store import Store
from fourfold.ports.units import Unit, Units

__all__ = ["CountingUnits", "KitStore", "StrayWrite", "Watch"]

_STORE_S = 30.0
"""Seconds for one look at the store."""

_LOCKED_OUT = ("database is locked", "another program holds the database")
"""What a second writer hears of SQLite, and what the store says where it is the second one."""


class CountingUnits(Units, Protocol):
    """Transactions that count what handlers write."""

    @property
    def writes(self) -> int:
        """Rows that handlers changed and that were committed."""
        ...

    async def prepare(self, work: Callable[[Unit], None]) -> None:
        """Run `work` in one transaction that counts as no handler's."""
        ...


class KitStore(Store, Protocol):
    """A store that a kit can be made over, as every adapter opens one."""

    @property
    def units(self) -> CountingUnits:
        """Transactions."""
        ...

    @property
    def queries(self) -> QueryRunner:
        """Sandboxed queries."""
        ...

    async def aclose(self) -> None:
        """Flush and close."""
        ...


class StrayWrite(AssertionError):
    """A call wrote to the store on a connection that is not its transaction's, or tried to."""

    def __init__(self, tool: str, how: str) -> None:
        super().__init__(
            f"{tool}: {how}. Such a write is outside the claim's transaction: it stays when the call is undone, and a "
            "repeat of the call does it again. Take a `Unit` and write through it: in the handler, or in record= where "
            "the write reaches outside. Code that is no handler and has a transaction of its own joins it: "
            "fourfold.adapters.sqlite.join"
        )


@dataclass(frozen=True, slots=True)
class Watch:
    """Tells whether another connection than the store's own wrote to its SQLite file."""

    store: Store
    clock: Clock

    async def mark(self, tool: str) -> int:
        """Another number than before, if any other connection has committed since.

        It is `PRAGMA data_version` of the connection that calls write through, which its own commits leave as it is.

        Raises:
            StrayWrite: another connection holds the file, so that nothing can be read.
        """
        deadline = self.clock.ticks() + _STORE_S
        try:
            row = await self.store.units.write(lambda at: at.unit.row("PRAGMA data_version"), deadline=deadline)
        except StoreBusy as error:
            raise StrayWrite(tool, "another connection holds the store in a transaction that is still open") from error
        return int(row["data_version"]) if row else 0

    async def refuse_locked_out(self, run_id: str) -> None:
        """Refuse a call that failed because it and its handler wanted to write at the same time.

        Raises:
            StrayWrite: a second writer in the call waited for the first one, which is the call, until it gave up.
        """
        await self.store.runs.flush()
        record = await self.store.runs.show(run_id)
        if record is not None and _is_locked_out(record.run):
            raise StrayWrite(record.run.tool, "two connections wanted to write to the store at the same time")


def _is_locked_out(run: Run) -> bool:
    return any(words in run.note for words in _LOCKED_OUT)
