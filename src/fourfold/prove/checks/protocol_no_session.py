"""There are no sessions: their headers are ignored, and none is opened."""

from __future__ import annotations

from fourfold.prove.check import Broken, Check
from fourfold.prove.desk import Desk
from fourfold.prove.expect import expect_result
from fourfold.prove.peer import SPEC
from fourfold.prove.peers import modern
from fourfold.review.view import ToolView

__all__ = ["CHECK"]

_OLD = {"mcp-session-id": "made-up-by-fourfold", "last-event-id": "1"}


async def _run(desk: Desk, _: ToolView) -> None:
    peer = await modern(desk)
    expect_result(await peer.send(peer.request("tools/list"), _OLD), "a request with headers of a session")
    if any("mcp-session-id" in reply.answer.headers for reply in peer.heard):
        raise Broken("an answer has the header Mcp-Session-Id; it should not, because there are no sessions")


CHECK = Check(
    name="protocol-no-session",
    family="protocol",
    proves="Mcp-Session-Id and Last-Event-ID are ignored, and no session is opened",
    requires=(f"{SPEC}/basic/transports/streamable-http#earlier-streamable-http-revisions",),
    run=_run,
    weight="should",
    whole=True,
    transport="http",
)
