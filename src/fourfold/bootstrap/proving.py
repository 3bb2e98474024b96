"""Opens what is to be proved: a catalog on a throwaway store behind a real server, a URL, or a command."""

from __future__ import annotations

import logging
import secrets
import tempfile
from collections.abc import AsyncGenerator, Callable, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path

import anyio

from fourfold.adapters.clock import SystemClock
from fourfold.adapters.sealing.keys import KeyRing
from fourfold.adapters.sqlite.store import open_sqlite
from fourfold.bootstrap.load import LoadedCatalog
from fourfold.bootstrap.service import OpenStore, service_of
from fourfold.bootstrap.targets import of_catalog, of_server
from fourfold.edge.asgi import build_app, serve_http
from fourfold.edge.identity import KnownToken, TokenIdentity
from fourfold.edge.target import LiveTarget, connect
from fourfold.model.caller import Caller
from fourfold.model.listed import ListedCatalog
from fourfold.prove.desk import FIRST, SECOND, Desk, Seat
from fourfold.stages.service import Service

__all__ = ["Terms", "proving_catalog", "proving_server", "two_callers"]

_SEATS = (FIRST, SECOND)


@dataclass(frozen=True, slots=True, kw_only=True)
class Terms:
    """What the user allows a run."""

    seed: int
    max_calls: int
    writes: bool


@asynccontextmanager
async def proving_catalog(
    loaded: LoadedCatalog, callers: Sequence[Caller], terms: Terms, *, target: str
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
        yield _desk(catalog, servers, terms, counter=lambda: opened.units.writes)


@asynccontextmanager
async def proving_server(
    target: str | Sequence[str], tokens: Sequence[str | None], terms: Terms
) -> AsyncGenerator[Desk]:
    """Connect to somebody's server, once with each token.

    Raises:
        TargetError: it cannot be started or reached.
    """
    async with AsyncExitStack() as until_done:
        servers = [await until_done.enter_async_context(connect(target, token=token)) for token in tokens]
        yield _desk(await of_server(servers[0]), servers, terms)


def two_callers(configured: Sequence[Caller], scopes: frozenset[str]) -> tuple[Caller, Caller]:
    """Two callers of different tenants: the configured ones, else made-up ones; both may do everything."""
    tenants = [*dict.fromkeys(caller.tenant for caller in configured)]
    first, second = (*tenants, "prove-one", "prove-two")[:2]
    names = {tenant: next((it.principal for it in configured if it.tenant == tenant), "prover") for tenant in tenants}
    return (
        Caller(principal=names.get(first, "prover"), tenant=first, scopes=scopes, name=FIRST),
        Caller(principal=names.get(second, "prover"), tenant=second, scopes=scopes, name=SECOND),
    )


def _desk(
    catalog: ListedCatalog, servers: Sequence[LiveTarget], terms: Terms, *, counter: Callable[[], int] | None = None
) -> Desk:
    seats = {name: Seat(name=name, target=server) for name, server in zip(_SEATS, servers, strict=False)}
    return Desk(
        catalog=catalog, seats=seats, seed=terms.seed, max_calls=terms.max_calls, writes=terms.writes, counter=counter
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
