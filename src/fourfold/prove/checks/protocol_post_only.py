"""The endpoint takes POST and nothing else."""

from __future__ import annotations

from fourfold.prove.check import Broken, Check
from fourfold.prove.desk import Desk
from fourfold.prove.peer import MODERN, SPEC
from fourfold.prove.peers import modern
from fourfold.review.view import ToolView

__all__ = ["CHECK"]


async def _run(desk: Desk, _: ToolView) -> None:
    peer = await modern(desk)
    for method in ("GET", "DELETE"):
        desk.spend()
        answer = await peer.wire.exchange(b"", {"mcp-protocol-version": MODERN}, method=method)
        if answer.status != 405:
            raise Broken(f"{method} in {MODERN} was answered with HTTP {answer.status}; it should be 405")


CHECK = Check(
    name="protocol-post-only",
    family="protocol",
    proves="GET and DELETE are answered with 405",
    requires=(f"{SPEC}/basic/transports/streamable-http#earlier-streamable-http-revisions",),
    run=_run,
    weight="should",
    whole=True,
    transport="http",
)
