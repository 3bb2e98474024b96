"""The process ends when its input does."""

from __future__ import annotations

from fourfold.prove.check import Broken, Check
from fourfold.prove.desk import Desk
from fourfold.prove.expect import expect_result
from fourfold.prove.peer import SPEC
from fourfold.prove.peers import speaking
from fourfold.review.view import ToolView

__all__ = ["CHECK"]


async def _run(desk: Desk, _: ToolView) -> None:
    async with speaking(desk, fresh=True) as peer:
        expect_result(await peer.ask("tools/list"), "tools/list")
        if not await peer.wire.hang_up():
            raise Broken("the process was still there three seconds after its input had ended; it should exit promptly")


CHECK = Check(
    name="protocol-exit-at-end",
    family="protocol",
    proves="the process exits promptly when its standard input ends",
    requires=(f"{SPEC}/basic/transports/stdio#shutdown",),
    run=_run,
    weight="should",
    whole=True,
    transport="stdio",
)
