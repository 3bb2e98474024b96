"""Names of headers are the same in capitals."""

from __future__ import annotations

from fourfold.prove.check import Check
from fourfold.prove.desk import Desk
from fourfold.prove.expect import expect_result
from fourfold.prove.peer import SPEC
from fourfold.prove.peers import modern
from fourfold.review.view import ToolView

__all__ = ["CHECK"]


async def _run(desk: Desk, _: ToolView) -> None:
    peer = await modern(desk)
    frame = peer.request("tools/list")
    usual = peer.headers(frame)
    capitals = {name.upper(): value for name, value in usual.items()}
    reply = await peer.send(frame, {**dict.fromkeys(usual), **capitals})
    expect_result(reply, "a request with names of headers in capitals")


CHECK = Check(
    name="protocol-header-names",
    family="protocol",
    proves="names of headers are compared without regard to case",
    requires=(f"{SPEC}/basic/transports/streamable-http#case-sensitivity",),
    run=_run,
    whole=True,
    transport="http",
)
