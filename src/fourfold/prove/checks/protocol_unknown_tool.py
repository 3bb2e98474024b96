"""A tool that does not exist is a protocol error."""

from __future__ import annotations

from fourfold.prove.check import Check
from fourfold.prove.desk import Desk
from fourfold.prove.expect import expect_error
from fourfold.prove.peer import SPEC
from fourfold.prove.peers import speaking
from fourfold.review.view import ToolView

__all__ = ["CHECK"]


async def _run(desk: Desk, _: ToolView) -> None:
    async with speaking(desk) as peer:
        reply = await peer.call("fourfold_made_up", {})
        expect_error(reply, "a call of a tool that does not exist", code=-32602)


CHECK = Check(
    name="protocol-unknown-tool",
    family="protocol",
    proves="a tool that does not exist is refused with -32602",
    requires=(f"{SPEC}/server/tools#error-handling",),
    run=_run,
    weight="should",
    whole=True,
)
