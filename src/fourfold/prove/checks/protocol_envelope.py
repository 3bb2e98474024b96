"""A request without the envelope of 2026-07-28 is refused."""

from __future__ import annotations

from fourfold.model.contract import JsonObject
from fourfold.prove.check import Check
from fourfold.prove.desk import Desk
from fourfold.prove.expect import expect_error
from fourfold.prove.peer import CAPABILITIES, MODERN, SPEC, VERSION
from fourfold.prove.peers import modern
from fourfold.review.view import ToolView

__all__ = ["CHECK"]

_LACKING: dict[str, JsonObject] = {
    "params": {},
    "params._meta": {"params": {}},
    "the protocol version": {"params": {"_meta": {CAPABILITIES: {}}}},
    "the client capabilities": {"params": {"_meta": {VERSION: MODERN}}},
}
"""What each frame lacks, and what it still has."""


async def _run(desk: Desk, _: ToolView) -> None:
    peer = await modern(desk)
    for what, rest in _LACKING.items():
        envelope = {"jsonrpc": "2.0", "id": f"prove-{desk.spend()}", "method": "tools/list"}
        reply = await peer.send({**envelope, **rest})
        expect_error(reply, f"a request without {what}", code=-32602, status=400)


CHECK = Check(
    name="protocol-envelope",
    family="protocol",
    proves="a request without _meta, protocol version or client capabilities is refused with -32602",
    requires=(f"{SPEC}/basic/index#meta",),
    run=_run,
    whole=True,
)
