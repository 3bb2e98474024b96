"""An encoded `Mcp-Name` is decoded before it is compared."""

from __future__ import annotations

from base64 import b64encode

from fourfold.prove.check import Broken, Check
from fourfold.prove.desk import Desk
from fourfold.prove.expect import expect_error
from fourfold.prove.peer import SPEC, Peer, Reply
from fourfold.prove.peers import modern
from fourfold.review.view import ToolView

__all__ = ["CHECK"]

_NAMES = ("fourfold_made_up", "fourfold_\u00fc\u4e16")
"""No server has these tools, so that nothing runs where nothing is refused."""


async def _run(desk: Desk, _: ToolView) -> None:
    peer = await modern(desk)
    for name in _NAMES:
        reply = await _call(peer, name, header=_encoded(name))
        if reply.code == -32020:
            raise Broken(f"Mcp-Name {_encoded(name)} for the tool {name!r} was refused; it has to be decoded")
        reply = await _call(peer, name, header=_encoded(f"{name}_2"))
        expect_error(reply, "an encoded Mcp-Name of another tool", code=-32020, status=400)
    reply = await _call(peer, _NAMES[0], header="=?base64?%%%?=")
    expect_error(reply, "an Mcp-Name that can't be decoded", code=-32020, status=400)


async def _call(peer: Peer, name: str, *, header: str) -> Reply:
    return await peer.send(peer.request("tools/call", {"name": name, "arguments": {}}), {"mcp-name": header})


def _encoded(name: str) -> str:
    return f"=?base64?{b64encode(name.encode()).decode()}?="


CHECK = Check(
    name="protocol-name-encoding",
    family="protocol",
    proves="an Mcp-Name in base64 is decoded, and a wrong one is refused",
    requires=(f"{SPEC}/basic/transports/streamable-http#value-encoding",),
    run=_run,
    whole=True,
    transport="http",
)
