"""A server sends no requests."""

from __future__ import annotations

from fourfold.model.contract import JsonObject
from fourfold.prove.check import Broken, Check
from fourfold.prove.desk import Desk
from fourfold.prove.peer import CAPABILITIES, SPEC
from fourfold.prove.peers import modern
from fourfold.prove.reading import call_a_read
from fourfold.review.view import ToolView

__all__ = ["CHECK"]

_EVERYTHING: JsonObject = {CAPABILITIES: {"elicitation": {}, "sampling": {}, "roots": {}}}


async def _run(desk: Desk, _: ToolView) -> None:
    peer = await modern(desk)
    await peer.ask("tools/list", meta=_EVERYTHING)
    await call_a_read(desk, peer, check=CHECK.name, meta=_EVERYTHING)
    for reply in peer.heard:
        for message in reply.messages:
            if "method" in message and "id" in message:
                raise Broken(f"the server sent a request, {message['method']}; it has to return input_required instead")


CHECK = Check(
    name="protocol-no-requests",
    family="protocol",
    proves="the server sends responses and notifications and no request",
    requires=(f"{SPEC}/basic/transports/streamable-http#receiving-messages",),
    run=_run,
    whole=True,
)
