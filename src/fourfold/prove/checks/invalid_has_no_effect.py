"""Bad arguments change nothing: they are refused before anything is written."""

from __future__ import annotations

from fourfold.prove.arguments import invalid_arguments
from fourfold.prove.books import watching
from fourfold.prove.check import Broken, Check
from fourfold.prove.desk import Desk
from fourfold.review.view import ToolView

__all__ = ["CHECK"]


async def _run(desk: Desk, tool: ToolView) -> None:
    watch = await watching(desk)
    before = await watch.look()
    for sample in invalid_arguments(desk, tool, check=CHECK.name):
        await desk.call(tool.name, sample.value)
        if await watch.look() != before:
            place = sample.pointer or "their root"
            detail = f"arguments that break the schema at {place} changed what the server holds"
            raise Broken(detail, desk.sent_as(tool.name, sample.value))


CHECK = Check(
    name="invalid-has-no-effect",
    family="contract",
    proves="bad arguments change nothing",
    requires=("A2",),
    run=_run,
    applies=lambda tool: tool.action != "read",
    writes=True,
)
