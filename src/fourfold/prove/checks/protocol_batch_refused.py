"""A batch of messages is refused."""

from __future__ import annotations

from fourfold.prove.check import Check
from fourfold.prove.desk import Desk
from fourfold.prove.expect import expect_no_result
from fourfold.prove.peer import SPEC
from fourfold.prove.peers import speaking
from fourfold.review.view import ToolView

__all__ = ["CHECK"]


async def _run(desk: Desk, _: ToolView) -> None:
    async with speaking(desk) as peer:
        reply = await peer.send([peer.request("tools/list"), peer.request("tools/list")])
        expect_no_result(reply, "a batch of two requests")


CHECK = Check(
    name="protocol-batch-refused",
    family="protocol",
    proves="a JSON-RPC batch is refused",
    requires=(
        f"{SPEC}/basic/transports/streamable-http#sending-messages",
        "https://modelcontextprotocol.io/specification/2025-06-18/changelog",
    ),
    run=_run,
    whole=True,
)
