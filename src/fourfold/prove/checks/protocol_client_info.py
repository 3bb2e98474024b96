"""A client need not say who it is."""

from __future__ import annotations

from fourfold.prove.check import Check
from fourfold.prove.desk import Desk
from fourfold.prove.expect import expect_result
from fourfold.prove.peer import CAPABILITIES, MODERN, SPEC, VERSION
from fourfold.prove.peers import modern
from fourfold.review.view import ToolView

__all__ = ["CHECK"]


async def _run(desk: Desk, _: ToolView) -> None:
    peer = await modern(desk)
    frame = peer.request("tools/list")
    reply = await peer.send({**frame, "params": {"_meta": {VERSION: MODERN, CAPABILITIES: {}}}})
    expect_result(reply, "a request without clientInfo")


CHECK = Check(
    name="protocol-client-info",
    family="protocol",
    proves="a request without clientInfo is served",
    requires=(f"{SPEC}/basic/index#meta",),
    run=_run,
    whole=True,
)
