"""A web page that nobody allowed is refused."""

from __future__ import annotations

from fourfold.prove.check import Broken, Check
from fourfold.prove.desk import Desk
from fourfold.prove.peer import SPEC
from fourfold.prove.peers import speaking
from fourfold.review.view import ToolView

__all__ = ["CHECK"]

_ELSEWHERE = "http://attacker.example"


async def _run(desk: Desk, _: ToolView) -> None:
    async with speaking(desk) as peer:
        reply = await peer.send(peer.request("tools/list"), {"origin": _ELSEWHERE})
        if reply.answer.status != 403:
            raise Broken(f"a request with Origin {_ELSEWHERE} was answered with {reply.shown}; it has to be HTTP 403")


CHECK = Check(
    name="protocol-origin",
    family="protocol",
    proves="a request with the Origin of a strange web page is refused with 403",
    requires=(f"{SPEC}/basic/transports/streamable-http",),
    run=_run,
    whole=True,
    transport="http",
)
