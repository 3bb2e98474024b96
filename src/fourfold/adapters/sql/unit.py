"""How the framework's stores get at their tables through a unit, whoever owns its connection."""

from __future__ import annotations

from typing import Protocol, runtime_checkable

from fourfold.errors import StoreError
from fourfold.ports.units import Unit

__all__ = ["ALONE", "OwnedUnit", "no_subject", "own"]

ALONE = "UPDATE fourfold_turn SET turns = turns + 1 WHERE slot = hashtextextended(?, 0) & 4095"
"""How PostgreSQL keeps out others that ask for the same text: it waits for them, and what it saw before is void."""


def no_subject(_: str) -> None:
    """Receive a Subject where no run is kept for it."""


@runtime_checkable
class OwnedUnit(Unit, Protocol):
    """A unit that lets the framework at its own tables, `fourfold_*`. Placeholders are `?` in either dialect."""

    def as_framework(self) -> OwnedUnit:
        """A unit over the same transaction for the framework's tables."""
        ...

    def alone(self, about: str) -> None:
        """Keep out other writes that ask for the same `about`, until this one ends.

        A database with one writer has nothing to do, and neither has a read.

        Raises:
            StoreContended: another one has it, and went on for longer than the framework waits.
        """
        ...


def own(unit: Unit) -> OwnedUnit:
    """The framework's view of `unit`.

    Raises:
        StoreError: the unit was not opened by one of the framework's stores.
    """
    if not isinstance(unit, OwnedUnit):
        raise StoreError("this unit has no framework tables; it was not opened by a store of Fourfold")
    return unit.as_framework()
