"""A client of an older revision gets that revision, or another one that has a handshake."""

from __future__ import annotations

from fourfold.prove.check import Broken, Check, NotTested
from fourfold.prove.desk import Desk
from fourfold.prove.peer import LEGACY, MODERN, Peer
from fourfold.prove.peers import handshake, wire_of
from fourfold.review.view import ToolView

__all__ = ["CHECK"]

_ASKED = (LEGACY[0], MODERN, LEGACY[1], "1999-01-01")
_KNOWN = {*LEGACY, "2025-03-26", "2024-11-05"}


async def _run(desk: Desk, _: ToolView) -> None:
    # Each takes a connection of its own, which over stdio is a process.
    for version in _ASKED if wire_of(desk).transport == "http" else _ASKED[:2]:
        async with wire_of(desk).fresh() as wire:
            reply = await handshake(Peer(wire=wire, revision=LEGACY[0], spend=desk.spend), version)
        if version == LEGACY[0] and reply.result is None:
            raise NotTested(f"initialize is answered with {reply.shown}", next_step=f"serve {version} as well")
        answered = (reply.result or {}).get("protocolVersion")
        if answered not in _KNOWN:
            what = reply.shown if reply.result is None else f"protocolVersion {answered!r}"
            raise Broken(f"initialize for {version} was answered with {what}; it has to be a revision with a handshake")


CHECK = Check(
    name="protocol-legacy-handshake",
    family="protocol",
    proves="initialize is answered with a revision that has a handshake, whatever is asked for",
    requires=("https://modelcontextprotocol.io/specification/2025-11-25/basic/lifecycle#version-negotiation",),
    run=_run,
    whole=True,
)
