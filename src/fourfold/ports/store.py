"""`Store`: everything that an open store gives to the stages."""

from __future__ import annotations

from typing import Protocol

from fourfold.ports.claims import Claims
from fourfold.ports.handles import Audit, Budgets, HandleRecords
from fourfold.ports.outbox import Messages
from fourfold.ports.plans import Plans
from fourfold.ports.runs import Runs
from fourfold.ports.seals import Seals
from fourfold.ports.selections import Selections
from fourfold.ports.tallies import Tallies
from fourfold.ports.units import Units

__all__ = ["Store"]


class Store(Protocol):
    """Transactions, and the framework's own records as functions over them."""

    @property
    def units(self) -> Units:
        """Transactions."""
        ...

    @property
    def claims(self) -> Claims:
        """Claims."""
        ...

    @property
    def plans(self) -> Plans:
        """Plans and what people said to them."""
        ...

    @property
    def messages(self) -> Messages:
        """The outbox."""
        ...

    @property
    def handles(self) -> HandleRecords:
        """Records of handles."""
        ...

    @property
    def budgets(self) -> Budgets:
        """Budgets that replicas share."""
        ...

    @property
    def audit(self) -> Audit:
        """The audit."""
        ...

    @property
    def runs(self) -> Runs:
        """Run records."""
        ...

    @property
    def tallies(self) -> Tallies:
        """Sums over the run records."""
        ...

    @property
    def seals(self) -> Seals:
        """Seals over the run records."""
        ...

    @property
    def selections(self) -> Selections:
        """Results of selection suites."""
        ...
