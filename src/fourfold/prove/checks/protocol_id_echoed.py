"""A response has the id of its request, and its type."""

from __future__ import annotations

from fourfold.prove.check import Broken, Check
from fourfold.prove.desk import Desk
from fourfold.prove.peer import SPEC, Peer
from fourfold.prove.peers import speaking
from fourfold.review.view import ToolView

__all__ = ["CHECK"]

_IDS: tuple[str | int, ...] = (70_001, "70001", 0, -5, 9_007_199_254_740_991, "\u00fc \U0001f9fe", "a/b?c=d")


async def _run(desk: Desk, _: ToolView) -> None:
    async with speaking(desk) as peer:
        for number in _IDS:
            await _ask(peer, number)


async def _ask(peer: Peer, number: str | int) -> None:
    frame = {**peer.request("tools/list"), "id": number}
    reply = await peer.send(frame)
    answers = [message for message in reply.messages if "result" in message or "error" in message]
    found = [message.get("id") for message in answers]
    if len(found) != 1 or found[0] != number or type(found[0]) is not type(number):
        raise Broken(f"a request with id {number!r} was answered with ids {found!r}")


CHECK = Check(
    name="protocol-id-echoed",
    family="protocol",
    proves="every response has the id of its request, number or text",
    requires=(f"{SPEC}/basic/index#responses",),
    run=_run,
    whole=True,
)
