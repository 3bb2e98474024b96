"""Planning a write does none of it."""

from __future__ import annotations

from fourfold.prove.books import watching
from fourfold.prove.check import Broken, Check
from fourfold.prove.desk import Desk
from fourfold.prove.keys import plans
from fourfold.prove.writing import written
from fourfold.review.view import ToolView

__all__ = ["CHECK"]


async def _run(desk: Desk, tool: ToolView) -> None:
    plan = await written(desk, tool, watch=await watching(desk), check=CHECK.name)
    if plan.before != plan.after:
        raise Broken("planning it has an effect", desk.sent_as(tool.name, plan.arguments))


CHECK = Check(
    name="plan-has-no-effect",
    family="effect",
    proves="planning a write changes nothing of what it is about",
    requires=("C7",),
    run=_run,
    applies=plans,
    writes=True,
)
