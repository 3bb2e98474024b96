"""Every result of a call has content, if only an empty list."""

from __future__ import annotations

from fourfold.prove.check import Broken, Check, NotTested
from fourfold.prove.desk import Desk
from fourfold.prove.peer import SPEC
from fourfold.prove.peers import speaking
from fourfold.prove.reading import calls_of_reads
from fourfold.review.view import ToolView

__all__ = ["CHECK"]


async def _run(desk: Desk, _: ToolView) -> None:
    seen = 0
    async with speaking(desk) as peer:
        async for tool, reply in calls_of_reads(desk, peer, check=CHECK.name):
            if reply.result is None or reply.result.get("resultType") == "input_required":
                continue
            seen += 1
            if not isinstance(reply.result.get("content"), list):
                raise Broken(f"a result of {tool.name} has no content; it has to be there, if only empty")
    if not seen:
        raise NotTested("no call had a result", next_step="give arguments that work in [prove]")


CHECK = Check(
    name="protocol-content",
    family="protocol",
    proves="every result of a call has an array of content",
    requires=(f"{SPEC}/schema#calltoolresult",),
    run=_run,
    whole=True,
)
