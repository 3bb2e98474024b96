"""A cursor that the server never gave out is refused."""

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
        reply = await peer.ask("tools/list", {"cursor": "made-up-by-fourfold"})
        expect_error(reply, "tools/list with a made-up cursor", code=-32602)


CHECK = Check(
    name="protocol-bad-cursor",
    family="protocol",
    proves="a cursor of tools/list that was never given out is refused with -32602",
    requires=(f"{SPEC}/server/utilities/pagination#error-handling",),
    run=_run,
    weight="should",
    whole=True,
)
