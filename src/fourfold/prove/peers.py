"""Opens conversations for the protocol checks: in the era without a handshake, in one with it, or in what there is."""

from __future__ import annotations

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager

from fourfold.ports.wire import WireTarget
from fourfold.prove.check import NotTested
from fourfold.prove.desk import Desk
from fourfold.prove.peer import CLIENT, LEGACY, MODERN, Peer, Reply, as_object

__all__ = ["handshake", "legacy", "modern", "modern_on", "speaking", "wire_of"]

_NEWER = f"serve {MODERN} as well"
_OLDER = f"serve {LEGACY[0]} as well"


def wire_of(desk: Desk) -> WireTarget:
    """The wire.

    Raises:
        NotTested: there is none.
    """
    if desk.wire is None:
        raise NotTested("nothing here sends frames of its own", next_step="prove a URL, a command or a catalog")
    return desk.wire


async def modern(desk: Desk) -> Peer:
    """A conversation in 2026-07-28.

    Raises:
        NotTested: the server does not speak it.
    """
    return await modern_on(wire_of(desk), desk)


async def modern_on(wire: WireTarget, desk: Desk) -> Peer:
    """A conversation in 2026-07-28 over a wire of its own; see `modern`.

    Raises:
        NotTested: the server does not speak it.
    """
    if wire.revision != MODERN:
        raise NotTested(f"the server speaks {wire.revision}, not {MODERN}", next_step=_NEWER)
    peer = Peer(wire=wire, revision=MODERN, spend=desk.spend)
    # First of all, because some servers keep to the era of the first frame.
    found = (await peer.ask("server/discover")).result
    if found is None:
        raise NotTested("server/discover is not answered", next_step="make protocol-discover pass first")
    peer.capabilities = as_object(found.get("capabilities")) or {}
    return peer


@asynccontextmanager
async def legacy(desk: Desk) -> AsyncGenerator[Peer]:
    """A conversation in a revision with a handshake, over a connection of its own.

    Raises:
        NotTested: the server does not speak one.
    """
    async with wire_of(desk).fresh() as wire:
        peer = Peer(wire=wire, revision=LEGACY[0], spend=desk.spend)
        reply = await handshake(peer, LEGACY[0])
        result = reply.result
        if result is None or not isinstance(result.get("protocolVersion"), str):
            raise NotTested(f"initialize is answered with {reply.shown}", next_step=_OLDER)
        peer.revision = str(result["protocolVersion"])
        peer.capabilities = as_object(result.get("capabilities")) or {}
        peer.session = reply.answer.headers.get("mcp-session-id", "")
        await peer.send({"jsonrpc": "2.0", "method": "notifications/initialized"})
        yield peer


async def handshake(peer: Peer, version: str) -> Reply:
    """Ask for a revision (2025-11-25, "Lifecycle")."""
    frame = peer.request("initialize", {"protocolVersion": version, "capabilities": {}, "clientInfo": CLIENT})
    return await peer.send(frame, {"mcp-protocol-version": None})


@asynccontextmanager
async def speaking(desk: Desk, *, fresh: bool = False) -> AsyncGenerator[Peer]:
    """A conversation in the newest revision that the server speaks, over a connection of its own where that is asked.

    Raises:
        NotTested: the server speaks none that is known here.
    """
    wire = wire_of(desk)
    if wire.revision != MODERN:
        async with legacy(desk) as peer:
            yield peer
    elif fresh:
        async with wire.fresh() as own:
            yield await modern_on(own, desk)
    else:
        yield await modern(desk)
