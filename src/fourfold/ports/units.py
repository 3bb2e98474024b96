"""The open transaction (`Unit`), and the store that opens it (`Units`)."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Protocol, TypeVar

__all__ = ["Parameters", "Row", "Transaction", "Unit", "Units"]

T = TypeVar("T")

Row = Mapping[str, Any]
"""One row by column name; values are what the driver gives (`int`, `str`, `bytes`, `float`, `None`)."""

Parameters = Sequence[Any] | Mapping[str, Any]
"""Values for `?` or `:name` placeholders, never interpolated."""


class Unit(Protocol):
    """The open transaction, as handlers and repositories see it: statements in, rows out.

    It has no connection, no commit and no rollback. Transaction control, PRAGMA, ATTACH and `OR ROLLBACK` are
    refused with `StoreError`.
    """

    def execute(self, sql: str, parameters: Parameters = ()) -> int:
        """Run one statement; the number of rows it changed."""
        ...

    def row(self, sql: str, parameters: Parameters = ()) -> Row | None:
        """The first row of a query, or `None`."""
        ...

    def rows(self, sql: str, parameters: Parameters = ()) -> list[Row]:
        """All rows of a query. Bound it with LIMIT."""
        ...

    def subject(self, value: str) -> None:
        """Name the run's Subject, where only the store knows it (an invoice's account, say)."""
        ...


class Transaction(Protocol):
    """One member of a write, as the stages see it."""

    @property
    def unit(self) -> Unit:
        """The framework's own unit: claims and runs go through it; it counts no handler writes."""
        ...

    def attempt(self, work: Callable[[Unit], T], *, subject: Callable[[str], None]) -> T:
        """Run `work` with a guarded unit inside a savepoint; if it raises, what it wrote is undone.

        `subject` receives what the work calls `unit.subject` with.
        """
        ...


class Units(Protocol):
    """A store: opens units for reads and writes.

    A *write* is one call of `work` inside a transaction. It may be called again before anyone is answered, so
    it has no other effect. Nobody is answered before COMMIT returned.

    `tenant` is whose call is served. A database with row-level security shows and takes only that tenant's rows;
    SQLite has none and ignores it. Without one it is the framework itself that looks after its own tables.
    """

    async def read(
        self, work: Callable[[Unit], T], *, deadline: float, subject: Callable[[str], None], tenant: str | None = None
    ) -> T:
        """Run `work` in a thread with a read-only unit. `deadline` is in `Clock.ticks`.

        Raises:
            DeadlineExceeded: the deadline passed; the query was interrupted.
            StoreError: the database refused or failed.
        """
        ...

    async def write(self, work: Callable[[Transaction], T], *, deadline: float, tenant: str | None = None) -> T:
        """Run `work` in one transaction and commit it; if it raises, all of it is undone and the error is yours.

        Raises:
            DeadlineExceeded: the deadline passed inside the transaction, which was rolled back.
            StoreBusy: another writer process holds the store.
            CommitUnknown: COMMIT's answer was lost and could not be read again.
            StoreContended: another transaction holds what this one needs; nothing was saved.
            StoreError: the database refused or failed; nothing was saved.
        """
        ...

    async def aclose(self) -> None:
        """Flush what is waiting and close. Later calls raise `StoreError`."""
        ...
