"""Opens what is to be proved: a catalog on a throwaway store behind a real server, a URL, or a command."""

from __future__ import annotations

import logging
import secrets
import tempfile
from collections.abc import AsyncGenerator, Awaitable, Callable, Collection, Mapping, Sequence
from contextlib import AbstractAsyncContextManager, AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, field, replace
from functools import partial
from hashlib import sha256
from pathlib import Path

import anyio

from fourfold.adapters.clock import SystemClock
from fourfold.adapters.sealing.keys import KeyRing
from fourfold.adapters.sqlite.store import open_sqlite
from fourfold.adapters.sqlite.units import SqliteUnits
from fourfold.bootstrap.load import LoadedCatalog
from fourfold.bootstrap.service import OpenStore, service_of
from fourfold.bootstrap.targets import of_catalog, of_server
from fourfold.edge.asgi import build_app, serve_http
from fourfold.edge.identity import KnownToken, TokenIdentity
from fourfold.edge.target import LiveTarget, connect
from fourfold.edge.wire_http import http_wire
from fourfold.edge.wire_stdio import stdio_wire
from fourfold.model.caller import Caller
from fourfold.model.contract import JsonObject
from fourfold.model.listed import ListedCatalog
from fourfold.model.plan import Decision
from fourfold.ports.wire import WireTarget
from fourfold.prove.desk import FIRST, SECOND, Desk, Seat
from fourfold.stages.service import Service

__all__ = ["Address", "Terms", "proving_catalog", "proving_server", "two_callers"]

_SEATS = (FIRST, SECOND)
_APPROVER = "approver@prove"


@dataclass(frozen=True, slots=True, kw_only=True)
class Terms:
    """What the user allows a run, and what it is given to work with: arguments that work, by tool."""

    seed: int
    max_calls: int
    writes: bool
    examples: Mapping[str, Sequence[JsonObject]] = field(default_factory=dict[str, Sequence[JsonObject]])


@dataclass(frozen=True, slots=True, kw_only=True)
class Address:
    """Where one caller reaches a server: a URL, with the caller's token, or a command that answers as the caller."""

    target: str | Sequence[str]
    token: str | None = field(default=None, repr=False)


@asynccontextmanager
async def proving_catalog(
    loaded: LoadedCatalog, callers: Sequence[Caller], *, terms: Terms, target: str
) -> AsyncGenerator[Desk]:
    """Serve a catalog over HTTP on this machine, on a store that goes afterwards, and connect as each of the callers.

    Raises:
        ConfigError, ContractError, TargetError: it cannot be served or reached.
    """
    tokens = [secrets.token_urlsafe(24) for _ in callers]
    known = [
        KnownToken(caller=caller, token_sha256=sha256(token.encode()).hexdigest())
        for caller, token in zip(callers, tokens, strict=True)
    ]
    async with AsyncExitStack() as until_done:
        folder = until_done.enter_context(tempfile.TemporaryDirectory(prefix="fourfold-prove-"))
        clock = SystemClock()
        opened = open_sqlite(Path(folder) / "proved.db", clock=clock)
        until_done.push_async_callback(opened.aclose)
        keys = KeyRing.of(("prove", secrets.token_bytes(32)))
        service = service_of(loaded.built, OpenStore(store=opened, keys=keys), clock=clock)
        for work in loaded.built.source.preparations:
            await opened.units.prepare(work)
        url = await until_done.enter_async_context(_serving(service, TokenIdentity(known)))
        servers = [await until_done.enter_async_context(connect(url, token=token)) for token in tokens]
        catalog = of_catalog(loaded, target=target)
        yield replace(
            _desk(catalog, servers, terms),
            wire=await until_done.enter_async_context(_wire(servers[0], Address(target=url, token=tokens[0]))),
            counter=lambda: opened.units.writes,
            approve=_approver(service, opened.units, tenants={caller.tenant for caller in callers}),
        )


@asynccontextmanager
async def proving_server(addresses: Sequence[Address], terms: Terms) -> AsyncGenerator[Desk]:
    """Connect to somebody's server, once for each caller.

    Raises:
        TargetError: it cannot be started or reached.
    """
    async with AsyncExitStack() as until_done:
        servers = [await until_done.enter_async_context(connect(it.target, token=it.token)) for it in addresses]
        wire = await until_done.enter_async_context(_wire(servers[0], addresses[0]))
        yield replace(_desk(await of_server(servers[0]), servers, terms), wire=wire)


def _wire(server: LiveTarget, address: Address) -> AbstractAsyncContextManager[WireTarget]:
    """A second connection to the same server, for frames that no client sends; of a command, a second process."""
    if isinstance(address.target, str):
        return http_wire(address.target, token=address.token, revision=server.revision)
    return stdio_wire(address.target, revision=server.revision)


def two_callers(configured: Sequence[Caller], scopes: frozenset[str]) -> tuple[Caller, Caller]:
    """Two callers of different tenants: the configured ones, else made-up ones; both may do everything."""
    tenants = [*dict.fromkeys(caller.tenant for caller in configured)]
    first, second = (*tenants, "prove-one", "prove-two")[:2]
    names = {tenant: next((it.principal for it in configured if it.tenant == tenant), "prover") for tenant in tenants}
    return (
        Caller(principal=names.get(first, "prover"), tenant=first, scopes=scopes, name=FIRST),
        Caller(principal=names.get(second, "prover"), tenant=second, scopes=scopes, name=SECOND),
    )


def _approver(
    service: Service, units: SqliteUnits, *, tenants: Collection[str]
) -> Callable[[str, str], Awaitable[None]]:
    """What lets somebody who is none of the callers agree to a plan."""
    ports = service.ports

    async def approve(plan_id: str, digest: str) -> None:
        said = Decision(
            plan_id=plan_id,
            approver=_APPROVER,
            verdict="approved",
            digest=digest,
            channel="cli",
            comment="",
            at_ms=ports.clock.now_ms(),
        )
        for tenant in tenants:
            await units.prepare(partial(ports.plans.decide, decision=said, tenant=tenant))

    return approve


def _desk(catalog: ListedCatalog, servers: Sequence[LiveTarget], terms: Terms) -> Desk:
    seats = {name: Seat(name=name, target=server) for name, server in zip(_SEATS, servers, strict=False)}
    return Desk(
        catalog=catalog,
        seats=seats,
        seed=terms.seed,
        max_calls=terms.max_calls,
        writes=terms.writes,
        revision=servers[0].revision,
        examples=terms.examples,
    )


@asynccontextmanager
async def _serving(service: Service, identity: TokenIdentity) -> AsyncGenerator[str]:
    """A server on a free port of this machine; its URL."""
    # Ending it in the middle of its wait is the plan here, and no news for anybody.
    logging.getLogger("uvicorn.error").setLevel(logging.CRITICAL)
    found = anyio.Event()
    urls: list[str] = []

    def announce(url: str) -> None:
        urls.append(url)
        found.set()

    async with anyio.create_task_group() as tasks:
        tasks.start_soon(lambda: serve_http(build_app(service, identity), port=0, announce=announce))
        await found.wait()
        yield urls[0]
        tasks.cancel_scope.cancel()
