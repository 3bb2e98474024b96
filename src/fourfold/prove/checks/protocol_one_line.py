"""A message is one line of UTF-8, whatever is in it."""

from __future__ import annotations

from fourfold.prove.check import Broken, Check
from fourfold.prove.desk import Desk
from fourfold.prove.peer import SPEC
from fourfold.prove.peers import speaking
from fourfold.review.view import ToolView

__all__ = ["CHECK"]

_NUMBER = "line\nbreak\r\u2028\u0085 \u00fc\u4e16"


async def _run(desk: Desk, _: ToolView) -> None:
    async with speaking(desk) as peer:
        reply = await peer.send({**peer.request("tools/list"), "id": _NUMBER})
        lines = reply.answer.body.splitlines()
        if reply.response.get("id") != _NUMBER or len(lines) != 1:
            raise Broken(f"a request whose id has line breaks was answered with {reply.shown} in {len(lines)} lines")
        try:
            reply.answer.body.decode("utf-8")
        except UnicodeDecodeError:
            raise Broken("standard output is not UTF-8") from None


CHECK = Check(
    name="protocol-one-line",
    family="protocol",
    proves="a message is one line of UTF-8, and line breaks in it are escaped",
    requires=(f"{SPEC}/basic/transports/stdio",),
    run=_run,
    whole=True,
    transport="stdio",
)
