"""Where the id can't be known, an error has none."""

from __future__ import annotations

from fourfold.prove.check import Broken, Check
from fourfold.prove.desk import Desk
from fourfold.prove.expect import expect_no_result
from fourfold.prove.peer import MODERN, SPEC
from fourfold.prove.peers import modern
from fourfold.review.view import ToolView

__all__ = ["CHECK"]

_HEADERS = {"mcp-protocol-version": MODERN, "mcp-method": "tools/list"}
_NO_MESSAGES = (b'{"jsonrpc":"2.0",', b"hello", b'"hello"')


async def _run(desk: Desk, _: ToolView) -> None:
    peer = await modern(desk)
    for frame in _NO_MESSAGES:
        desk.spend()
        reply = await peer.send_bytes(frame, _HEADERS)
        expect_no_result(reply, f"the bytes {frame.decode()!r}")
        if any(message.get("id", 0) is None for message in reply.messages):
            raise Broken(f'the error for the bytes {frame.decode()!r} has "id": null; it has to have no id')


CHECK = Check(
    name="protocol-error-without-id",
    family="protocol",
    proves="an error about bytes whose id can't be read has no id, instead of null",
    requires=(f"{SPEC}/basic/index#error-responses",),
    run=_run,
    whole=True,
)
