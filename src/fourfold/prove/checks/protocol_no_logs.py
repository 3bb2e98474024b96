"""No log message comes that was not asked for, and an unknown level is refused."""

from __future__ import annotations

from fourfold.prove.check import Broken, Check
from fourfold.prove.desk import Desk
from fourfold.prove.expect import expect_error
from fourfold.prove.peer import LOG_LEVEL, SPEC
from fourfold.prove.peers import modern
from fourfold.prove.reading import call_a_read
from fourfold.review.view import ToolView

__all__ = ["CHECK"]


async def _run(desk: Desk, _: ToolView) -> None:
    peer = await modern(desk)
    await peer.ask("tools/list")
    await call_a_read(desk, peer, check=CHECK.name)
    if any(message.get("method") == "notifications/message" for reply in peer.heard for message in reply.messages):
        raise Broken("a log message came for a request that had not asked for any")
    reply = await peer.ask("tools/list", meta={LOG_LEVEL: "made-up"})
    expect_error(reply, "a request for log messages of a made-up level", code=-32602)


CHECK = Check(
    name="protocol-no-logs",
    family="protocol",
    proves="log messages come only when a request asks for them, and an unknown level is refused",
    requires=(f"{SPEC}/server/utilities/logging",),
    run=_run,
    whole=True,
)
