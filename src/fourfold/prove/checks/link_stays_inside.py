"""A link inside the folder that a tool is for is no way out of it."""

from __future__ import annotations

from fourfold.prove.check import Check, NotTested
from fourfold.prove.desk import Desk
from fourfold.prove.leading_out import paths_of, require_inside
from fourfold.review.view import ToolView

__all__ = ["CHECK"]


async def _run(desk: Desk, tool: ToolView) -> None:
    if not desk.links:
        step = "start the server with a command that names a folder which a link may be made in"
        raise NotTested("no folder of the server's is known", next_step=step)
    outside = [path for link in desk.links for path in (f"{link}/passwd", link)]
    await require_inside(desk, tool, outside=outside, check=CHECK.name)


def _may_be_tried(tool: ToolView) -> bool:
    """Of a server that is started with a folder, which a catalog of ours is not; a write might find the way out."""
    return tool.tool.contract is None and tool.action == "read" and bool(paths_of(tool))


CHECK = Check(
    name="link-stays-inside",
    family="paths",
    proves="no link in the folder that the tool is for leads out of it",
    requires=("D2", "https://cwe.mitre.org/data/definitions/59.html"),
    run=_run,
    applies=_may_be_tried,
    writes=True,
)
