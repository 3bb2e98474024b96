"""`Console`: what the pages stand on."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Protocol, TypeVar

from fourfold.adapters.sql.unit import no_subject
from fourfold.catalog.build import BuiltCatalog
from fourfold.console.known import KnownCatalog
from fourfold.console.sessions import Links, Sessions
from fourfold.console.viewer import Viewer
from fourfold.model.lock import CatalogLock
from fourfold.model.operator import Operator
from fourfold.model.retention import Retention
from fourfold.ports.clock import Clock
from fourfold.ports.sealer import Sealer
from fourfold.ports.signer import Verifier
from fourfold.ports.store import Store
from fourfold.ports.units import Transaction, Unit
from fourfold.runs.spending import TokenPrice

__all__ = ["Console", "People"]

A = TypeVar("A")

_STORE_S = 30.0
"""Seconds that a page waits for the store."""


class People(Protocol):
    """Those that the configuration knows."""

    def by_token(self, token: str) -> Viewer | None:
        """Whose token it is, an operator's or a caller's; `None` for nobody's."""
        ...

    def stands(self, operator: Operator) -> bool:
        """Whether they may still decide what they could when they signed in."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Console:
    """A store with what is known around it.

    Attributes:
        store: its records are what is shown.
        sealer: opens what plans will do and what runs kept; `None` where the keys are not here.
        catalog: contracts of the tools, if the console was told which server this is.
        known: what can be said of that catalog without any run.
        target: the catalog as module:name, which a regression case imports it by; "" if it is not known.
        locked: the lock file of that catalog, for the catalog diff; `None` where there is none.
        verifier: checks the seals of runs; `None` where they are not checked.
        people: who signs in by a token, and who still is an operator.
        prices: what tokens cost, by the name of the model; the first is chosen unless the page says otherwise.
        hosts: names that browsers reach the console by, beside loopback.
        secure: whether it is reached by https, so that the cookie never travels without.
    """

    store: Store
    sealer: Sealer | None
    clock: Clock
    people: People
    retention: Retention = field(default_factory=Retention)
    catalog: BuiltCatalog | None = None
    known: KnownCatalog | None = None
    target: str = ""
    locked: CatalogLock | None = None
    verifier: Verifier | None = None
    prices: Mapping[str, TokenPrice] = field(default_factory=dict[str, TokenPrice])
    hosts: frozenset[str] = frozenset()
    secure: bool = False
    sessions: Sessions = field(init=False)
    links: Links = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "sessions", Sessions(self.clock))
        object.__setattr__(self, "links", Links(self.clock))

    async def look(self, question: Callable[[Unit], A]) -> A:
        """What the store answers, in one read transaction."""
        return await self.store.units.read(question, deadline=self.clock.ticks() + _STORE_S, subject=no_subject)

    async def change(self, work: Callable[[Transaction], A], *, tenant: str | None = None) -> A:
        """Run `work` in one write transaction, on the rows of `tenant` if one is given."""
        return await self.store.units.write(work, deadline=self.clock.ticks() + _STORE_S, tenant=tenant)
