"""An answer is one JSON object, or a stream that ends with the response."""

from __future__ import annotations

from fourfold.prove.check import Broken, Check
from fourfold.prove.desk import Desk
from fourfold.prove.peer import SPEC, Reply
from fourfold.prove.peers import modern
from fourfold.prove.reading import call_a_read
from fourfold.review.view import ToolView

__all__ = ["CHECK"]


async def _run(desk: Desk, _: ToolView) -> None:
    peer = await modern(desk)
    meta = {"progressToken": f"prove-{desk.spend()}"}
    reply = await call_a_read(desk, peer, check=CHECK.name, meta=meta)
    kind = reply.answer.headers.get("content-type", "")
    if kind.startswith("text/event-stream"):
        _expect_stream(reply)
    elif not kind.startswith("application/json") or len(reply.answer.messages) != 1:
        raise Broken(f"a call was answered with content type {kind!r} and {len(reply.answer.messages)} messages")


def _expect_stream(reply: Reply) -> None:
    if not reply.answer.ended or reply.messages[-1:] != (reply.response,):
        raise Broken("the stream of a call did not end with its response")
    if reply.answer.headers.get("x-accel-buffering") != "no":
        raise Broken("a stream has no header X-Accel-Buffering: no; it should, or proxies hold it back")


CHECK = Check(
    name="protocol-stream-ends",
    family="protocol",
    proves="a call is answered with one JSON object, or with an unbuffered stream that its response ends",
    requires=(f"{SPEC}/basic/transports/streamable-http#receiving-messages",),
    run=_run,
    weight="should",
    whole=True,
    transport="http",
)
