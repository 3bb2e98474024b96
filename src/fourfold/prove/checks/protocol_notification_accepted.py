"""A notification is accepted without a body."""

from __future__ import annotations

from fourfold.prove.check import Broken, Check
from fourfold.prove.desk import Desk
from fourfold.prove.peer import SPEC
from fourfold.prove.peers import speaking
from fourfold.review.view import ToolView

__all__ = ["CHECK"]

_LATE = {"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": "never-sent"}}


async def _run(desk: Desk, _: ToolView) -> None:
    async with speaking(desk) as peer:
        desk.spend()
        answer = (await peer.send(_LATE)).answer
        if answer.status >= 400:
            return
        if answer.status != 202 or answer.body:
            what = f"HTTP {answer.status} and {len(answer.body)} bytes"
            raise Broken(f"a notification was answered with {what}; it has to be 202 and no body")


CHECK = Check(
    name="protocol-notification-accepted",
    family="protocol",
    proves="an accepted notification is answered with 202 and no body",
    requires=(f"{SPEC}/basic/transports/streamable-http#sending-messages",),
    run=_run,
    whole=True,
    transport="http",
)
