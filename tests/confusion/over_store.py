"""A kit whose calls go to a service over a real store, so that what other tests share works on every store."""

from __future__ import annotations

import json
from collections.abc import Callable, Generator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from itertools import count
from typing import Any

from anyio.from_thread import BlockingPortal, start_blocking_portal

from billing import catalog
from fourfold import Caller, Unit
from fourfold.adapters.postgres.store import PostgresStore
from fourfold.adapters.sealing.keys import KeyRing
from fourfold.adapters.sqlite.store import SqliteStore
from fourfold.bootstrap.service import OpenStore, service_of
from fourfold.catalog.build import BuiltCatalog
from fourfold.contracts.strict_json import parse
from fourfold.model.asking import InputResponse
from fourfold.model.call import Call
from fourfold.model.retention import Retention
from fourfold.model.run import Run, RunFilter
from fourfold.stages.purge import purge
from fourfold.testing import Answer, FixedClock, Kit, caller

__all__ = ["Opener", "RealStore", "StoreKit", "open_books"]

RealStore = SqliteStore | PostgresStore

Opener = Callable[[FixedClock], RealStore]
"""Opens a new, empty store that goes by that clock."""

_SCOPES = frozenset(scope for tool in catalog.build().tools.values() for scope in tool.contract.needs)

_KEYS = KeyRing.of(("confusion", b"a key of tests, and not a secret"))


class StoreKit(Kit):
    """Billing over a store that somebody opened. Kits over one store are like replicas of one server."""

    def __init__(self, store: RealStore, built: BuiltCatalog, *, clock: FixedClock, portal: BlockingPortal) -> None:
        self.service = service_of(built, OpenStore(store=store, keys=_KEYS), clock=clock)
        self.clock = clock
        self.store = store
        self.portal = portal
        self._numbers = count(1)

    def call(
        self,
        tool: str,
        arguments: Mapping[str, Any] | None = None,
        *,
        by: Caller | None = None,
        key: str | None = None,
        state: str | None = None,
        answers: Mapping[str, Mapping[str, Any] | None] | None = None,
    ) -> Answer:
        """Call `tool` once; `Kit.call` says more."""
        parsed = parse(json.dumps(arguments or {}).encode())
        by = by or caller()
        made = Call(
            tool=tool,
            arguments=parsed.value,
            caller=replace(by, scopes=_SCOPES) if "*" in by.scopes else by,
            meta_key=key,
            state=state,
            responses={name: _response(said) for name, said in (answers or {}).items()},
            wire_problems=parsed.faults,
        )
        before = self.writes
        outcome = self.portal.call(self.service.call, made)
        return Answer(outcome, self.writes - before)

    def arrange(self, work: Callable[[Unit], None]) -> None:
        """Run `work` in one transaction that counts no writes."""
        self.portal.call(self.store.units.prepare, work)

    def runs(self, where: RunFilter | None = None) -> list[Run]:
        """The runs so far, newest first."""
        return self.portal.call(_runs, self.store, where or RunFilter())

    @property
    def writes(self) -> int:
        """Rows that handlers changed and that were committed."""
        return self.store.units.writes

    def number(self) -> int:
        """Another one with every call, for keys and names that nobody has used."""
        return next(self._numbers)

    def key(self) -> str:
        """A new idempotency key."""
        return f"key-of-a-test-{self.number():08}"

    def replica(self, built: BuiltCatalog) -> StoreKit:
        """Another server over the same store, which serves `built`."""
        return StoreKit(self.store, built, clock=self.clock, portal=self.portal)

    def purge(self) -> None:
        """Do once what a server does by the hour."""
        self.portal.call(_purge, self.store, self.clock)


async def _runs(store: RealStore, where: RunFilter) -> list[Run]:
    await store.runs.flush()
    return [record.run for record in await store.runs.list(where, limit=10_000)]


async def _purge(store: RealStore, clock: FixedClock) -> None:
    await purge(store, clock=clock, retention=Retention())


def _response(said: Mapping[str, Any] | None) -> InputResponse:
    return InputResponse(action="decline") if said is None else InputResponse(action="accept", content=said)


@contextmanager
def open_books(open_new: Opener) -> Generator[StoreKit]:
    """Billing on fresh books in a new store, on 1 November 2026."""
    clock = FixedClock()
    with start_blocking_portal() as portal:
        store = open_new(clock)
        try:
            for work in catalog.preparations:
                portal.call(store.units.prepare, work)
            yield StoreKit(store, catalog.build(), clock=clock, portal=portal)
        finally:
            portal.call(store.aclose)
