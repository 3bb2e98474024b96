"""Nothing but messages comes out of standard output."""

from __future__ import annotations

import json

from fourfold.prove.check import Broken, Check
from fourfold.prove.desk import Desk
from fourfold.prove.peer import SPEC, as_object
from fourfold.prove.peers import speaking
from fourfold.prove.reading import call_a_read
from fourfold.review.view import ToolView

__all__ = ["CHECK"]


async def _run(desk: Desk, _: ToolView) -> None:
    async with speaking(desk, fresh=True) as peer:
        await peer.ask("tools/list")
        await call_a_read(desk, peer, check=CHECK.name)
        for line in (line for reply in peer.heard for line in reply.answer.body.split(b"\n")[:-1]):
            if not _is_message(line):
                shown = line[:60].decode("utf-8", "replace")
                raise Broken(f"standard output held a line that is no message: {shown!r}")


def _is_message(line: bytes) -> bool:
    try:
        value: object = json.loads(line)
    except ValueError:
        return False
    return (as_object(value) or {}).get("jsonrpc") == "2.0"


CHECK = Check(
    name="protocol-stdout-pure",
    family="protocol",
    proves="standard output holds JSON-RPC messages and nothing else",
    requires=(f"{SPEC}/basic/transports/stdio",),
    run=_run,
    whole=True,
    transport="stdio",
)
