"""`Kit`: a catalog on a store. A call goes through the same stages, in the same order, as on a server."""

from __future__ import annotations

import json
from collections.abc import Callable, Generator, Iterable, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import anyio
from anyio.from_thread import BlockingPortal, start_blocking_portal

from fourfold.adapters.memory.store import open_memory
from fourfold.adapters.query_check import queries_for
from fourfold.adapters.sealing.keys import KeyRing
from fourfold.adapters.sealing.sealer import AesGcmSealer
from fourfold.adapters.sqlite.store import open_sqlite
from fourfold.catalog.declare import Catalog
from fourfold.contracts.strict_json import parse
from fourfold.model.asking import InputResponse
from fourfold.model.call import Call
from fourfold.model.caller import Caller
from fourfold.model.message import Delivery
from fourfold.model.run import Run, RunFilter
from fourfold.ports.outbox import Send
from fourfold.ports.units import Unit
from fourfold.stages.outbox import opened
from fourfold.stages.relay import Relay, Relayed
from fourfold.stages.service import Service
from fourfold.testing.answer import Answer
from fourfold.testing.clock import FixedClock
from fourfold.testing.store import KitStore, StrayWrite, Watch

__all__ = ["Kit", "call", "caller", "open_kit", "two_tenants"]

_MOST = 10_000
"""Runs, and messages that wait, of one test at most."""

_STORE_S = 30.0

_NOT_BY_THE_HANDLER = frozenset({"internal", "too_busy", "outcome_unknown"})
"""Codes that a call may have because something was locked."""


def caller(
    principal: str = "tester", *, tenant: str = "acme", scopes: Iterable[str] = ("*",), name: str = "test"
) -> Caller:
    """A caller for tests. The scope `*` is replaced by every scope that the kit's catalog needs."""
    return Caller(principal=principal, tenant=tenant, scopes=frozenset(scopes), name=name)


def two_tenants(
    first: str = "acme", second: str = "globex", *, scopes: Iterable[str] = ("*",)
) -> tuple[Caller, Caller]:
    """Callers of two tenants that differ in nothing else, so that only the tenant can keep them apart."""
    granted = frozenset(scopes)
    return caller(tenant=first, scopes=granted), caller(tenant=second, scopes=granted)


class Kit:
    """Calls the tools of one catalog. Made by `open_kit`."""

    def __init__(
        self,
        service: Service,
        store: KitStore,
        *,
        clock: FixedClock,
        portal: BlockingPortal,
        watch: Watch | None = None,
    ) -> None:
        self.service = service
        self.clock = clock
        self._store = store
        self._portal = portal
        self._watch = watch
        self._scopes = frozenset(
            scope for tool in service.ports.catalog.tools.values() for scope in tool.contract.needs
        )

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
        """Call `tool` once. `key` is an idempotency key; it goes where a client would put it, in `_meta`.

        `state` and `answers` are for a call that asks: the state of the answer before, and what a person said to each
        of its questions by key; `None` stands for a person who declines.

        Raises:
            StrayWrite: the store was written to, meanwhile, on a connection that is not the call's (see `open_kit`).
        """
        before = self.writes
        made = self._call(tool, arguments or {}, by=by or caller(), key=key)
        made = replace(made, state=state, responses={k: _response(said) for k, said in (answers or {}).items()})
        (answer,) = self._portal.call(self._together, [made])
        return replace(answer, writes=self.writes - before)

    def together(
        self,
        calls: Sequence[tuple[str, Mapping[str, Any]]],
        *,
        by: Caller | None = None,
        key: str | None = None,
    ) -> list[Answer]:
        """Make several calls at once; the answers in the order of the calls.

        Raises:
            StrayWrite: as `call`.
        """
        made = [self._call(tool, arguments, by=by or caller(), key=key) for tool, arguments in calls]
        return self._portal.call(self._together, made)

    def arrange(self, work: Callable[[Unit], None]) -> None:
        """Run `work` in one transaction, to make the state that a test starts from. It counts no writes."""
        self._portal.call(self._store.units.prepare, work)

    def runs(self, where: RunFilter | None = None) -> list[Run]:
        """The runs so far, newest first."""
        return self._portal.call(self._runs, where or RunFilter())

    def outbox(self) -> list[Delivery]:
        """What waits to be sent, oldest first, as its senders would get it. Nothing is sent by looking."""
        return self._portal.call(self._waiting)

    def relay(self, senders: Mapping[str, Send] | None = None) -> Relayed:
        """Send what is due, each message once, as a server does after a commit; what became of it.

        `senders` by topic stand in for those of the catalog. A message that failed is due again later: advance the
        clock.
        """
        relay = Relay.over(self.service.ports)
        return self._portal.call((relay if senders is None else replace(relay, senders=senders)).drain)

    @property
    def writes(self) -> int:
        """Rows that handlers changed and that were committed."""
        return self._store.units.writes

    def _call(self, tool: str, arguments: Mapping[str, Any], *, by: Caller, key: str | None) -> Call:
        """The call as an edge would make it: through the strict JSON reader."""
        parsed = parse(json.dumps(arguments).encode())
        known = (
            by
            if "*" not in by.scopes
            else Caller(principal=by.principal, tenant=by.tenant, scopes=by.scopes | self._scopes, name=by.name)
        )
        return Call(tool=tool, arguments=parsed.value, caller=known, meta_key=key, wire_problems=parsed.faults)

    async def _together(self, calls: Sequence[Call]) -> list[Answer]:
        if self._watch is None:
            return await self._answers(calls)
        names = " or ".join(sorted({call.tool for call in calls}))
        before = await self._watch.mark(names)
        answers = await self._answers(calls)
        for answer in answers:
            if answer.code in _NOT_BY_THE_HANDLER:
                await self._watch.refuse_locked_out(answer.outcome.run_id)
        if await self._watch.mark(names) != before:
            raise StrayWrite(names, "the store was changed on another connection while the call ran")
        return answers

    async def _answers(self, calls: Sequence[Call]) -> list[Answer]:
        answers: dict[int, Answer] = {}

        async def one(index: int, call: Call) -> None:
            answers[index] = Answer(await self.service.call(call))

        async with anyio.create_task_group() as group:
            for index, call in enumerate(calls):
                group.start_soon(one, index, call)
        return [answers[index] for index in range(len(calls))]

    async def _runs(self, where: RunFilter) -> list[Run]:
        await self._store.runs.flush()
        return [record.run for record in await self._store.runs.list(where, limit=_MOST)]

    async def _waiting(self) -> list[Delivery]:
        ports = self.service.ports
        found = await ports.units.write(
            lambda at: ports.messages.list(at.unit, state="waiting", tenant=None, limit=_MOST),
            deadline=self.clock.ticks() + _STORE_S,
        )
        return [opened(message, ports.sealer, now_ms=self.clock.now_ms()) for message in reversed(found)]


def _response(said: Mapping[str, Any] | None) -> InputResponse:
    return InputResponse(action="decline") if said is None else InputResponse(action="accept", content=said)


@contextmanager
def open_kit(catalog: Catalog, *, clock: FixedClock | None = None, store: str | Path | None = None) -> Generator[Kit]:
    """A kit for `catalog`, with its own tables prepared, closed at the end of the block.

    Its store is in memory, where no other connection can reach it. With `store` it is a SQLite file (a path, or
    `sqlite:///path`), and a call fails the test with `StrayWrite` if anything was committed to that file meanwhile on
    a connection that is not the call's: while it runs, no other kit or program may write there. What a handler writes
    to another file or to a server is not seen. There is no such kit for PostgreSQL, which does not tell whose
    transaction changed a table.

    Raises:
        ContractError: the catalog does not build.
        ConfigError, StoreError: the file cannot be opened as a store.
    """
    built = catalog.build()
    clock = clock or FixedClock()
    with start_blocking_portal() as portal:
        # On the portal's thread, where the store's own are started.
        found: KitStore = portal.call(partial(_opened, store, clock=clock))
        try:
            for work in catalog.preparations:
                portal.call(found.units.prepare, work)
            sealer = AesGcmSealer(KeyRing.of(("kit", b"fourfold test kit, not a secret!")))
            queries = queries_for(built, found.queries)
            service = Service.over(built, found, sealer=sealer, clock=clock, queries=queries)
            watch = Watch(found, clock) if store is not None else None
            yield Kit(service, found, clock=clock, portal=portal, watch=watch)
        finally:
            portal.call(found.aclose)


def _opened(store: str | Path | None, *, clock: FixedClock) -> KitStore:
    return open_memory(clock=clock) if store is None else open_sqlite(store, clock=clock)


def call(
    catalog: Catalog,
    tool: str,
    arguments: Mapping[str, Any] | None = None,
    caller: Caller | None = None,
    *,
    key: str | None = None,
    clock: FixedClock | None = None,
) -> Answer:
    """Call `tool` of `catalog` once, on a store of its own that nobody sees afterwards.

    It goes through the stages of a server in their order, so that what a schema refuses reaches no handler.

    Raises:
        ContractError: the catalog does not build.
    """
    with open_kit(catalog, clock=clock) as kit:
        return kit.call(tool, arguments, by=caller, key=key)
