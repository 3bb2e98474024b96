"""No path leads out of the folder that a tool is for: not with dots, not from the root, not in another spelling."""

from __future__ import annotations

from fourfold.prove.check import Check
from fourfold.prove.desk import Desk
from fourfold.prove.leading_out import paths_of, require_inside
from fourfold.review.view import ToolView

__all__ = ["CHECK"]

_UP = "../" * 12
_FILE = "etc/passwd"
_OUTSIDE = (
    f"/{_FILE}",
    f"{_UP}{_FILE}",
    f"x/{_UP}{_FILE}",
    "....//" * 12 + _FILE,
    "%2e%2e%2f" * 12 + "etc%2fpasswd",
    f"file:///{_FILE}",
    f"/{_FILE}\0.txt",
    "/etc",
    f"{_UP}etc",
)


async def _run(desk: Desk, tool: ToolView) -> None:
    await require_inside(desk, tool, outside=_OUTSIDE, check=CHECK.name)


def _may_be_tried(tool: ToolView) -> bool:
    """A write is not tried: it might find the way out."""
    return tool.action == "read" and bool(paths_of(tool))


CHECK = Check(
    name="path-stays-inside",
    family="paths",
    proves="no path leads out of the folder that the tool is for",
    requires=("D2", "https://cwe.mitre.org/data/definitions/22.html"),
    run=_run,
    applies=_may_be_tried,
)
