"""How the questions of this package reach a store: one snapshot for each, for one tenant or for all."""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol, TypeVar

from fourfold.ports.runs import Runs
from fourfold.ports.tallies import Tallies
from fourfold.ports.units import Unit, Units

__all__ = ["AskedStore", "ask"]

A = TypeVar("A")

_NO_DEADLINE = float("inf")


class AskedStore(Protocol):
    """The part of a store that is asked."""

    @property
    def units(self) -> Units:
        """Transactions."""
        ...

    @property
    def runs(self) -> Runs:
        """Run records."""
        ...

    @property
    def tallies(self) -> Tallies:
        """The sums."""
        ...


async def ask(store: AskedStore, question: Callable[[Unit], A], *, tenant: str | None) -> A:
    """What `question` reads in one snapshot. A store with row-level security shows it only rows of `tenant`.

    Raises:
        StoreError: the database refused or failed.
    """
    return await store.units.read(question, deadline=_NO_DEADLINE, subject=_nobody, tenant=tenant)


def _nobody(_: str) -> None:
    """Receive a Subject where no run is kept for it."""
