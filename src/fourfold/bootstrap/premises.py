"""`Premises`: a catalog that is served to be proved. It can be closed and opened again, and its clock can be moved."""

from __future__ import annotations

import logging
import secrets
from collections.abc import Callable, Collection
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from urllib.parse import urlsplit

import anyio
from anyio.abc import TaskStatus

from fourfold.adapters.clock import SystemClock
from fourfold.adapters.sealing.keys import KeyRing
from fourfold.adapters.sqlite.store import SqliteStore, open_sqlite
from fourfold.bootstrap.service import OpenStore, service_of
from fourfold.catalog.build import BuiltCatalog
from fourfold.edge.asgi import build_app, serve_http
from fourfold.edge.identity import Identity
from fourfold.errors import StoreError
from fourfold.model.plan import Decision, Verdict
from fourfold.stages.service import Service

__all__ = ["MovableClock", "Premises"]

_APPROVER = "approver@prove"


class MovableClock(SystemClock):
    """The machine's time, later by as much as it was moved (ports.Clock). Durations are those of the machine."""

    def __init__(self) -> None:
        self._later_ms = 0

    def now_ms(self) -> int:
        """Milliseconds since the epoch, UTC."""
        return super().now_ms() + self._later_ms

    def advance(self, seconds: int) -> None:
        """Let it be later."""
        self._later_ms += seconds * 1_000


@dataclass(slots=True, kw_only=True)
class Premises:
    """A catalog on a store of its own, served over HTTP on a free port of this machine.

    Attributes:
        tenants: those of the callers, for whom somebody else decides about plans.
    """

    catalog: BuiltCatalog
    path: Path
    identity: Identity
    tenants: Collection[str]
    clock: MovableClock = field(default_factory=MovableClock)
    url: str = ""
    _keys: KeyRing = field(default_factory=lambda: KeyRing.of(("prove", secrets.token_bytes(32))))
    _open: tuple[SqliteStore, Service] | None = None
    _written_before: int = 0
    _port: int = 0
    _failure: StoreError | None = None
    _opened: anyio.Event = field(default_factory=anyio.Event)
    _closing: anyio.Event = field(default_factory=anyio.Event)

    async def serve(self, *, task_status: TaskStatus[None] = anyio.TASK_STATUS_IGNORED) -> None:
        """Serve until it is cancelled; what `restart` closes is opened again.

        Raises:
            ConfigError, StoreError: it cannot be opened.
        """
        # Ending it in the middle of its wait is the plan here, and no news for anybody.
        logging.getLogger("uvicorn.error").setLevel(logging.CRITICAL)
        await self._serve_once(task_status.started)
        while True:
            await self._serve_once(self._opened.set)

    async def restart(self) -> None:
        """Close server and store, and open them again: only the store's file, the keys and the address stay.

        Raises:
            StoreError: what the catalog prepares before it is served fails the second time. It is served all the same.
        """
        self._opened, self._failure = anyio.Event(), None
        self._closing.set()
        await self._opened.wait()
        if self._failure is not None:
            raise self._failure

    def rows(self) -> int:
        """How many rows handlers have written."""
        return self._written_before + (self._open[0].units.writes if self._open else 0)

    async def approve(self, plan_id: str, digest: str) -> None:
        """Let somebody who is none of the callers agree to a plan."""
        await self.decide(plan_id, digest, verdict="approved")

    async def decide(self, plan_id: str, digest: str, *, verdict: Verdict) -> None:
        """Let somebody who is none of the callers decide about a plan."""
        if self._open is None:
            raise RuntimeError("nobody can decide while the premises are closed")
        store, service = self._open
        said = Decision(
            plan_id=plan_id,
            approver=_APPROVER,
            verdict=verdict,
            digest=digest,
            channel="cli",
            comment="",
            at_ms=self.clock.now_ms(),
        )
        for tenant in self.tenants:
            await store.units.prepare(partial(service.ports.plans.decide, decision=said, tenant=tenant))

    async def _serve_once(self, opened: Callable[[], None]) -> None:
        def announce(url: str) -> None:
            self.url, self._port = url, urlsplit(url).port or 0
            opened()

        self._closing = anyio.Event()
        store = open_sqlite(self.path, clock=self.clock)
        try:
            service = service_of(self.catalog, OpenStore(store=store, keys=self._keys), clock=self.clock)
            await self._prepare(store)
            self._open = store, service
            app = build_app(service, self.identity)
            await serve_http(app, port=self._port, announce=announce, stop=self._closing.is_set)
        finally:
            self._written_before, self._open = self.rows(), None
            # Whatever ends this, the file is closed.
            with anyio.CancelScope(shield=True):
                await store.aclose()

    async def _prepare(self, store: SqliteStore) -> None:
        try:
            for work in self.catalog.source.preparations:
                await store.units.prepare(work)
        except Exception as error:
            if not self._port:
                raise
            # A catalog that can be started once only is a finding; the checks after it still need a server.
            self._failure = StoreError(f"{type(error).__name__}: {error}")
