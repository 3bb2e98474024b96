"""What a definition says does not depend on who reads it."""

from __future__ import annotations

from fourfold.prove.check import Broken, Check
from fourfold.prove.desk import FIRST, SECOND, Desk
from fourfold.review.compare import compare_listings
from fourfold.review.saved import listed
from fourfold.review.view import ToolView

__all__ = ["CHECK"]


async def _run(desk: Desk, _: ToolView) -> None:
    mine, theirs = [
        listed([*await desk.seats[caller].target.tools()], target=desk.catalog.target, facts={})
        for caller in (FIRST, SECOND)
    ]
    for finding in compare_listings(mine, theirs):
        raise Broken(f"{finding.tool} is told otherwise to the other caller, at {finding.pointer}")


CHECK = Check(
    name="definitions-are-for-all",
    family="tenant",
    proves="two callers who are listed the same tool read the same definition",
    requires=("B18", "https://modelcontextprotocol.io/specification/2026-07-28/server/utilities/caching"),
    run=_run,
    callers=2,
    whole=True,
)
