"""An error that has a status of its own is no stream."""

from __future__ import annotations

from fourfold.prove.check import Broken, Check
from fourfold.prove.desk import Desk
from fourfold.prove.peer import SPEC, VERSION, Reply
from fourfold.prove.peers import modern
from fourfold.review.view import ToolView

__all__ = ["CHECK"]


async def _run(desk: Desk, _: ToolView) -> None:
    peer = await modern(desk)
    _expect(await peer.ask("made/up"), "an unknown method")
    frame = peer.request("tools/list", meta={VERSION: "1999-01-01"})
    _expect(await peer.send(frame, {"mcp-protocol-version": "1999-01-01"}), "an unknown version")
    _expect(await peer.send({**peer.request("tools/list"), "params": {}}), "a request without _meta")


def _expect(reply: Reply, what: str) -> None:
    kind = reply.answer.headers.get("content-type", "")
    if not kind.startswith("application/json"):
        raise Broken(f"{what} was answered with content type {kind or 'none'!r}; it has to be application/json")


CHECK = Check(
    name="protocol-error-not-streamed",
    family="protocol",
    proves="errors with status 400 and 404 come as JSON, never in a stream",
    requires=(f"{SPEC}/basic/transports/streamable-http#server-validation",),
    run=_run,
    whole=True,
    transport="http",
)
