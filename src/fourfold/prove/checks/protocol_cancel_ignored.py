"""Cancelling what is unknown, ended or not even named changes nothing."""

from __future__ import annotations

from fourfold.prove.check import Broken, Check
from fourfold.prove.desk import Desk
from fourfold.prove.expect import expect_result
from fourfold.prove.peer import SPEC
from fourfold.prove.peers import speaking
from fourfold.review.view import ToolView

__all__ = ["CHECK"]


async def _run(desk: Desk, _: ToolView) -> None:
    async with speaking(desk) as peer:
        done = await peer.ask("tools/list")
        for params in ({"requestId": "never-sent"}, {"requestId": done.response.get("id")}, {}, {"requestId": [1]}):
            desk.spend()
            reply = await peer.send({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": params})
            if not peer.over_http and (reply.messages or reply.answer.ended):
                raise Broken(f"notifications/cancelled with {params} was answered; it has to be ignored")
        expect_result(await peer.ask("tools/list"), "a request after cancellations of nothing")


CHECK = Check(
    name="protocol-cancel-ignored",
    family="protocol",
    proves="cancelling an unknown, answered or unnamed request is ignored",
    requires=(f"{SPEC}/basic/patterns/cancellation#error-handling",),
    run=_run,
    whole=True,
)
