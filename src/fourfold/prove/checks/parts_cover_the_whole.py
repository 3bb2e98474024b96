"""A list that divides a range of days leaves none of them out: each part begins where the one before has ended."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from fourfold.model.contract import JsonObject
from fourfold.prove.check import Broken, Check, NotTested
from fourfold.prove.desk import Desk
from fourfold.prove.parts import divisions, listed_by, records
from fourfold.prove.working import working
from fourfold.review.view import ToolView

__all__ = ["CHECK"]

_STEP = "give arguments with a longer range in [prove]"
_FEWEST = 4
_MOST_GAPS = 0.25
"""Where more of the neighbours do not touch, the entries are not parts of the range but things that lie in it."""


async def _run(desk: Desk, tool: ToolView) -> None:
    found, _ = await working(desk, tool, check=CHECK.name)
    bounds, judged = sorted(_bounds(tool), key=lambda name: str(found.get(name))), 0
    for arguments in divisions(tool, found):
        walked = await listed_by(desk, tool, arguments=arguments)
        gaps = _gaps(records(walked), bounds)
        if len(walked.entries) < _FEWEST or len(gaps) > _MOST_GAPS * len(walked.entries) or not walked.ended:
            continue
        judged += 1
        if gaps:
            raise Broken(f"a part ends at {gaps[0][0]}, and the next one begins at {gaps[0][1]}", *walked.calls)
        first, last = records(walked)[0], records(walked)[-1]
        if (first[bounds[0]], last[bounds[1]]) != (arguments[bounds[0]], arguments[bounds[1]]):
            raise Broken("the parts do not begin and end where the range does", *walked.calls)
    if not judged:
        raise NotTested("no list was one of parts that touch", next_step=_STEP)


def _gaps(parts: Sequence[JsonObject], bounds: Sequence[str]) -> list[tuple[object, object]]:
    """Where a part ends, and where the next one begins somewhere else."""
    ends = [(before.get(bounds[1]), after.get(bounds[0])) for before, after in pairwise(parts)]
    return [(end, begin) for end, begin in ends if end != begin]


def _bounds(tool: ToolView) -> list[str]:
    """The days of a range that each entry has as well."""
    dated = [place for place in tool.arguments if len(place.parents) == 1 and place.resolved.get("format") == "date"]
    shown = {place.name for place in tool.fields if len(place.parents) > 1 and place.resolved.get("format") == "date"}
    return [place.name for place in dated if place.name in shown and place.required]


CHECK = Check(
    name="parts-cover-the-whole",
    family="contract",
    proves="a list that divides a range has every day of it once",
    requires=("B3", "B12"),
    run=_run,
    applies=lambda tool: tool.action == "read" and tool.tool.contract is not None and len(_bounds(tool)) == 2,
)
