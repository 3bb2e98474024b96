"""Runs checks against the notes: as the framework serves them, and as the server by hand does, with a fault."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import replace

from mcp.client import Client

from fourfold.bootstrap.load import LoadedCatalog
from fourfold.bootstrap.proving import Terms, proving_catalog
from fourfold.bootstrap.targets import of_catalog
from fourfold.edge.target import LiveTarget
from fourfold.model.caller import Caller
from fourfold.model.listed import ListedCatalog
from fourfold.model.proof import Verdict
from fourfold.prove.desk import FIRST, SECOND, Desk, Seat
from fourfold.prove.engine import Selection, prove
from tests.prove.shelf_catalog import catalog
from tests.prove.shelf_server import Shelf, serving

__all__ = ["at_framework", "at_shelf", "at_stranger", "said"]

_LOADED = LoadedCatalog(catalog.build(), None)
_CALLERS = (Caller(principal="ada", tenant="one", name=FIRST), Caller(principal="bob", tenant="two", name=SECOND))
_MOST = 4_000


async def at_framework(*only: str, seed: int = 1) -> list[Verdict]:
    """Verdicts about the catalog as it is served."""
    terms = Terms(seed=seed, max_calls=_MOST, writes=True)
    async with proving_catalog(_LOADED, _CALLERS, terms=terms, target="shelf") as desk:
        return await _proved(desk, only)


async def at_shelf(*only: str, faults: Sequence[str] = (), writes: bool = True) -> list[Verdict]:
    """Verdicts about the server by hand, of which the contracts are known and the writes counted."""
    async with _desk(faults, of_catalog(_LOADED, target="shelf"), writes=writes) as (desk, shelf):
        known = replace(
            desk,
            counter=lambda: shelf.writes,
            approve=shelf.approve,
            refuse=shelf.refuse,
            restart=shelf.restart,
            advance=shelf.advance,
        )
        return await _proved(known, only)


async def at_stranger(
    *only: str, faults: Sequence[str] = (), writes: bool = True, timeout_s: float = 10
) -> list[Verdict]:
    """Verdicts about the server by hand, of which nothing is known but what it lists and answers."""
    known = of_catalog(_LOADED, target="shelf")
    listed = replace(known, tools=tuple(replace(tool, contract=None) for tool in known.tools))
    async with _desk(faults, listed, writes=writes, timeout_s=timeout_s) as (desk, _):
        return await _proved(desk, only)


def said(verdicts: Sequence[Verdict]) -> dict[str, str]:
    """Status by tool."""
    return {verdict.tool: verdict.status for verdict in verdicts}


async def _proved(desk: Desk, only: tuple[str, ...]) -> list[Verdict]:
    return [*(await prove(desk, revision="2026-07-28", selection=Selection(only=only))).verdicts]


@asynccontextmanager
async def _desk(
    faults: Sequence[str], listed: ListedCatalog, *, writes: bool, timeout_s: float = 10
) -> AsyncGenerator[tuple[Desk, Shelf]]:
    shelf = Shelf(faults=frozenset(faults), definitions=[dict(tool.definition) for tool in listed.tools])
    async with AsyncExitStack() as until_done:
        seats: dict[str, Seat] = {}
        for name, tenant in ((FIRST, "one"), (SECOND, "two")):
            client = await until_done.enter_async_context(Client(serving(shelf, tenant)))
            revision = client.protocol_version
            target = LiveTarget(name="shelf", revision=revision, timeout_s=timeout_s, _client=client)
            seats[name] = Seat(name=name, target=target)
        yield Desk(catalog=listed, seats=seats, seed=1, max_calls=_MOST, writes=writes), shelf
