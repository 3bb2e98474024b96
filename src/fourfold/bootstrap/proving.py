"""Opens what is to be proved: a catalog on a throwaway store behind a real server, a URL, or a command."""

from __future__ import annotations

import secrets
import tempfile
from collections.abc import AsyncGenerator, Mapping, Sequence
from contextlib import AbstractAsyncContextManager, AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, field, replace
from hashlib import sha256
from pathlib import Path

import anyio

from fourfold.bootstrap.load import LoadedCatalog
from fourfold.bootstrap.planting import canary, links_out
from fourfold.bootstrap.premises import Premises
from fourfold.bootstrap.targets import of_catalog, of_server
from fourfold.edge.identity import KnownToken, TokenIdentity
from fourfold.edge.target import LiveTarget, connect
from fourfold.edge.wire_http import http_wire
from fourfold.edge.wire_stdio import stdio_wire
from fourfold.model.caller import Caller
from fourfold.model.contract import JsonObject
from fourfold.model.listed import ListedCatalog
from fourfold.ports.wire import WireTarget
from fourfold.prove.desk import FIRST, SECOND, Desk, Seat

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
        secret = until_done.enter_context(canary())
        premises = Premises(
            catalog=loaded.built,
            path=Path(folder) / "proved.db",
            identity=TokenIdentity(known),
            tenants={caller.tenant for caller in callers},
        )
        await until_done.enter_async_context(_serving(premises))
        url = premises.url
        servers = [await until_done.enter_async_context(connect(url, token=token)) for token in tokens]
        catalog = of_catalog(loaded, target=target)
        yield replace(
            _desk(catalog, servers, terms),
            wire=await until_done.enter_async_context(_wire(servers[0], Address(target=url, token=tokens[0]))),
            counter=premises.rows,
            approve=premises.approve,
            refuse=premises.decide,
            restart=premises.restart,
            advance=premises.clock.advance,
            canary=secret,
        )


@asynccontextmanager
async def proving_server(addresses: Sequence[Address], terms: Terms) -> AsyncGenerator[Desk]:
    """Connect to somebody's server, once for each caller.

    Raises:
        TargetError: it cannot be started or reached.
    """
    async with AsyncExitStack() as until_done:
        command, secret = addresses[0].target, until_done.enter_context(canary())
        is_started = not isinstance(command, str)
        links = until_done.enter_context(links_out(command)) if is_started and terms.writes else ()
        servers = [await until_done.enter_async_context(connect(it.target, token=it.token)) for it in addresses]
        wire = await until_done.enter_async_context(_wire(servers[0], addresses[0]))
        desk = _desk(await of_server(servers[0]), servers, terms)
        yield replace(desk, wire=wire, canary=secret if is_started else "", links=links)


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
async def _serving(premises: Premises) -> AsyncGenerator[None]:
    async with anyio.create_task_group() as tasks:
        await tasks.start(premises.serve)
        yield
        tasks.cancel_scope.cancel()
